package engine

import (
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
)

// answered takes in what the attempt, or an earlier one of its visit, had as an
// answer.
func (a *attempt) answered(r *Record) {
	switch {
	case r.Visit != a.visit:
		return
	case r.Kind == RecStarted:
		a.once = append(a.once, answer{n: r.N, hash: r.Hash, what: r.What, attempt: r.Attempt, open: true})
		return
	}
	a.closeOnce(r)
	a.countError(r.What, r.Hash, r.Failure)
	if r.Attempt == a.number {
		a.answers = append(a.answers, answer{n: r.N, hash: r.Hash, what: r.What, value: r.Value, failure: r.Failure})
	}
}

// closeOnce gives a started `perform once` its answer.
func (a *attempt) closeOnce(r *Record) {
	for i := range a.once {
		o := &a.once[i]
		if o.open && o.hash == r.Hash && o.attempt == r.Attempt && o.n == r.N {
			o.open, o.value, o.failure = false, r.Value, r.Failure
			return
		}
	}
}

// answeredOnce finds the answer of a `perform once` that an earlier attempt of
// the visit has made; one that was left open is not made again.
func (a *attempt) answeredOnce(r *interp.Request, hash uint64) (answer, bool) {
	for i, o := range a.once {
		if o.hash != hash {
			continue
		}
		a.once = append(a.once[:i:i], a.once[i+1:]...)
		if o.open {
			o.failure = &flow.Failure{Code: "outcome_unknown", Index: -1,
				Message: requestWords(r) + " was started and its outcome is not known; `once` does not repeat it"}
		}
		return o, true
	}
	return answer{}, false
}
