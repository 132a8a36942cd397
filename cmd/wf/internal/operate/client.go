package operate

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"
)

// remote hands requests to the process that drives the store.
type remote struct {
	dir   string
	first *contact // made when the way was found; used by the first request
	hello hello
}

// A contact is a connection on which hello has been said.
type contact struct {
	net.Conn
	in    *bufio.Reader
	hello hello
}

// silence is how long the other side may say nothing, not even that it is still
// at work.
const silence = 10 * time.Second

// errSilent says that the other side is there and says nothing.
var errSilent = errors.New("it does not answer")

func newRemote(ctx context.Context, dir string, deadline time.Time) (way, error) {
	c, err := dial(ctx, dir, deadline)
	if err != nil {
		return nil, err
	}
	return &remote{dir: dir, first: c, hello: c.hello}, nil
}

// dial connects to the socket of a store and hears hello. Whatever goes wrong,
// nothing was asked.
func dial(ctx context.Context, dir string, deadline time.Time) (*contact, error) {
	name, release, err := address(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	d := net.Dialer{Deadline: deadline}
	conn, err := d.DialContext(ctx, "unix", filepath.Join(name, socketName))
	if err != nil {
		return nil, err
	}
	c := &contact{Conn: conn, in: bufio.NewReader(conn)}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })
	defer stop()
	if err := c.greet(deadline); err != nil {
		_ = conn.Close() // nothing was asked
		return nil, err
	}
	return c, nil
}

func (c *contact) greet(deadline time.Time) error {
	if err := c.SetReadDeadline(deadline); err != nil {
		return err
	}
	line, err := readLine(c.in, maxReply)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(line, &c.hello); err != nil {
		return fmt.Errorf("hear hello: %w", err)
	}
	switch {
	case c.hello.Version != protocol:
		return &VersionError{PID: c.hello.PID}
	case c.hello.Busy:
		return errors.New("it is busy")
	}
	return nil
}

func (r *remote) now() int64 { return r.hello.Now }
func (r *remote) pid() int   { return r.hello.PID }

func (r *remote) close() error {
	if r.first == nil {
		return nil
	}
	c := r.first
	r.first = nil
	return c.Close()
}

// take gives a connection: the one that is there, or a new one.
func (r *remote) take(ctx context.Context) (*contact, error) {
	if c := r.first; c != nil {
		r.first = nil
		return c, nil
	}
	c, err := dial(ctx, r.dir, time.Now().Add(patience))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotTaken, err)
	}
	r.hello = c.hello
	return c, nil
}

func (r *remote) do(ctx context.Context, q *Request, yield func(Item) bool) error {
	line, err := json.Marshal(asked{Version: protocol, Request: *q})
	if err != nil {
		return fmt.Errorf("send the request: %w", err)
	}
	if len(line) > maxRequest {
		return fmt.Errorf("the request is %d bytes; process %d, which drives the store, takes %d", len(line), r.pid(), maxRequest)
	}
	c, err := r.take(ctx)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Now()) })
	defer func() {
		stop()
		_ = c.Close() // everything was read or given up
	}()
	if err := c.SetWriteDeadline(time.Now().Add(silence)); err != nil {
		return err
	}
	if n, err := c.Write(append(line, '\n')); err != nil {
		if n <= len(line) { // without its end it is not taken
			return fmt.Errorf("%w: %w", errNotTaken, err)
		}
		return r.lost(ctx, q, err)
	}
	return r.hear(ctx, c, q, yield)
}

// hear reads the answer.
func (r *remote) hear(ctx context.Context, c *contact, q *Request, yield func(Item) bool) error {
	for {
		if err := c.SetReadDeadline(time.Now().Add(silence)); err != nil {
			return r.lost(ctx, q, err)
		}
		if ctx.Err() != nil { // the deadline that this sets may have been taken back
			return r.lost(ctx, q, context.Cause(ctx))
		}
		line, err := readLine(c.in, maxReply)
		if err != nil {
			return r.lost(ctx, q, err)
		}
		if len(line) == 0 {
			continue
		}
		var s said
		if err := json.Unmarshal(line, &s); err != nil {
			return r.lost(ctx, q, fmt.Errorf("hear the answer: %w", err))
		}
		if s.End {
			if s.Error != nil {
				return s.Error.err()
			}
			return nil
		}
		it, err := s.item()
		if err != nil {
			return r.lost(ctx, q, fmt.Errorf("hear the answer: %w", err))
		}
		if !yield(it) {
			return nil
		}
	}
}

// lost is the error of a request whose answer does not come.
func (r *remote) lost(ctx context.Context, q *Request, err error) error {
	switch {
	case ctx.Err() != nil && !q.acts():
		return context.Cause(ctx)
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = errSilent
	}
	return &LostError{PID: r.pid(), Acted: q.acts(), Err: err}
}
