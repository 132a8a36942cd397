package persist

import (
	"fmt"
	"math"
)

// MaxKey is the largest id, cell key, timer key, program hash, workflow name
// or status, in bytes.
const MaxKey = 4096

// Validate checks what can be checked of batches without looking into a store:
// sizes (ErrTooLarge) and that no change contradicts itself (ErrConflict).
// Every Store calls it before anything else in Commit.
func Validate(batches []Batch) error {
	for i := range batches {
		for j := range batches[i].Programs {
			if err := validateProgram(&batches[i].Programs[j]); err != nil {
				return fmt.Errorf("batch %d: %w", i, err)
			}
		}
		for j := range batches[i].Changes {
			c := &batches[i].Changes[j]
			if err := validateChange(c); err != nil {
				return fmt.Errorf("batch %d, instance %d: %w", i, c.Number, err)
			}
		}
	}
	return nil
}

func validateProgram(p *Program) error {
	if p.Hash == "" {
		return fmt.Errorf("program without hash: %w", ErrConflict)
	}
	if err := checkKey("program hash", p.Hash); err != nil {
		return err
	}
	return checkBody("program "+p.Hash, p.Body)
}

func validateChange(c *Change) error {
	if c.Number == 0 && (c.Row != nil || c.Delete || len(c.Journal) > 0) {
		return fmt.Errorf("number 0 is the store's own and has no row and no journal: %w", ErrConflict)
	}
	if c.Delete {
		if c.Row != nil || len(c.Cells)+len(c.Journal)+len(c.Set)+len(c.Clear) > 0 {
			return fmt.Errorf("a deletion can only add events: %w", ErrConflict)
		}
		if c.Expect == 0 {
			return fmt.Errorf("deletion of a row expected not to exist: %w", ErrConflict)
		}
	}
	if c.Row != nil {
		if err := validateRow(c); err != nil {
			return err
		}
	}
	for i := range c.Cells {
		if err := checkKey("cell key", c.Cells[i].Key); err != nil {
			return err
		}
		if len(c.Cells[i].Body) > MaxRecord {
			return checkBody(fmt.Sprintf("cell %d %q", c.Cells[i].Kind, c.Cells[i].Key), c.Cells[i].Body)
		}
	}
	return validateNumbered(c)
}

func validateRow(c *Change) error {
	r := c.Row
	switch {
	case r.Number != c.Number:
		return fmt.Errorf("row has number %d: %w", r.Number, ErrConflict)
	case c.Expect == math.MaxUint64 || r.Version != c.Expect+1:
		return fmt.Errorf("row has version %d after %d: %w", r.Version, c.Expect, ErrConflict)
	case r.ID == "":
		return fmt.Errorf("row without id: %w", ErrConflict)
	}
	for _, s := range [...]string{r.ID, r.Workflow, r.Status, r.Program} {
		if err := checkKey("name in row", s); err != nil {
			return err
		}
	}
	return checkBody("row", r.Body)
}

func validateNumbered(c *Change) error {
	for i := range c.Journal {
		e := &c.Journal[i]
		if e.Seq == 0 || i > 0 && e.Seq != c.Journal[i-1].Seq+1 {
			return fmt.Errorf("journal entry %d out of order: %w", e.Seq, ErrConflict)
		}
		if err := checkBody("journal entry", e.Body); err != nil {
			return err
		}
	}
	for i := range c.Events {
		e := &c.Events[i]
		if e.Number == 0 || i > 0 && e.Number != c.Events[i-1].Number+1 {
			return fmt.Errorf("event %d out of order: %w", e.Number, ErrConflict)
		}
		if e.Instance != c.Number {
			return fmt.Errorf("event %d is of instance %d: %w", e.Number, e.Instance, ErrConflict)
		}
		if err := checkBody("event", e.Body); err != nil {
			return err
		}
	}
	for _, list := range [...][]Timer{c.Clear, c.Set} {
		for i := range list {
			if list[i].Instance != c.Number {
				return fmt.Errorf("timer %q is of instance %d: %w", list[i].Key, list[i].Instance, ErrConflict)
			}
			if err := checkKey("timer key", list[i].Key); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkKey(what, key string) error {
	if len(key) > MaxKey {
		return fmt.Errorf("%s of %d bytes, the limit is %d: %w", what, len(key), MaxKey, ErrTooLarge)
	}
	return nil
}

func checkBody(what string, body []byte) error {
	if len(body) > MaxRecord {
		return fmt.Errorf("%s of %d bytes, the limit is %d: %w", what, len(body), MaxRecord, ErrTooLarge)
	}
	return nil
}
