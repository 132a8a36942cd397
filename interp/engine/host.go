package engine

import (
	"fmt"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// Do is the host of a body that was found to ask for nothing but what needs no
// answer from the loop. One that does after all has called a function that came
// to it as a value.
func (a *attempt) Do(req interp.Request) (value.Value, error) {
	return value.Nil, &interp.Fault{Code: "denied", Message: requestWords(&req) + " is not possible in a function that is called as a value", Span: req.Span, Index: -1}
}

// yielder is the host of a body with effects.
type yielder struct {
	*attempt
	yield func(interp.Request) bool
}

// Do answers a request: from the journal if it is there, from itself if it is
// only a read or a print, else by yielding to the loop.
func (y *yielder) Do(req interp.Request) (value.Value, error) {
	if f := largeRequest(&req); f != nil {
		return value.Nil, f
	}
	a := y.attempt
	n := a.n
	a.n++
	if most := a.maxAnswers(); n >= most {
		return value.Nil, &interp.Fault{Code: "limit", Message: fmt.Sprintf("an attempt may ask %d times; spread the work over several visits of a step, with goto", most),
			Span: req.Span, Index: -1, Final: true}
	}
	if err := byName(&req); err != nil {
		return value.Nil, err
	}
	hash := requestHash(&req)
	if req.Kind == interp.Spawn && !req.HasID {
		a.spawns++
	}
	if v, ok := a.chance(&req, n); ok {
		return v, nil
	}
	if len(a.answers) > 0 && a.answers[0].n == n {
		ans := a.answers[0]
		a.answers = a.answers[1:]
		if ans.hash != hash {
			return value.Nil, &mismatchError{want: ans.what, got: requestWords(&req)}
		}
		a.count(hash, ans.failure)
		if req.Once {
			a.answeredOnce(&req, hash)
		}
		return ans.value, a.fault(ans.failure, req.Span)
	}
	if req.Once {
		if o, ok := a.answeredOnce(&req, hash); ok {
			a.note(n, &req, hash, o.value, o.failure)
			return o.value, a.fault(o.failure, req.Span)
		}
	}
	if v, ok, err := a.local(&req, n, hash); ok || err != nil {
		return v, err
	}
	if !y.yield(req) {
		return value.Nil, errCut
	}
	v, err := a.reply, a.replyErr
	a.reply, a.replyErr = value.Nil, nil
	return v, err
}

// maxAnswers is how many requests an attempt may make: it may be run again over
// all of their answers.
func (a *attempt) maxAnswers() int {
	if a.in.workflow == program.MainName {
		return 100_000
	}
	return 10_000
}

func (a *attempt) count(hash uint64, f *flow.Failure) {
	if f == nil {
		if a.oks == nil {
			a.oks = map[uint64]int{}
		}
		a.oks[hash]++
	}
}

// note keeps an answer until the next batch of the instance takes it along.
func (a *attempt) note(n int, req *interp.Request, hash uint64, v value.Value, f *flow.Failure) {
	r := a.answerRecord(n, req, hash, v, f)
	r.Print = isPrint(req)
	r.Usage, a.used = a.used, Usage{}
	a.pending = append(a.pending, r)
	a.pendingBytes += value.Size(v)
	a.countError(r.What, hash, f)
	a.count(hash, f)
}

func (a *attempt) answerRecord(n int, req *interp.Request, hash uint64, v value.Value, f *flow.Failure) Record {
	return Record{Kind: RecAnswer, Time: a.e.Now(), Path: a.path, Step: a.step, Visit: a.visit, Attempt: a.number,
		N: n, What: requestWords(req), Hash: hash, Span: req.Span, Value: v, Failure: f}
}

// flush moves what the attempt has noted into a batch.
func (a *attempt) flush(p *part) {
	for _, r := range a.pending {
		p.record(r)
	}
	a.pending, a.pendingBytes = nil, 0
}
