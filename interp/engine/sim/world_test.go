package sim_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib"
)

// builtins are the real ones and a call to the world.
var builtins = append(stdlib.Table(), &program.Builtin{Module: "World", Name: "call", Effect: program.Performs, Params: []program.BuiltinParam{{Name: "what"}}})

// world is a service that does once what one key asks for, answers late, with an
// error, or not at all. What it does depends only on the seed, the key, and how
// often it was asked under it.
type world struct {
	seed uint64
	calm bool // it answers everything at once
	keys map[string]*asked
	what map[string][]*asked // by what is asked, in the order of the first calls
}

// asked is what was asked under one key.
type asked struct {
	key, what, instance string
	calls               int
	answer              string // "" while it has given none
	code                string // of an error answer
	attempt             int    // that asked first
}

func newWorld(seed uint64) *world {
	return &world{seed: seed, keys: map[string]*asked{}, what: map[string][]*asked{}}
}

func (w *world) dice(c *engine.Call, calls int, sides uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d", w.seed, c.Key, calls)
	return h.Sum64() >> 20 % sides
}

// Delay is how long a call takes: now and then longer than its step may.
func (w *world) Delay(c engine.Call) time.Duration {
	if w.calm || w.dice(&c, -1, 100) >= 30 {
		return 0
	}
	return time.Duration(w.dice(&c, -2, 40)) * time.Second
}

// Call does what is asked.
func (w *world) Call(_ context.Context, c engine.Call) (value.Value, error) {
	what := c.Args[0].Text()
	a := w.keys[c.Key]
	if a == nil {
		a = &asked{key: c.Key, what: what, instance: c.Instance, attempt: c.Attempt}
		w.keys[c.Key], w.what[what] = a, append(w.what[what], a)
	}
	a.calls++
	silent := &interp.Fault{Code: "unavailable", Message: "no answer", Index: -1}
	dice := w.dice(&c, a.calls, 100)
	switch {
	case w.calm:
		dice = 99
	case dice < 8:
		return value.Nil, silent
	}
	if a.answer == "" {
		switch {
		case dice >= 16 && dice < 28:
			a.answer, a.code = "declined", "declined"
		case dice >= 28 && dice < 34:
			a.answer = "bad"
		default:
			a.answer = "ok"
		}
		if dice < 16 {
			return value.Nil, silent // it is done, and nobody hears of it
		}
	}
	if a.code != "" {
		return value.Nil, &interp.Fault{Code: a.code, Message: "no", Index: -1}
	}
	return value.String(a.answer), nil
}

// check finds calls that should not have been made. A visit asks under one key
// until it has had an error answer, and `once` asks at most once.
func (w *world) check(complain func(string, ...any)) {
	read := map[string]string{}
	for what, all := range w.what {
		if strings.HasPrefix(what, "read|") {
			for _, a := range all {
				place := fmt.Sprint(what[:strings.LastIndex(what, "|")], " in attempt ", a.attempt)
				if was := read[place]; was != "" && was != what {
					complain("the world was asked for %q, and at %s for %q before: what was read has changed", what, place, was)
				}
				read[place] = what
			}
		}
		if last := what[len(what)-1]; strings.HasPrefix(what, "undo|") && (last < '0' || last > '9') {
			continue // it does not name the visit: several may be worth nothing, or the same
		}
		calls := 0
		for i, a := range all {
			calls += a.calls
			if a.code == "" && i < len(all)-1 {
				complain("the world was asked for %q under another key, and the first had no error answer", what)
			}
		}
		if strings.HasPrefix(what, "once|") && calls > 1 {
			complain("`once` has called %q %d times", what, calls)
		}
	}
}

// answered reports whether the world has given the answer to what was asked.
func (w *world) answered(what, answer string) bool {
	for _, a := range w.what[what] {
		if a.answer == answer {
			return true
		}
	}
	return false
}
