package repl

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

const maxInstant = math.MaxInt64

// durationOf reads a Duration as the language writes it.
func durationOf(text string) (time.Duration, bool) {
	v, err := value.ToDuration(value.String(text))
	if err != nil {
		return 0, false
	}
	return v.AsDuration()
}

// state shows the state of an instance: as it is, or as it was behind a record of
// its history.
func (s *Session) state(ctx context.Context, args string) Outcome {
	id, n, ok := stateArgs(args)
	if !ok {
		s.problem(":state needs an ID, or an ID at N: the number of a record in :history")
		return Failed
	}
	sum, err := s.opts.Machine.engine.Show(ctx, id)
	if err != nil {
		return s.trouble(ctx, err)
	}
	p := &past{}
	if n > 0 {
		if p, err = s.past(ctx, id, n); err != nil {
			return s.trouble(ctx, err)
		}
		if n > p.last {
			s.problem("the history of %s has %d records; :history %s shows them", id, p.last, id)
			return Failed
		}
	}
	if len(sum.Fields) == 0 {
		s.remark("%s has no state", id)
	}
	for _, f := range sum.Fields {
		v, known := p.value(f)
		text := notation(v, s.opts.Terminal)
		if !known {
			text = s.opts.Terminal.Faint("as it began; the history does not tell how")
		}
		fmt.Fprintf(s.opts.Out, "%s = %s\n", f.Name, text)
	}
	return Done
}

// stateArgs reads "ID" or "ID at N"; n is 0 in the first case.
func stateArgs(args string) (id string, n uint64, ok bool) {
	words := strings.Fields(args)
	switch {
	case len(words) == 1:
		return words[0], 0, true
	case len(words) == 3 && words[1] == "at":
		n, err := strconv.ParseUint(words[2], 10, 63)
		return words[0], n, err == nil && n > 0
	}
	return "", 0, false
}

// past is what the history of an instance tells of its state behind a record.
// The journal holds what was given at the spawn and every change, but not the
// initial values of other fields: of one that changed only later it is known that
// it was as it began, not how that was.
type past struct {
	last    uint64
	then    map[string]value.Value
	changed map[string]bool // at any time
}

func (s *Session) past(ctx context.Context, id string, n uint64) (*past, error) {
	p := &past{then: map[string]value.Value{}, changed: map[string]bool{}}
	err := s.opts.Machine.engine.History(ctx, id, func(r *engine.Record) bool {
		p.last = r.Seq
		if given, ok := r.Value.AsRecord(); ok && r.Kind == engine.RecSpawned {
			for i := range given.Len() {
				name, v := given.At(i)
				p.note(name, v, r.Seq <= n)
			}
		}
		for _, f := range r.Fields {
			p.note(f.Name, f.Value, r.Seq <= n)
		}
		return true
	})
	return p, err
}

func (p *past) note(name string, v value.Value, then bool) {
	p.changed[name] = true
	if then {
		p.then[name] = v
	}
}

// value is what a field held then, if that is known; now is what it holds now.
func (p *past) value(now engine.NamedValue) (v value.Value, known bool) {
	if v, ok := p.then[now.Name]; ok {
		return v, true
	}
	return now.Value, !p.changed[now.Name]
}
