package cli

import (
	"encoding/json"
	"io"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
)

// The documents of --json. Their field names are stable: fields may be added,
// none is renamed or dropped.

type instanceJSON struct {
	ID           string           `json:"id"`
	Workflow     string           `json:"workflow"`
	Status       string           `json:"status"`
	Ending       *string          `json:"ending"`
	Step         string           `json:"step"`
	StepIndex    int              `json:"step_index"`
	Steps        int              `json:"steps"`
	Attempts     int              `json:"attempts"`
	Waiting      []waitingJSON    `json:"waiting_for"`
	State        fieldsJSON       `json:"state"`
	Result       json.RawMessage  `json:"result"`
	Failure      *failureJSON     `json:"failure"`
	Finally      *failureJSON     `json:"finally"`
	Compensation compensationJSON `json:"compensation"`
	IsTerminal   bool             `json:"is_terminal"`
	Parked       bool             `json:"parked"`
	Signals      int              `json:"signals"`
	Parent       string           `json:"parent"`
	Version      string           `json:"version"`
	StartedAt    string           `json:"started_at"`
	UpdatedAt    string           `json:"updated_at"`
}

type waitingJSON struct {
	Step  string `json:"step"`
	For   string `json:"for"`
	Until string `json:"until,omitempty"`
}

type failureJSON struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Step    string          `json:"step"`
	Index   *int64          `json:"index,omitempty"`
	Place   string          `json:"place"`
	Detail  json.RawMessage `json:"detail"`
}

type compensationJSON struct {
	Status string         `json:"status"`
	Failed []undoFailJSON `json:"failed"`
}

