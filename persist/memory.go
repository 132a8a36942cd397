package persist

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrCrash is what every call of a store gives after a simulated crash: the
// process that held it is dead. See Disk.Crash and Faulty.
var ErrCrash = errors.New("simulated crash")

// A Disk is what stays of a Memory store when the process that has it open
// ends or crashes. Like a store file it can be open once at a time.
type Disk struct {
	mu   sync.RWMutex // guards all below and every handle's err
	open *Memory
	data contents
}

// NewDisk makes an empty store with a random store id, created now.
func NewDisk() *Disk { return NewDiskAs(rand.Text(), time.Now().UTC()) }

// NewDiskAs makes an empty store with the store id and time of creation given,
// for tests and simulations that have to be repeatable.
func NewDiskAs(storeID string, created time.Time) *Disk {
	return &Disk{data: newContents(storeID, created)}
}

// Open opens the store; a *LockedError if it is open.
func (d *Disk) Open() (*Memory, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open != nil {
		return nil, fmt.Errorf("open: %w", &LockedError{Path: "in memory"})
	}
	d.open = &Memory{disk: d}
	return d.open, nil
}

// Crash ends the handle that is open, if any, as the death of its process
// would: from now on all its methods give ErrCrash, and Open works again. What
// was committed stays.
func (d *Disk) Crash() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open != nil {
		d.open.err = ErrCrash
		d.open = nil
	}
}

// Memory is a Store in memory, for tests, simulations and runs that need not
// outlive the process. It is a handle to a Disk.
type Memory struct {
	disk *Disk
	err  error // why it can no longer be used; guarded by disk.mu
}

var _ Store = (*Memory)(nil)

// NewMemory gives a new empty store, open.
func NewMemory() *Memory {
	d := NewDisk()
	d.open = &Memory{disk: d}
	return d.open
}

// Disk gives what the store is kept on, to open it again after Close.
func (m *Memory) Disk() *Disk { return m.disk }

// Close ends the use of this handle; the contents stay on its Disk.
func (m *Memory) Close() error {
	m.disk.mu.Lock()
	defer m.disk.mu.Unlock()
	if m.err == nil {
		m.err = ErrClosed
		m.disk.open = nil
	}
	if errors.Is(m.err, ErrCrash) {
		return m.err
	}
	return nil
}

// Commit applies the batches in order, all or none. Besides the errors of the
// contract it can only give those of ctx, before anything is applied.
func (m *Memory) Commit(ctx context.Context, batches []Batch) error {
	if err := Validate(batches); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	m.disk.mu.Lock()
	defer m.disk.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	check := newAdmission(&m.disk.data)
	for i := range batches {
		for j := range batches[i].Changes {
			c := &batches[i].Changes[j]
			if err := check.admit(c); err != nil {
				return fmt.Errorf("commit: batch %d, instance %d: %w", i, c.Number, err)
			}
		}
	}
	for i := range batches {
		m.disk.data.apply(&batches[i])
	}
	return nil
}

// usable has to be called with the lock held.
func (m *Memory) usable(ctx context.Context) error {
	if m.err != nil {
		return m.err
	}
	return ctx.Err()
}
