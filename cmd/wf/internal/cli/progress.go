package cli

import (
	"container/list"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
)

// paintEvery is the shortest time between two pictures.
const paintEvery = 100 * time.Millisecond

// progress shows, at the lower end of a terminal, the instances that are being
// driven: as many as there is room for, those that changed last. The engine only
// tells it what has changed; it looks itself, and only at what it shows.
type progress struct {
	app    *app
	engine *engine.Engine
	cancel context.CancelFunc
	done   sync.WaitGroup
	err    error // of painting, when done

	mu     sync.Mutex
	recent *list.List               // of *shown, the last changed first; guarded by mu, as all below
	byID   map[string]*list.Element // of recent
	ended  int
	failed int
}

// shown is an instance that may be shown.
type shown struct {
	id    string
	stale bool // it has changed since it was looked at
	sum   engine.Summary
}

func newProgress(a *app) *progress {
	return &progress{app: a, recent: list.New(), byID: map[string]*list.Element{}}
}

// traced is told what has changed. It does not look: the engine waits for it.
func (p *progress) traced(t engine.Trace) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case t.Kind == engine.TraceEnded || t.Kind == engine.TraceDeleted:
		if el := p.byID[t.Instance]; el != nil {
			p.recent.Remove(el)
			delete(p.byID, t.Instance)
		}
		if t.Kind == engine.TraceEnded && t.Workflow != program.MainName {
			p.ended++
			if t.Status != flow.Completed {
				p.failed++
			}
		}
	case !t.Status.Terminal():
		p.note(t.Instance)
	}
}

// add begins with an instance that has not changed yet.
func (p *progress) add(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(id)
}

func (p *progress) note(id string) {
	if el := p.byID[id]; el != nil {
		el.Value.(*shown).stale = true
		p.recent.MoveToFront(el)
		return
	}
	p.byID[id] = p.recent.PushFront(&shown{id: id, stale: true})
}

func (p *progress) start(e *engine.Engine) {
	ctx, cancel := context.WithCancel(context.Background())
	p.engine, p.cancel = e, cancel
	p.done.Go(func() { p.err = p.paint(ctx) })
}

// stop removes what is shown.
func (p *progress) stop() error {
	p.cancel()
	p.done.Wait()
	if p.err != nil {
		return fmt.Errorf("show progress: %w", p.err)
	}
	return nil
}

func (p *progress) paint(ctx context.Context) error {
	tick := time.NewTicker(paintEvery)
	defer tick.Stop()
	last := ""
	for {
		select {
		case <-ctx.Done():
			return p.app.live.Clear()
		case <-tick.C:
		}
		width, height := ui.Size(os.Stderr)
		lines := p.lines(ctx, width, height)
		if text := strings.Join(lines, "\n"); text != last || p.app.live.Hidden() {
			last = text
			if err := p.app.live.Paint(lines); err != nil {
				return err
			}
		}
	}
}

// lines is the picture: a tree of instances, then what is not in it.
func (p *progress) lines(ctx context.Context, width, height int) []string {
	room := max(height-2, 1) // the last line of the terminal is the cursor's
	sums, rest := p.look(ctx, room)
	if len(sums) == 0 {
		return nil
	}
	now := p.engine.Now()
	var out []string
	for _, n := range treeOf(sums) {
		text := strings.Repeat("  ", n.depth) + n.sum.ID + "  " + progressWords(n.sum, now)
		text = ui.Cut(text, max(width-3, 1))
		out = append(out, p.mark(n.sum)+" "+text)
	}
	return append(out, p.app.err.Faint(ui.Cut(rest, max(width-1, 1))))
}

// look reads those that are to be shown, and says how many more there are.
func (p *progress) look(ctx context.Context, room int) ([]engine.Summary, string) {
	p.mu.Lock()
	var chosen []shown
	for el := p.recent.Front(); el != nil && len(chosen) < room; el = el.Next() {
		s := el.Value.(*shown)
		chosen = append(chosen, *s)
		s.stale = false
	}
	rest := fmt.Sprintf("%d unfinished, %d ended", p.recent.Len(), p.ended)
	if p.failed > 0 {
		rest += fmt.Sprintf(", %d of them badly", p.failed)
	}
	p.mu.Unlock()
	var sums []engine.Summary
	for _, s := range chosen {
		if s.stale {
			sum, err := p.engine.Show(ctx, s.id)
			if err != nil {
				continue // it is gone, or the engine will say what is wrong
			}
			s.sum = sum
			p.keep(sum)
			if sum.Status == tell.EntityStatus {
				continue
			}
		}
		sums = append(sums, s.sum)
	}
	return sums, rest
}

// keep remembers how an instance looked. An entity is none to wait for: it is
// forgotten.
func (p *progress) keep(s engine.Summary) {
	p.mu.Lock()
	defer p.mu.Unlock()
	el := p.byID[s.ID]
	switch {
	case el == nil:
	case s.Status == tell.EntityStatus:
		p.recent.Remove(el)
		delete(p.byID, s.ID)
	default:
		el.Value.(*shown).sum = s
	}
}

// mark is the sign before an instance.
func (p *progress) mark(s engine.Summary) string {
	switch {
	case s.Parked, s.Status == flow.Paused.String():
		return p.app.err.Yellow("‖")
	case s.Ending != "" && s.Ending != flow.ByEnd.String():
		return p.app.err.Red("↶")
	case len(s.Waiting) > 0:
		return p.app.err.Faint("◦")
	}
	return p.app.err.Green("•")
}

type branch struct {
	sum   engine.Summary
	depth int
}

// treeOf puts instances below those that spawned them, the oldest first.
func treeOf(sums []engine.Summary) []branch {
	slices.SortFunc(sums, func(a, b engine.Summary) int { return int(a.Number) - int(b.Number) })
	known := map[string]bool{}
	children := map[string][]engine.Summary{}
	for _, s := range sums {
		parent := s.Parent
		if !known[parent] {
			parent = ""
		}
		known[s.ID] = true
		children[parent] = append(children[parent], s)
	}
	var out []branch
	var walk func(parent string, depth int)
	walk = func(parent string, depth int) {
		for _, s := range children[parent] {
			out = append(out, branch{s, depth})
			walk(s.ID, depth+1)
		}
	}
	walk("", 0)
	return out
}

// progressWords is what an instance is doing, with the time to what comes next.
func progressWords(s engine.Summary, now int64) string {
	text := ""
	if s.Workflow != program.MainName && !s.Parked {
		text = tell.Position(s)
	}
	for _, w := range s.Waiting {
		part := ui.Line(w.For)
		if w.Kind != engine.WaitsForRetry {
			part = "waits for " + part
		}
		if w.Until != 0 {
			left := time.Duration(max(w.Until-now, 1))
			part += " in " + tell.Age((left + time.Second - 1).Truncate(time.Second)) // never "in now"
		}
		text += "; " + part
	}
	return strings.TrimPrefix(text, "; ")
}
