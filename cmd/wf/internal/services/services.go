// Package services has servers on loopback that stand in for the world outside
// when the effects of scripts are tried out. A server writes down what it was
// asked, does what one key asks for once, misbehaves as it is told, and stops
// where a test wants to kill whoever has asked.
package services

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
)

// A Request is one that has come.
type Request struct {
	N      int    // counts from 1
	Method string // "RUN" for a program that a script runs, see Tool
	Path   string
	Query  string
	Key    string // of idempotency, "" if it has none
	Body   string
	Header http.Header
}

// Line is the request without what may differ from run to run.
func (r *Request) Line() string {
	line := r.Method + " " + r.Path
	if r.Query != "" {
		line += "?" + r.Query
	}
	if r.Body != "" {
		line += " " + r.Body
	}
	return line
}

// An Answer is what a server says. A status of 0 is 200.
type Answer struct {
	Status int
	Header map[string]string
	Body   string
	Lost   bool // what was asked is done, but the first to ask for it gets no answer
}

// A Handler does what a request asks for. It is called for one request after the
// other, and once for each key.
type Handler func(*Request) Answer

// A Moment is one in the life of a request.
type Moment int

// The moments. That an answer is not only sent but has been taken note of is
// certain when a next request has arrived.
const (
	Arrived  Moment = iota // nothing is done yet
	Done                   // it is done and not answered
	Answered               // the answer is sent, or lost
)

// String names the moment.
func (m Moment) String() string { return [...]string{"arrived", "done", "answered"}[m] }

// A Point is a moment of the N-th request; of no request if N is 0.
type Point struct {
	N    int
	When Moment
}

// A Server is one stand-in.
type Server struct {
	handler Handler
	http    *httptest.Server
	point   Point
	reached chan struct{} // closed at the point
	release chan struct{} // closed when whoever waits at the point may go

	mu       sync.Mutex
	requests []*Request
	results  map[string]*Answer // by key
	notify   chan struct{}      // closed and replaced when a request is done
}

// Start starts a server that stops at a point.
func Start(h Handler, at Point) *Server {
	s := &Server{handler: h, point: at, reached: make(chan struct{}), release: make(chan struct{}),
		results: map[string]*Answer{}, notify: make(chan struct{})}
	s.http = httptest.NewServer(s)
	return s
}

// Close ends the server and all its connections.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Address is host and port of the server, URL is it with the scheme.
func (s *Server) Address() string { return s.http.Listener.Addr().String() }

// URL is the address of the server with its scheme.
func (s *Server) URL() string { return s.http.URL }

// Reached is closed when the point is reached. From Arrived and Done the request
// goes no further, it is dropped by Release.
func (s *Server) Reached() <-chan struct{} { return s.reached }

// Release drops the request that has stopped at the point.
func (s *Server) Release() { close(s.release) }

// Requests lists what was asked so far.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

// Seen tells whether a request of this method and path was done; if not, the
// channel is closed when there is a reason to ask again.
func (s *Server) Seen(method, path string) (bool, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if _, done := s.results[r.Key]; done && r.Method == method && r.Path == path {
			return true, nil
		}
	}
	return false, s.notify
}

// ServeHTTP writes the request down, does what it asks for, and answers.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil { // whoever asked has died over it
		panic(http.ErrAbortHandler)
	}
	r := &Request{Method: req.Method, Path: req.URL.Path, Query: req.URL.RawQuery,
		Key: req.Header.Get("Idempotency-Key"), Body: string(body), Header: req.Header}
	s.mu.Lock()
	s.requests = append(s.requests, r)
	r.N = len(s.requests)
	s.mu.Unlock()
	s.stop(r, Arrived)
	answer, first := s.do(r)
	s.stop(r, Done)
	if answer.Lost && first {
		s.stop(r, Answered)
		panic(http.ErrAbortHandler)
	}
	send(w, answer)
	s.stop(r, Answered)
}

// stop tells that a point is reached, and at most of them stays there.
func (s *Server) stop(r *Request, m Moment) {
	if s.point != (Point{r.N, m}) {
		return
	}
	close(s.reached)
	if m != Answered {
		<-s.release
		panic(http.ErrAbortHandler)
	}
}

// do gives the result that the key has, or handles the request.
func (s *Server) do(r *Request) (a *Answer, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.results[r.Key]; r.Key != "" && a != nil {
		return a, false
	}
	answer := s.handler(r)
	if r.Key != "" {
		s.results[r.Key] = &answer
	}
	close(s.notify)
	s.notify = make(chan struct{})
	return &answer, true
}

func send(w http.ResponseWriter, a *Answer) {
	w.Header().Set("Content-Type", "application/json")
	w.Header()["Date"] = nil // it would be another one in each run
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.Body)))
	w.WriteHeader(max(a.Status, http.StatusOK))
	_, _ = io.WriteString(w, a.Body) // who does not listen any more asks again
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
