package engine

import (
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// lifecycle is the engine's own view of an instance, as every instance answers.
func (in *instance) lifecycle() value.Value {
	s := &in.state
	retries := in.retries()
	var failed []value.Value
	for _, f := range s.Compensation.Failed {
		failed = append(failed, value.NewRecord([]string{"step", "code", "message"},
			[]value.Value{value.String(f.Step), value.String(f.Code), value.String(f.Message)}))
	}
	ending := value.Nil
	if s.Ending != flow.NotEnding {
		ending = value.String(s.Ending.String())
	}
	failure := s.Cause
	if failure == nil {
		failure = s.Failure
	}
	return value.NewRecord([]string{"id", "workflow", "status", "ending", "step", "step_index", "waiting_for", "commands", "attempts", "retries",
		"failure", "compensation", "result", "is_terminal", "started_at", "updated_at", "version"},
		[]value.Value{value.String(in.id), value.String(in.workflow), value.String(in.status()), ending,
			value.String(in.currentStep()), value.Int(int64(flow.StepIndex(s))), value.List(in.waitingWords()...), value.List(in.possibleCommands()...), value.Int(int64(s.Root.Attempt)), retries,
			failureValue(failure, false),
			value.NewRecord([]string{"status", "failed"}, []value.Value{value.String(s.Compensation.Status.String()), value.List(failed...)}),
			s.Result, value.Bool(s.Status.Terminal()), value.Time(in.created), value.Time(in.updated), value.String(in.program)})
}

// retries counts, by step, the attempts beyond the first.
func (in *instance) retries() value.Value {
	counts := in.state.Retries
	steps, vals := make([]string, len(counts)), make([]value.Value, len(counts))
	for i, c := range counts {
		steps[i], vals[i] = c.Step, value.Int(int64(c.Count))
	}
	return value.NewRecord(steps, vals)
}

// possibleCommands lists the commands that would be accepted now, by name.
func (in *instance) possibleCommands() []value.Value {
	var out []value.Value
	for _, h := range in.wf.Commands {
		ending := in.state.Ending != flow.NotEnding && h.Body.Effects&program.Transitions != 0
		if in.accepts(h) == nil && !ending {
			out = append(out, value.String(h.Name))
		}
	}
	return out
}

// waitingWords lists what the instance waits for, in words.
func (in *instance) waitingWords() []value.Value {
	var out []value.Value
	for _, w := range in.waits() {
		out = append(out, value.String(w.String()))
	}
	return out
}
