module github.com/wf-lang/wf/interp/bench

go 1.26.0

require github.com/wf-lang/wf v0.0.0

require (
	github.com/alecthomas/participle/v2 v2.1.4 // indirect
	github.com/cockroachdb/apd/v3 v3.2.3 // indirect
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/wf-lang/wf => ../..
