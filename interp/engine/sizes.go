package engine

import (
	"fmt"
	"strings"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// Limits of what one transition may carry, in bytes.
const (
	maxState   = 1 << 20  // of all fields of an instance
	maxPayload = 4 << 20  // of one value that is journaled or sent
	maxMessage = 64 << 10 // of the text of a failure; a longer one is cut
)

// tooLarge refuses an outcome of the attempt that is over the limits.
func (a *attempt) tooLarge() *interp.Fault {
	return tooLarge(a.in.state.Fields, &a.outcome, a.body.Span)
}

// tooLarge refuses an outcome over the limits; fields are those that it changes.
func tooLarge(before []value.Value, out *interp.Outcome, at source.Span) *interp.Fault {
	limit := func(what string, size, most int) *interp.Fault {
		return &interp.Fault{Code: "limit", Message: fmt.Sprintf("%s is %d bytes; the limit is %d", what, size, most), Span: at, Index: -1, Final: true}
	}
	end := &out.Ending
	for _, p := range []struct {
		what string
		size int
	}{{"the value at the end", value.Size(out.Result)}, {"the input of the next step", value.Size(end.Input)},
		{"the reply", value.Size(end.Reply)}, {"the reason of the pause", len(end.Reason)}} {
		if p.size > maxPayload {
			return limit(p.what, p.size, maxPayload)
		}
	}
	fields := append([]value.Value(nil), before...)
	for _, w := range out.Writes {
		fields[w.Field] = w.Value
	}
	if size := sizeOf(fields); size > maxState {
		return limit("the state", size, maxState)
	}
	for _, ev := range out.Events {
		if size := sizeOf(ev.Args); size > maxPayload {
			return limit("the event "+ev.Name, size, maxPayload)
		}
	}
	return nil
}

// sizeOf is how large values are together.
func sizeOf(vs []value.Value) int {
	size := 0
	for _, v := range vs {
		size += value.Size(v)
	}
	return size
}

// largeRequest refuses a request that hands on more than a payload may be.
func largeRequest(r *interp.Request) *interp.Fault {
	size := sizeOf(r.Args)
	if size <= maxPayload {
		return nil
	}
	return &interp.Fault{Code: "limit", Message: fmt.Sprintf("%s is given %d bytes; the limit is %d", requestWords(r), size, maxPayload), Span: r.Span, Index: -1}
}

// keepable cuts a failure down to what may be kept of it.
func keepable(f *flow.Failure) {
	f.Code, f.Message = firstBytes(f.Code, maxKey), firstBytes(f.Message, maxMessage)
	if value.Size(f.Detail) > maxPayload {
		f.Detail = value.Nil
	}
}

// firstBytes cuts a text after at most n bytes, between two characters.
func firstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
