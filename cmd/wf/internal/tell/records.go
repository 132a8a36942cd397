package tell

import (
	"fmt"
	"strings"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
)

// This file says in words what a journal record tells.

// ShortValue is how many characters of a value are shown in a line.
const ShortValue = 120

// KindName is the kind of a record in --json.
func KindName(k engine.RecordKind) string {
	switch k {
	case engine.RecSpawned:
		return "spawned"
	case engine.RecAnswer:
		return "answer"
	case engine.RecWaiting:
		return "waiting"
	case engine.RecCompleted:
		return "completed"
	case engine.RecFailed:
		return "failed"
	case engine.RecSignal:
		return "signal"
	case engine.RecEnded:
		return "ended"
	case engine.RecResumed:
		return "resumed"
	case engine.RecCancelled:
		return "cancelled"
	case engine.RecParked:
		return "parked"
	case engine.RecDropped:
		return "dropped"
	case engine.RecCommand:
		return "command"
	case engine.RecTimeout:
		return "timeout"
	case engine.RecTerminate:
		return "terminated"
	case engine.RecRetried:
		return "retried"
	case engine.RecStarted:
		return "started"
	}
	return fmt.Sprintf("kind_%d", k)
}

// Undoing reports whether a record belongs to a compensation.
func Undoing(r *engine.Record) bool { return strings.HasPrefix(r.Path, "~") }

// RecordWords is a record in words, in one or more lines. events finds the
// words of an event by its number.
func RecordWords(r *engine.Record, events func(uint64) string) []string {
	switch r.Kind {
	case engine.RecSpawned:
		return spawnedWords(r, events)
	case engine.RecAnswer:
		return []string{where(r) + answerWords(r) + costWords(r.Usage)}
	case engine.RecDropped:
		if r.Failure != nil && r.Failure.Code == "cancelled" {
			return []string{where(r) + strings.TrimPrefix(r.What, "perform ") + " is cut" + costWords(r.Usage)}
		}
		return []string{where(r) + answerWords(r) + ": too late, dropped" + costWords(r.Usage)}
	case engine.RecWaiting:
		return []string{where(r) + "waits for " + ui.Line(WaitWords(engine.Waiting{For: r.What, Until: r.Until}))}
	case engine.RecCompleted:
		return completedWords(r, events)
	case engine.RecFailed:
		return []string{where(r) + failedAttempt(r)}
	case engine.RecSignal:
		return []string{"signal " + r.Name + payload(r.Value) + " arrives"}
	case engine.RecEnded:
		return endedWords(r)
	case engine.RecResumed:
		return []string{"is resumed"}
	case engine.RecCancelled:
		return []string{"somebody cancels it"}
	case engine.RecCommand:
		return commandWords(r, events)
	case engine.RecTimeout:
		return []string{"the time of the workflow has passed"}
	case engine.RecTerminate:
		return []string{"somebody stops it at once"}
	case engine.RecRetried:
		return []string{"somebody has it tried again"}
	case engine.RecStarted:
		return []string{where(r) + strings.TrimPrefix(r.What, "perform ") + " is about to be made, once"}
	case engine.RecParked:
		return []string{"is set aside by the engine: " + ui.Line(r.What)}
	}
	return []string{"a record of a kind that this version of wf does not know"}
}

// where names the place of an attempt: "charge: ", "undoing charge, attempt 2: ",
// "fetch[3]: " of the step in the branch of the fourth element.
func where(r *engine.Record) string {
	s := r.Step
	if Undoing(r) {
		s = "undoing " + s
	} else {
		for _, n := range flow.Branches(r.Path) {
			s += fmt.Sprintf("[%d]", n)
		}
	}
	if r.Visit > 1 {
		s += fmt.Sprintf(", visit %d", r.Visit)
	}
	if r.Attempt > 1 {
		s += fmt.Sprintf(", attempt %d", r.Attempt)
	}
	return s + ": "
}

func spawnedWords(r *engine.Record, events func(uint64) string) []string {
	s := "is spawned"
	if r.Parent != "" {
		s += " by " + r.Parent
	}
	if rec, ok := r.Value.AsRecord(); ok && rec.Len() > 0 {
		s += " with " + r.Value.Short(ShortValue)
	}
	return append([]string{s, "runs program " + r.Program}, changeWords(r, events)...)
}