type undoFailJSON struct {
	Step    string `json:"step"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

type eventJSON struct {
	Number   uint64            `json:"number"`
	Instance string            `json:"instance"`
	Workflow string            `json:"workflow"`
	Step     string            `json:"step"`
	Time     string            `json:"time"`
	Name     string            `json:"name"`
	Args     []json.RawMessage `json:"args"`
	Names    []string          `json:"arg_names,omitempty"`
}

type recordJSON struct {
	Seq      uint64          `json:"seq"`
	Time     string          `json:"time"`
	Kind     string          `json:"kind"`
	Step     string          `json:"step,omitempty"`
	Branches []int           `json:"branches,omitempty"` // by number, of elements by index, the outermost first
	Visit    uint32          `json:"visit,omitempty"`
	Attempt  uint32          `json:"attempt,omitempty"`
	Undoing  bool            `json:"undoing,omitempty"`
	What     string          `json:"what,omitempty"`
	Name     string          `json:"name,omitempty"`
	Value    json.RawMessage `json:"value,omitempty"`
	Reply    json.RawMessage `json:"reply,omitempty"`
	Next     string          `json:"next,omitempty"`
	Failure  *failureJSON    `json:"failure,omitempty"`
	Signal   uint64          `json:"signal,omitempty"`
	Version  string          `json:"version,omitempty"`
	Parent   string          `json:"parent,omitempty"`
	Until    string          `json:"until,omitempty"`
	Again    bool            `json:"again,omitempty"`
	Fields   fieldsJSON      `json:"fields,omitempty"`
	Events   []uint64        `json:"events,omitempty"`
	Tokens   uint64          `json:"tokens,omitempty"` // of a language model
	TookMS   int64           `json:"took_ms,omitempty"`
}

// fieldsJSON are state fields, in the order of their declaration.
type fieldsJSON []engine.NamedValue

func (fs fieldsJSON) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, f := range fs {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), valueJSON(f.Value)...)
	}
	return append(b, '}'), nil
}

// valueJSON is a value as JSON; what has no form there (a function) appears in
// the language's notation.
func valueJSON(v value.Value) json.RawMessage {
	b, err := value.ToJSON(v)
	if err == nil {
		return b
	}
	b, err = value.ToJSON(value.String(v.String()))
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}

func timeJSON(nanos int64) string {
	if nanos == 0 {
		return ""
	}
	return time.Unix(0, nanos).UTC().Format(time.RFC3339Nano)
}

func failureOf(f *flow.Failure) *failureJSON {
	if f == nil {
		return nil
	}
	out := &failureJSON{Code: f.Code, Message: f.Message, Step: f.Step, Place: f.Place, Detail: valueJSON(f.Detail)}
	if f.Index >= 0 {
		out.Index = &f.Index
	}
	return out
}

func instanceOf(s engine.Summary) instanceJSON {
	out := instanceJSON{ID: s.ID, Workflow: s.Workflow, Status: s.Status, Step: s.Step, StepIndex: s.StepIndex, Steps: s.Steps,
		Attempts: s.Attempt, Waiting: []waitingJSON{}, State: s.Fields, Result: valueJSON(s.Result), Failure: failureOf(s.Failure), Finally: failureOf(s.Finally),
		Compensation: compensationJSON{s.Undo.Status.String(), []undoFailJSON{}}, IsTerminal: tell.Ended(s), Parked: s.Parked,
		Signals: s.Signals, Parent: s.Parent, Version: s.Program, StartedAt: timeJSON(s.Created), UpdatedAt: timeJSON(s.Updated)}
	if s.Ending != "" {
		out.Ending = &s.Ending
	}
	for _, w := range s.Waiting {
		out.Waiting = append(out.Waiting, waitingJSON{w.Step, w.For, timeJSON(w.Until)})
	}
	for _, f := range s.Undo.Failed {
		out.Compensation.Failed = append(out.Compensation.Failed, undoFailJSON{f.Step, f.Code, f.Message})
	}
	return out
}

func eventOf(e *engine.EventRecord) eventJSON {
	out := eventJSON{Number: e.Number, Instance: e.Instance, Workflow: e.Workflow, Step: e.Step, Time: timeJSON(e.Time), Name: e.Name,
		Args: []json.RawMessage{}, Names: e.Names}
	for _, v := range e.Args {
		out.Args = append(out.Args, valueJSON(v))
	}
	return out
}

func recordOf(r *engine.Record) recordJSON {
	out := recordJSON{Seq: r.Seq, Time: timeJSON(r.Time), Kind: tell.KindName(r.Kind), Step: r.Step, Visit: r.Visit, Attempt: r.Attempt,
		Branches: flow.Branches(r.Path), Undoing: tell.Undoing(r), What: r.What, Name: r.Name, Failure: failureOf(r.Failure), Signal: r.Signal, Version: r.Program, Parent: r.Parent,
		Until: timeJSON(r.Until), Again: r.Again, Fields: r.Fields, Events: r.Events}
	if !r.Value.IsNil() {
		out.Value = valueJSON(r.Value)
	}
	out.Tokens, out.TookMS = r.Usage.Tokens, r.Usage.Took.Milliseconds()
	if r.Kind == engine.RecCommand {
		out.Reply, out.Next = valueJSON(r.Reply), r.Next
	}
	return out
}

// writeJSON writes one document in a line of its own.
func writeJSON(w io.Writer, doc any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(doc)
}

type infoJSON struct {
	Store     string      `json:"store"`
	Created   string      `json:"created"`
	Size      int64       `json:"size"`
	Programs  int         `json:"programs"`
	Events    uint64      `json:"events"`
	Owner     *int        `json:"owner"`
	Instances []countJSON `json:"instances"`
}

type countJSON struct {
	Workflow string `json:"workflow"`
	Status   string `json:"status"`
	Count    int    `json:"count"`
}

func infoOf(i operate.Info) infoJSON {
	out := infoJSON{Store: i.StoreID, Created: i.Created.UTC().Format(time.RFC3339Nano), Size: i.Size, Programs: i.Programs,
		Events: i.LastEvent, Instances: []countJSON{}}
	if i.Owner != 0 {
		out.Owner = &i.Owner
	}
	for _, c := range i.Instances {
		out.Instances = append(out.Instances, countJSON{c.Workflow, c.Status, c.Count})
	}
	return out
}
