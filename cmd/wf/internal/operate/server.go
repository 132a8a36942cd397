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
	"sync"
	"time"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist/bolt"
)

// What a client may cost. None of it can hold up the engine: lines are read and
// written by goroutines of their own, while nothing is held.
const (
	maxClients = 32               // connections at once; more are told to come again
	readTime   = 10 * time.Second // for the request
	writeTime  = 10 * time.Second // for a line: who does not read is dropped
	beat       = time.Second      // between two signs of life
	lastWords  = time.Second      // for what is still to be said when the server ends
)

// A Server lets other processes look at a store and act on it while this one
// drives it.
type Server struct {
	host     host
	dir      string
	listener net.Listener
	ctx      context.Context // of what has no end of its own
	cancel   context.CancelCauseFunc
	wg       sync.WaitGroup

	mu      sync.Mutex
	clients map[net.Conn]struct{} // guarded by mu
	ending  bool                  // guarded by mu
}

// Serve begins to serve the store in the folder dir, which this process drives,
// on the socket in that folder. news is told when an event is in the log.
//
// To end: Shut, which takes no more requests, then the Close of the engine,
// which answers those under way, then Wait.
func Serve(dir string, e *engine.Engine, store *bolt.Store, news *News) (*Server, error) {
	l, err := listen(dir)
	if err != nil {
		return nil, fmt.Errorf("serve store %s: %w", dir, err)
	}
	s := &Server{host: host{engine: e, store: store, dir: dir, news: news}, dir: dir, listener: l, clients: map[net.Conn]struct{}{}}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.wg.Go(s.accept)
	return s, nil
}

// listen makes the socket. It gets its name when it has its mode, and takes the
// place of one that a dead process left behind.
func listen(dir string) (net.Listener, error) {
	name, release, err := address(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	temp := filepath.Join(name, socketName+".new")
	if err := os.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: temp, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // its name changes
	err = os.Chmod(temp, 0o600)
	if err == nil {
		err = os.Rename(temp, filepath.Join(name, socketName))
	}
	if err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(temp))
	}
	return l, nil
}

// Shut takes no more requests. Those under way that would not end by themselves
// are ended.
func (s *Server) Shut() error {
	s.mu.Lock()
	s.ending = true
	s.mu.Unlock()
	err := os.Remove(filepath.Join(s.dir, socketName))
	if errors.Is(err, os.ErrNotExist) {
		err = nil // somebody tidied up
	}
	s.cancel(engine.ErrStopped)
	if err := errors.Join(err, s.listener.Close()); err != nil {
		return fmt.Errorf("close socket: %w", err)
	}
	return nil
}

// Wait returns when every client has been answered or dropped.
func (s *Server) Wait() {
	s.mu.Lock()
	for c := range s.clients {
		_ = c.SetDeadline(time.Now().Add(lastWords)) // it may be closed
	}
	s.mu.Unlock()
	s.wg.Wait()
}

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			if s.ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			time.Sleep(again) // no file handles, for example
			continue
		}
		full, ending := s.admit(c)
		if full || ending {
			// A few bytes to somebody who has got none do not block.
			_ = send(c, s.hello(true), again)
			_ = c.Close()
			continue
		}
		s.wg.Go(func() { s.serve(c) })
	}
}

// admit counts a client, if there is room.
func (s *Server) admit(c net.Conn) (full, ending bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if full = len(s.clients) >= maxClients; !full && !s.ending {
		s.clients[c] = struct{}{}
	}
	return full, s.ending
}

func (s *Server) hello(busy bool) hello {
	return hello{Version: protocol, PID: os.Getpid(), Now: s.host.engine.Now(), Busy: busy}
}

// serve answers one client.
func (s *Server) serve(c net.Conn) {
	defer func() {
		_ = c.Close() // everything was written or given up
		s.mu.Lock()
		delete(s.clients, c)
		s.mu.Unlock()
	}()
	if err := send(c, s.hello(false), writeTime); err != nil {
		return
	}
	in := bufio.NewReader(c)
	r, err := receive(c, in)
	if err == nil {
		err = s.answer(c, in, r)
	}
	end := said{End: true}
	if err != nil {
		end.Error = troubleOf(err)
	}
	_ = send(c, end, s.timeLeft()) // whoever has gone is not told
}

// receive reads the request.
func receive(c net.Conn, in *bufio.Reader) (*Request, error) {
	if err := c.SetReadDeadline(time.Now().Add(readTime)); err != nil {
		return nil, err
	}
	line, err := readLine(in, maxRequest)
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	var head struct {
		Version int `json:"wf"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	if head.Version != protocol {
		return nil, &VersionError{PID: os.Getpid()}
	}
	var q asked
	if err := json.Unmarshal(line, &q); err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	return &q.Request, c.SetReadDeadline(time.Time{})
}

// answer carries the request out and sends its items. Beside that it gives signs
// of life, and notices when the client goes.
func (s *Server) answer(c net.Conn, in *bufio.Reader, r *Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v", p) // a bug of ours takes down one request, not the engine
		}
	}()
	ctx, cancel := context.WithCancelCause(s.ctx)
	var beside sync.WaitGroup
	var writing sync.Mutex // one line at a time
	beside.Go(func() {
		_, _ = in.ReadByte() // it has nothing more to say: this ends when it goes, or we do
		cancel(errGone)
	})
	beside.Go(func() {
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				writing.Lock()
				err := sendBytes(c, []byte("\n"), s.timeLeft())
				writing.Unlock()
				if err != nil {
					cancel(errGone)
					return
				}
			case <-ctx.Done():
				return
			}
		}
	})
	defer func() {
		cancel(nil)
		_ = c.SetReadDeadline(time.Now()) // ends the reading beside us
		beside.Wait()
	}()
	asking := ctx
	if r.acts() {
		// Once taken it is answered by the engine alone: neither its client nor the
		// end of the server may make it look undone.
		asking = context.WithoutCancel(ctx)
	}
	var sending error
	err = s.host.do(asking, r, func(it Item) bool {
		line, packing := pack(it)
		if packing != nil {
			sending = packing
			return false
		}
		writing.Lock()
		defer writing.Unlock()
		sending = send(c, line, s.timeLeft())
		return sending == nil && (s.ctx.Err() == nil || r.acts())
	})
	if s.ctx.Err() != nil && sending == nil && !r.acts() && (err == nil || errors.Is(err, context.Canceled)) {
		err = engine.ErrStopped // it may not be complete
	}
	return errors.Join(err, sending)
}

// timeLeft is how long a line may take.
func (s *Server) timeLeft() time.Duration {
	if s.ctx.Err() != nil {
		return lastWords
	}
	return writeTime
}

// errGone says that the client has left.
var errGone = errors.New("the client has gone")
