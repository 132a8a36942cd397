package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/wf-lang/wf/persist"
)

// An output is a text that a script printed. It is recorded in a cell of the
// store together with the answer, shown after that commit, and removed with a
// later write; what is still there when a driver starts was recorded but perhaps
// not shown.
type output struct {
	number uint64
	text   string
}

func outputKey(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

// show writes texts to the output, in order, and notes them as shown.
func (e *Engine) show(outs []output) {
	if len(outs) == 0 {
		return
	}
	var text []byte
	for _, o := range outs {
		text = append(text, o.text...)
		e.shown = append(e.shown, o.number)
	}
	if e.cfg.Output == nil {
		return
	}
	if _, err := e.cfg.Output.Write(text); err != nil && err != io.ErrClosedPipe {
		e.fail(fmt.Errorf("write output: %w", err))
	}
}

// noteShown writes what has been shown, if nothing else is about to be written
// that it could ride with. It reports whether there was anything.
func (e *Engine) noteShown() bool {
	if e.busy > 0 || len(e.shown) == 0 {
		return false
	}
	e.begin().commit()
	return true
}

// shownCells removes the cells of what has been shown.
func (e *Engine) shownCells() []persist.Cell {
	cells := make([]persist.Cell, len(e.shown))
	for i, n := range e.shown {
		cells[i] = persist.Cell{Kind: cellOutput, Key: outputKey(n)}
	}
	e.shown = nil
	return cells
}

// showLeft shows what an earlier driver recorded and perhaps did not show.
func (e *Engine) showLeft(ctx context.Context) error {
	var left []output
	for c, err := range e.store.Cells(ctx, 0, cellOutput, "") {
		if err != nil {
			return err
		}
		d := dec{b: c.Body}
		d.byte()
		o := output{number: binary.BigEndian.Uint64([]byte(c.Key)), text: d.string()}
		if err := d.done(); err != nil {
			return err
		}
		left = append(left, o)
		e.lastOutput = max(e.lastOutput, o.number)
	}
	e.show(left)
	return nil
}