func answerWords(r *engine.Record) string {
	what := strings.TrimPrefix(r.What, "perform ")
	switch {
	case r.Failure != nil:
		return what + " fails: " + FailureWords(r.Failure) + keyWords(r)
	case r.Print:
		if level, text, isLog := r.Logged(); isLog {
			return "logs " + level + " " + value.String(text).Short(ShortValue)
		}
		return "prints " + r.Value.Short(ShortValue)
	case r.Value.IsUnit():
		return what + " is done"
	}
	return what + " gives " + answered(what, r.Value).Short(ShortValue)
}

// answered is what a wait has given: that of a select comes with its arm.
func answered(what string, v value.Value) value.Value {
	if parts, ok := v.AsTuple(); ok && len(parts) == 2 && strings.HasPrefix(what, "select") {
		return parts[1]
	}
	return v
}

// keyWords says of a failed call that carries an idempotency key that its error
// has used the key up.
func keyWords(r *engine.Record) string {
	what := strings.TrimPrefix(r.What, "perform ")
	switch module, op, _ := strings.Cut(what, "."); {
	case module == "Http" && op != "get", module == "Exec", module == "LLM":
		if engine.Settles(r.What, r.Failure.Code) {
			return "; asked again it is a new request, with a new key"
		}
	}
	return ""
}

// costWords is what a call has cost: "; 812 tokens, 2.1 s".
func costWords(u engine.Usage) string {
	if u.Tokens == 0 {
		return ""
	}
	return fmt.Sprintf("; %d tokens, %.1f s", u.Tokens, u.Took.Seconds())
}

func completedWords(r *engine.Record, events func(uint64) string) []string {
	return append([]string{where(r) + ending(r)}, changeWords(r, events)...)
}

func commandWords(r *engine.Record, events func(uint64) string) []string {
	var args []string
	if list, ok := r.Value.AsList(); ok {
		for _, v := range list {
			args = append(args, v.Short(ShortValue))
		}
	}
	s := "command " + r.Name + "(" + strings.Join(args, ", ") + ")"
	switch r.What {
	case "goto":
		s += ", goes to " + r.Next
	case "pause":
		s += ", pauses" + why(r.Next)
	case "end":
		s += ", ends the workflow"
	case "fail":
		s += ", fails the workflow: " + FailureWords(r.Failure)
	}
	if !r.Reply.IsNil() && !r.Reply.IsUnit() {
		s += ", replies " + r.Reply.Short(ShortValue)
	}
	return append([]string{s}, changeWords(r, events)...)
}

// changeWords are the fields that a body changed and the events that it emitted.
func changeWords(r *engine.Record, events func(uint64) string) []string {
	var lines []string
	for _, f := range r.Fields {
		lines = append(lines, f.Name+" = "+f.Value.Short(ShortValue))
	}
	for _, n := range r.Events {
		lines = append(lines, "event "+events(n))
	}
	return lines
}

// ending is how a step completed, in the words of the language's table.
func ending(r *engine.Record) string {
	s := "completes"
	switch r.What {
	case "goto":
		s += ", goes to " + r.Name
	case "pause":
		s += " and pauses" + why(r.Name)
	case "end":
		s += " and ends the workflow"
	case "fail":
		return "fails the workflow: " + FailureWords(r.Failure)
	}
	if !r.Value.IsNil() && !r.Value.IsUnit() {
		s += " with " + r.Value.Short(ShortValue)
	}
	return s
}

// why is the reason of a pause behind its word.
func why(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + ui.Line(reason) + ")"
}

func failedAttempt(r *engine.Record) string {
	s := "fails: " + FailureWords(r.Failure)
	switch {
	case r.Again && r.Until != 0:
		s += "; tries again at " + LocalTime(r.Until)
	case r.Again:
		s += "; tries again"
	}
	return s
}

func endedWords(r *engine.Record) []string {
	line := "is " + r.What
	switch {
	case r.Failure != nil:
		line += ": " + FailureWords(r.Failure)
	case !r.Value.IsNil() && !r.Value.IsUnit():
		line += " with " + r.Value.Short(ShortValue)
	}
	switch {
	case r.N == 1:
		return []string{line, "1 signal is left over, unused"}
	case r.N > 1:
		return []string{line, ui.Are(r.N, "signal") + " left over, unused"}
	}
	return []string{line}
}

func payload(v value.Value) string {
	if v.IsNil() {
		return ""
	}
	return " " + v.Short(ShortValue)
}
