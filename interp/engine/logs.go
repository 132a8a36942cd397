package engine

import (
	"encoding/binary"
	"strings"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// Logged is one line that a script has logged.
type Logged struct {
	Time     int64 // Unix nanoseconds
	Level    string
	Instance string
	Step     string
	Text     string // the message, and the fields as key=value
}

// shownOf is what the journal keeps of a request to show something: the text
// that is printed, or the level and text of what is logged.
func shownOf(r *interp.Request) (value.Value, error) {
	for _, v := range r.Args {
		if err := value.NoText(v); err != nil {
			return value.Nil, &interp.Fault{Code: value.CodeSecret, Message: err.Error(), Span: r.Span, Index: -1}
		}
	}
	if isLog(r) {
		return value.NewRecord([]string{"level", "text"}, []value.Value{value.String(r.Op.Name), value.String(logText(r.Args))}), nil
	}
	return value.String(printedText(r.Args)), nil
}

// Logged gives the level and text of a record that tells of a line that was
// logged; isLog is false for every other one, prints among them.
func (r *Record) Logged() (level, text string, isLog bool) {
	rec, ok := r.Value.AsRecord()
	if !ok || !r.Print {
		return "", "", false
	}
	l, _ := rec.Get("level")
	t, _ := rec.Get("text")
	return l.Text(), t.Text(), true
}

// logText is a message with the fields of the records that follow it; other
// values stand by themselves. It is one line.
func logText(args []value.Value) string {
	var words []string
	for i, v := range args {
		r, isRecord := v.AsRecord()
		if i == 0 || !isRecord {
			if i == 0 || !v.IsNil() {
				words = append(words, v.Text())
			}
			continue
		}
		for k := range r.Len() {
			key, x := r.At(k)
			words = append(words, key+"="+fieldText(x))
		}
	}
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(strings.Join(words, " "))
}

// fieldText is a text that ends where it seems to: one with blanks is quoted.
func fieldText(v value.Value) string {
	if s, ok := v.AsString(); ok && (s == "" || strings.ContainsAny(s, " \t\r\n=\"")) {
		return v.String()
	}
	return v.Text()
}

// shows records what has to be shown after the commit.
func (x *tx) shows(in *instance, r *Record) {
	x.e.lastOutput++
	out := output{number: x.e.lastOutput, text: r.Value.Text()}
	body := enc{b: []byte{rowVersion}}
	if level, text, isLog := r.Logged(); isLog {
		out.text = text
		out.log = &Logged{Time: r.Time, Level: level, Instance: in.id, Step: r.Step, Text: text}
	}
	body.string(out.text)
	if l := out.log; l != nil {
		body.int(l.Time)
		body.string(l.Level)
		body.string(l.Instance)
		body.string(l.Step)
	}
	x.store = append(x.store, persist.Cell{Kind: cellOutput, Key: outputKey(out.number), Body: body.b})
	x.batch.print = append(x.batch.print, out)
}

// decodeOutput reads a cell that shows has written.
func decodeOutput(c persist.Cell) (output, error) {
	d := dec{b: c.Body}
	d.byte()
	o := output{number: binary.BigEndian.Uint64([]byte(c.Key)), text: d.string()}
	if len(d.b) > 0 {
		o.log = &Logged{Text: o.text, Time: d.int(), Level: d.string(), Instance: d.string(), Step: d.string()}
	}
	return o, d.done()
}
