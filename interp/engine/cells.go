package engine

import (
	"github.com/wf-lang/wf/persist"
)

// lastWrite notes what a closing engine would leave open: shown output, the time,
// and that the process has not died, whatever it has come to.
func (e *Engine) lastWrite() error {
	if e.fatal != nil || len(e.shown) == 0 && !e.careful.noted {
		return nil
	}
	cells := append(e.shownCells(), e.clockCell(e.Now()))
	if e.careful.noted {
		cells = append(cells, persist.Cell{Kind: cellStart})
	}
	return e.writeCells(cells)
}

// writeCells writes cells of the store itself, at once. Nothing else may be on
// its way to the store.
func (e *Engine) writeCells(cells []persist.Cell) error {
	if err := e.putCells(cells); err != nil {
		e.storeFailed(nil, err)
		return e.fatal
	}
	return nil
}

func (e *Engine) putCells(cells []persist.Cell) error {
	return e.committer.commit([]*batch{{data: persist.Batch{Changes: []persist.Change{{Number: 0, Cells: cells}}}}})
}
