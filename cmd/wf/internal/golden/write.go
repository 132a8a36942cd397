package golden

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wf-lang/wf/cmd/wf/internal/lab"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
)

// A view is a store as transcripts tell of it.
type view struct {
	engine *engine.Engine
	prog   *program.Program
	main   string // id of the program's own instance, "" if it has none
}

// Transcribe makes the transcript of what is in the store of an engine, where
// output is what was shown. No main is among the instances.
func Transcribe(e *engine.Engine, prog *program.Program, output string) (Transcript, error) {
	return (&view{engine: e, prog: prog}).write(output)
}

// write makes the transcript from what is in the store.
func (v *view) write(output string) (Transcript, error) {
	t := Transcript{Output: output}
	all, err := v.instances()
	if err != nil {
		return t, fmt.Errorf("list the instances: %w", err)
	}
	var printed gatherer
	lanes := map[uint64]lane{} // of events
	for _, s := range all {
		if s.ID == v.main && !s.Result.IsNil() && !s.Result.IsUnit() {
			t.Value = s.Result.String()
		}
		t.Instances = append(t.Instances, v.instanceLines(s))
		err := v.engine.History(context.Background(), s.ID, func(r *engine.Record) bool {
			l := laneOf(v.prog.Actor(s.Workflow), r.Path, r.Step)
			for _, n := range r.Events {
				lanes[n] = l
			}
			if r.Print {
				printed.add(v.declared(s.Workflow), s.ID, l, shown(r))
			}
			return true
		})
		if err != nil {
			return t, fmt.Errorf("read the journal of %s: %w", s.ID, err)
		}
	}
	t.printed = printed.ordered()
	t.Events, err = v.events(lanes)
	return t, err
}

// shown is what a record shows, as a transcript has it.
func shown(r *engine.Record) string {
	if level, text, isLog := r.Logged(); isLog {
		return level + ": " + text
	}
	return strings.TrimSuffix(r.Value.Text(), "\n")
}

// instances gives all of them, in the order of declaration.
func (v *view) instances() ([]engine.Summary, error) {
	var all []engine.Summary
	var bad error
	err := v.engine.List(context.Background(), persist.Filter{}, func(s engine.Summary, err error) bool {
		bad = err
		all = append(all, s)
		return err == nil
	})
	slices.SortFunc(all, func(a, b engine.Summary) int {
		return cmp.Or(cmp.Compare(v.declared(a.Workflow), v.declared(b.Workflow)), compareIDs(a.ID, b.ID))
	})
	return all, cmp.Or(err, bad)
}

// events gives the events of the log, those of deleted instances too.
func (v *view) events(lanes map[uint64]lane) ([]Group, error) {
	var g gatherer
	err := v.engine.Events(context.Background(), "", 1, func(ev *engine.EventRecord) bool {
		step := ev.Step
		if step != "" && ev.Workflow != program.MainName {
			step += ": "
		} else {
			step = ""
		}
		g.add(v.declared(ev.Workflow), ev.Instance, lanes[ev.Number], fmt.Sprintf("+%s %s%s", lab.SinceBegin(ev.Time), step, ev))
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read the events: %w", err)
	}
	return g.ordered(), nil
}

// declared is the place of a workflow's or entity's declaration, -1 of main.
func (v *view) declared(workflow string) int {
	return slices.IndexFunc(v.prog.Actors, func(w *program.Workflow) bool { return w.Name == workflow })
}

// instanceLines tell how an instance ended: its lifecycle, then its state.
func (v *view) instanceLines(s engine.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, +%s to +%s\n", s.ID, standing(s), lab.SinceBegin(s.Created), lab.SinceBegin(s.Updated))
	line := func(format string, args ...any) { fmt.Fprintf(&b, "    "+format+"\n", args...) }
	for _, w := range s.Waiting {
		line("waits for %s%s", w, inStep(w.Step))
	}
	if f := s.Failure; f != nil {
		line("failure %s%s: %q", f.Code, inStep(f.Step), f.Message)
		if place := v.place(f.Place); place != "" {
			line("    at %s", place)
		}
		if !f.Detail.IsNil() {
			line("    detail %s", f.Detail)
		}
	}
	if s.Undo.Status != flow.CompensationNone {
		line("compensation %s", s.Undo.Status)
	}
	for _, f := range s.Undo.Failed {
		line("    not undone: %s: %s: %q", f.Step, f.Code, f.Message)
	}
	if f := s.Finally; f != nil {
		line("finally failed with %s: %q", f.Code, f.Message)
	}
	if !s.Result.IsNil() && !s.Result.IsUnit() && s.Workflow != program.MainName {
		line("result %s", s.Result)
	}
	if s.Signals > 0 {
		line("signals not used: %d", s.Signals)
	}
	for _, f := range s.Fields {
		line("self.%s = %s", f.Name, f.Value)
	}
	return b.String()
}

// place gives a place with its file named as the script sees it, so that it does
// not matter from where the script was run.
func (v *view) place(at string) string {
	head := strings.LastIndexByte(at, ':')
	head = strings.LastIndexByte(at[:max(head, 0)], ':')
	if head < 0 {
		return at
	}
	rel, err := filepath.Rel(filepath.Dir(v.prog.Files.Files[0].Name), at[:head])
	if err != nil {
		return at
	}
	return filepath.ToSlash(rel) + at[head:]
}

// standing is the status of an instance with its position.
func standing(s engine.Summary) string {
	text := s.Status
	if s.Parked {
		text += " by the engine"
	}
	if s.Ending != "" && !slices.Contains([]string{flow.Completed.String(), flow.Failed.String(), flow.Cancelled.String()}, s.Status) {
		text += ", ending by " + s.Ending
	}
	if s.Workflow == program.MainName || s.Steps == 0 {
		return text
	}
	if s.Step != "" {
		text += " at " + s.Step
	}
	text += fmt.Sprintf(", step_index %d of %d", s.StepIndex, s.Steps)
	if s.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", s.Attempt)
	}
	return text
}

func inStep(step string) string {
	if step == "" || step == program.MainName {
		return ""
	}
	return " in " + step
}
