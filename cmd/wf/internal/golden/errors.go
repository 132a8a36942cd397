package golden

import "fmt"

// An OutsideError is a script that called the world outside, which a run on a
// virtual clock does not have.
type OutsideError struct {
	Operation string // "Http.post"
	Instance  string // id of the instance that called
}

// Error says who called what.
func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s calls %s: a golden script runs by itself and may not call anything outside; a `test` block with a mock can try it", e.Instance, e.Operation)
}

// A RestlessError is a script that goes on and on.
type RestlessError struct {
	Work    int    // how often it was stepped
	Time    string // virtual time reached, since the start
	Waiting bool   // main has not ended
}

// Error says how far it got.
func (e *RestlessError) Error() string {
	text := fmt.Sprintf("the script does not come to rest: after %d steps of work it is %s past the start", e.Work, e.Time)
	switch {
	case e.Waiting:
		return text + " and main has not ended"
	case e.Time == "0s":
		return text + ": something goes round and round and waits for nothing, perhaps a `goto`"
	}
	return text + "; `// golden: stop after 30d` on its first line ends it earlier"
}

// A CrashError is a run that came to something else after a crash.
type CrashError struct {
	Write int    // of the store, from 1
	After bool   // the crash came when the write was durable, else before it
	Diff  string // of the transcripts: "-" without, "+" with the crash
}

// Error tells where it crashed, and shows the difference.
func (e *CrashError) Error() string {
	when := "before"
	if e.After {
		when = "after"
	}
	return fmt.Sprintf("a crash %s write %d changes what the script comes to:\n%s", when, e.Write, e.Diff)
}
