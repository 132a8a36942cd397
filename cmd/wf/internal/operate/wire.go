package operate

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// The protocol of the socket: JSON, one document a line. The server says hello,
// the client sends one request, the server gives items and then the end. Empty
// lines mean that it is still at work. What comes from the engine travels in
// the engine's own exact encoding, base64 in the line.

// protocol is the version of what follows. Others are refused: two versions of
// wf on one store are told apart, never half understood.
const protocol = 2

// Limits of a line in bytes, without its end.
const (
	maxRequest = 16 << 20
	maxReply   = 64 << 20
)

// hello is the first line of the server.
type hello struct {
	Version int   `json:"wf"`
	PID     int   `json:"pid"`
	Now     int64 `json:"now"`            // the engine's time
	Busy    bool  `json:"busy,omitempty"` // too many at once: nothing was taken
}

// asked is the line of the client.
type asked struct {
	Version int     `json:"wf"`
	Request Request `json:"request"`
}

// said is a line of the server: an item or the end.
type said struct {
	End      bool     `json:"end,omitempty"`
	Error    *trouble `json:"error,omitempty"` // of the end, or why an instance cannot be read
	Instance *[]byte  `json:"instance,omitempty"`
	Record   *[]byte  `json:"record,omitempty"`
	Event    *[]byte  `json:"event,omitempty"`
	Value    *[]byte  `json:"value,omitempty"`
	Info     *Info    `json:"info,omitempty"`
	Problem  *Problem `json:"problem,omitempty"`
}

// values travel in their binary encoding.
type values []value.Value

// MarshalJSON writes them as one text.
func (vs values) MarshalJSON() ([]byte, error) {
	b, err := value.Append(nil, value.List(vs...))
	if err != nil {
		return nil, err
	}
	return json.Marshal(b)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (vs *values) UnmarshalJSON(text []byte) error {
	var b []byte
	if err := json.Unmarshal(text, &b); err != nil {
		return err
	}
	v, rest, err := value.Decode(b)
	if err != nil {
		return err
	}
	list, ok := v.AsList()
	if !ok || len(rest) > 0 {
		return errors.New("this is no list of values")
	}
	*vs = list
	return nil
}

// pack makes a line of an item.
func pack(it Item) (said, error) {
	var out said
	var err error
	keep := func(b []byte, e error) *[]byte {
		err = errors.Join(err, e)
		return &b
	}
	switch {
	case it.Instance != nil:
		out.Instance = keep(it.Instance.MarshalBinary())
		if it.Bad != nil {
			out.Error = troubleOf(it.Bad)
		}
	case it.Record != nil:
		out.Record = keep(it.Record.MarshalBinary())
	case it.Event != nil:
		out.Event = keep(it.Event.MarshalBinary())
	case it.Info != nil:
		out.Info = it.Info
	case it.Problem != nil:
		out.Problem = it.Problem
	default:
		out.Value = keep(value.Append(nil, it.Value))
	}
	return out, err
}

// item is what a line says.
func (s *said) item() (it Item, err error) {
	switch {
	case s.Instance != nil:
		it.Instance = &engine.Summary{}
		err = it.Instance.UnmarshalBinary(*s.Instance)
		if s.Error != nil {
			it.Bad = s.Error.err()
		}
	case s.Record != nil:
		it.Record = &engine.Record{}
		err = it.Record.UnmarshalBinary(*s.Record)
	case s.Event != nil:
		it.Event = &engine.EventRecord{}
		err = it.Event.UnmarshalBinary(*s.Event)
	case s.Info != nil:
		it.Info = s.Info
	case s.Problem != nil:
		it.Problem = s.Problem
	case s.Value != nil:
		var rest []byte
		if it.Value, rest, err = value.Decode(*s.Value); err == nil && len(rest) > 0 {
			err = errors.New("something follows the value")
		}
	default:
		err = errors.New("a line says nothing")
	}
	return it, err
}

// A trouble is an error on its way: what it is, so that the other side does the
// same about it, and its words.
type trouble struct {
	Kind string `json:"kind"`
	Code string `json:"code,omitempty"` // of a refusal or fault
	Text string `json:"text"`
}

const (
	kindRefused = "refused"
	kindFault   = "fault"
	kindVersion = "version"
)

// sentinels are the errors that callers branch on, by their names on the wire;
// the first that an error is counts.
func sentinels() []sentinel {
	return []sentinel{
		{"unknown", engine.ErrUnknown}, {"stopped", engine.ErrStopped}, {"closed", persist.ErrClosed}, {"full", persist.ErrFull},
		{"damaged", persist.ErrDamaged}, {"format", persist.ErrFormat}, {"too_large", persist.ErrTooLarge},
	}
}

type sentinel struct {
	name string
	err  error
}

func troubleOf(err error) *trouble {
	var refused *engine.RefusedError
	var fault *interp.Fault
	var version *VersionError
	switch {
	case errors.As(err, &version):
		return &trouble{Kind: kindVersion, Text: err.Error()}
	case errors.As(err, &refused):
		return &trouble{Kind: kindRefused, Code: refused.Code, Text: refused.Message}
	case errors.As(err, &fault):
		return &trouble{Kind: kindFault, Code: fault.Code, Text: fault.Message}
	}
	for _, s := range sentinels() {
		if errors.Is(err, s.err) {
			return &trouble{Kind: s.name, Text: err.Error()}
		}
	}
	return &trouble{Text: err.Error()}
}

// err is the error of the other side.
func (t *trouble) err() error {
	switch t.Kind {
	case kindVersion:
		return &VersionError{}
	case kindRefused:
		return &engine.RefusedError{Code: t.Code, Message: t.Text}
	case kindFault:
		return &interp.Fault{Code: t.Code, Message: t.Text, Index: -1}
	}
	for _, s := range sentinels() {
		if t.Kind == s.name {
			return &toldError{t.Text, s.err}
		}
	}
	return errors.New(t.Text)
}

// A toldError is an error of the other side with its words.
type toldError struct {
	text string
	is   error
}

func (e *toldError) Error() string { return e.text }
func (e *toldError) Unwrap() error { return e.is }

// A VersionError says that the process which drives the store is another
// version of wf, with which this one cannot talk.
type VersionError struct{ PID int }

func (e *VersionError) Error() string {
	if e.PID == 0 {
		return "another version of wf drives the store"
	}
	return fmt.Sprintf("process %d drives the store with another version of wf", e.PID)
}

// A LostError says that the process which drives the store was lost in the
// middle of a request. It is an engine.ErrUnknown if the request acts.
type LostError struct {
	PID   int
	Acted bool
	Err   error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("process %d, which drives the store, has gone before it answered: %v", e.PID, e.Err)
}

// Unwrap gives the cause and what the loss means.
func (e *LostError) Unwrap() []error {
	if e.Acted {
		return []error{e.Err, engine.ErrUnknown}
	}
	return []error{e.Err}
}

// errNotTaken says that the other side cannot have taken the request.
var errNotTaken = errors.New("the request was not taken")

// mayRepeat reports whether a request that ended so can be made again: it was
// surely not taken, or it only looked.
func mayRepeat(err error) bool {
	var lost *LostError
	if errors.As(err, &lost) && !lost.Acted && !errors.Is(err, errSilent) {
		return true
	}
	var told *toldError
	return errors.Is(err, errNotTaken) || errors.As(err, &told) && (errors.Is(err, engine.ErrStopped) || errors.Is(err, persist.ErrClosed))
}
