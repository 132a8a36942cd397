package checker

import (
	"time"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// advise is a warning.
func (c *checker) advise(code diag.Code, span source.Span, message string, labels []diag.Label, help string) {
	c.add(diag.Diagnostic{Code: code, Severity: diag.Warning, Span: span, Message: message, Labels: labels, Help: help})
}

func (c *checker) sayLuck(from source.Span, first *program.Perform, fails source.Span) {
	name := "this call"
	help := "write `perform once` or give the header `Idempotency-Key`, or put the call into a step of its own"
	if first != nil {
		name = "`" + first.Op.FullName() + "`"
		if first.Op.Module != "Http" {
			help = "write `perform once`, or put the call into a step of its own"
		}
	}
	c.advise("WF2808", from, "a retry of this step does "+name+" again, and it need not be recognized as the same",
		label(fails, "when this fails, the step is tried again"), help)
}

func (c *checker) sayOnlyOnce(s *program.Step, once *program.Perform) {
	c.advise("WF2820", s.Policy.Retry.Span, "a retry of this step makes no call: it gets the answer that there was",
		label(once.Span(), "this is made once, in all attempts together"),
		"leave out `retry`; or leave out `once`, if the other side recognizes a call by its key, and the retry makes it again")
}

func (c *checker) sayWaitThenCall(call, wait source.Span) {
	c.advise("WF2809", call, "when this fails, the retry of the step waits again",
		label(wait, "it waits here"), "put the call into a step of its own, after the one that waits")
}

func (c *checker) sayLoopOfCalls(loop *program.For, e program.Expr) {
	c.advise("WF2810", e.Span(), "when this fails for one element, the retry of the step does all of them again",
		label(loop.In.Span(), "it is done for each of these"), "`parallel for … max 1 { step … }` keeps what is done, element by element")
}

func (c *checker) sayStartsAnew(limit program.SelectArm, back *program.Goto) {
	c.advise("WF2811", limit.After.Span(), "this time starts anew whenever another arm goes back to the step",
		label(back.Span(), "this goes back"), "for a limit over all rounds keep the instant in the state and write `at self.deadline`")
}

func (c *checker) saySlip(from, into, chooser *program.Step) {
	var labels []diag.Label
	if chooser != nil {
		labels = label(chooser.Span, "this step chooses between the two")
	}
	c.advise("WF2812", from.Span, "step "+from.Name+" goes on into step "+into.Name+" when it is done", labels,
		"end it with `end` or `goto`; if it is meant, write `goto "+into.Name+"`")
}

func (c *checker) sayWaitAbove(span source.Span, d time.Duration, limit source.Span, of time.Duration) {
	c.advise("WF2813", span, "this waits "+spelled(d)+", and the workflow is cut after "+spelled(of),
		label(limit, "the limit of the workflow"), "make the limit of the workflow longer, or this one shorter")
}

func (c *checker) sayLimitAbove(span source.Span, d time.Duration, limit source.Span, of time.Duration) {
	c.advise("WF2814", span, "the step has "+spelled(d)+", and the workflow is cut after "+spelled(of),
		label(limit, "the limit of the workflow"), "make the limit of the workflow longer, or this one shorter")
}

func spelled(d time.Duration) string { return value.Duration(d).Text() }

func (c *checker) sayEndlessLoop(s *program.Step) {
	c.advise("WF2815", s.Span, "from step "+s.Name+" on the workflow goes round for ever, without waiting for anything", nil,
		"wait in one of the steps (`pause for`, a signal, a timer), or end the round on a condition")
}

func (c *checker) sayUndoInLoop(s *program.Step) {
	c.advise("WF2816", s.Compensate.Span, "step "+s.Name+" runs again by `goto`, and every visit of it is undone by itself",
		nil, "if one undoing is enough, put the `compensate` on a step outside of the round, or on the workflow")
}

func (c *checker) sayUndoneTwice(f *program.Fail, to *program.Step) {
	var labels []diag.Label
	if to != nil {
		labels = label(to.Span, "the failover has undone things by hand before")
	}
	c.advise("WF2817", f.Span(), "`fail` also runs every `compensate` of the steps before", labels,
		"`end` here if all is undone, or leave the undoing to the `compensate` blocks")
}

func (c *checker) saySecret(e program.Expr, where string) {
	c.add(diag.Diagnostic{
		Code: "WF2731", Span: e.Span(), Message: "this is a secret, and " + where + " is written down where others read it",
		Help: "keep the name of the secret instead, and say `perform Secret.get(…)` where it is used",
	})
}

const secretTexts = "put it together as a secret: `Secret.bearer(s)`, `Secret.basic(\"user\", s)`, `Secret.join(\"text \", s)`"

func (c *checker) saySecretText(e program.Expr) {
	c.add(diag.Diagnostic{
		Code: "WF2732", Span: e.Span(), Message: "this is a secret, and a secret is never part of a text",
		Help: secretTexts,
	})
}

func (c *checker) sayNoRetry(at source.Span, word string, retry *program.Func) {
	labels, help := []diag.Label(nil), "say how often: `retry 3`"
	if retry != nil {
		labels = label(retry.Span, "none")
	}
	c.advise("WF2821", at, "`"+word+"` is about retries, and there are none here", labels, help)
}

func (c *checker) saySpawnInLoop(s *program.Spawn) {
	c.advise("WF2818", s.Span(), "another run of the program spawns all of these again", nil,
		"give each a name, `as \"order-${id}\"`: an instance that exists is returned as it is")
}
