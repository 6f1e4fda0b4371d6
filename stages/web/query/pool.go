package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data"
)

// A Request asks a worker for the rows of a query.
type Request struct {
	Query   string  `json:"query"`
	Format  string  `json:"format"` // of the rows: json, csv or parquet
	Rows    int64   `json:"rows"`   // at most
	Bytes   int64   `json:"bytes"`  // of the rows as they are written, at most
	Seconds float64 `json:"seconds"`
	File    string  `json:"file"` // that gets the rows
}

// A Reply is what a worker says when the rows are written, or why there are none.
type Reply struct {
	Rows  int64  `json:"rows"`
	More  bool   `json:"more,omitempty"` // the query has more rows
	Error string `json:"error,omitempty"`
	Hint  string `json:"hint,omitempty"`
}

// Work answers the requests of a pool until there are no more. It is what the process of a worker does.
func Work(ctx context.Context, in io.Reader, out io.Writer, answer func(context.Context, Request, io.Writer) (Reply, error)) error {
	requests, replies := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var r Request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := replies.Encode(answered(ctx, r, answer)); err != nil {
			return err
		}
	}
}

var errTooLarge = errors.New("the rows have too many bytes")

func answered(ctx context.Context, r Request, answer func(context.Context, Request, io.Writer) (Reply, error)) Reply {
	limit := time.Duration(r.Seconds * float64(time.Second))
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	reply, err := Reply{}, error(nil)
	f, err := os.OpenFile(r.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		reply, err = answer(ctx, r, &atMost{f, r.Bytes})
		err = errors.Join(err, f.Close())
	}
	var hint *data.HintError
	switch {
	case err == nil:
		return reply
	case ctx.Err() != nil:
		err = tooLong(limit)
	case errors.Is(err, errTooLarge):
		err = data.WithHint(fmt.Errorf("the rows take more than %d MB", r.Bytes>>20), "choose fewer columns or rows, or download them")
	}
	reply = Reply{Error: err.Error()}
	if errors.As(err, &hint) {
		reply.Hint = hint.Hint
	}
	return reply
}

func tooLong(limit time.Duration) error {
	return data.WithHint(fmt.Errorf("the query was stopped, because it took more than %v", limit), "ask for less, or ask at a terminal, where there is no limit: captionlake sql")
}

// atMost lets so many bytes through.
type atMost struct {
	w    io.Writer
	left int64
}

func (a *atMost) Write(b []byte) (int, error) {
	if int64(len(b)) > a.left {
		return 0, errTooLarge
	}
	n, err := a.w.Write(b)
	a.left -= int64(n)
	return n, err
}

// ErrBusy is the error of a query that finds all workers and all places to wait taken.
var ErrBusy = errors.New("too many queries are running")

// A Pool runs queries in processes of their own, a few at a time.
type Pool struct {
	start   func(folder string) *exec.Cmd
	limit   time.Duration
	workers chan struct{} // has a token for each query that runs
	places  chan struct{} // has a token for each query that runs or waits

	mu   sync.Mutex
	idle []*worker
}

// grace is how long a worker may take to say that the time is up.
const grace = 2 * time.Second

// NewPool runs so many queries at once and lets four times as many wait. start is the command of a worker that keeps its temporary files in a
// folder. limit is the time of one query.
func NewPool(workers int, limit time.Duration, start func(folder string) *exec.Cmd) *Pool {
	return &Pool{start: start, limit: limit, workers: make(chan struct{}, workers), places: make(chan struct{}, 5*workers)}
}

// Close ends the workers that wait for a query. None may be running.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var faults []error
	for _, w := range p.idle {
		faults = append(faults, w.end())
	}
	p.idle = nil
	return errors.Join(faults...)
}

// Warm starts a worker, so that the first query need not wait for it.
func (p *Pool) Warm() {
	if w, err := p.take(); err == nil {
		p.giveBack(w)
	}
}

// Ask runs a query and returns the rows as a file, which the caller closes; it is gone from the folder by then. When ctx ends, the query does.
func (p *Pool) Ask(ctx context.Context, r Request) (rows *os.File, reply Reply, err error) {
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	default:
		return nil, reply, data.WithHint(ErrBusy, "try again when others are done")
	}
	select {
	case p.workers <- struct{}{}:
		defer func() { <-p.workers }()
	case <-ctx.Done():
		return nil, reply, ctx.Err()
	}
	w, err := p.take()
	if err != nil {
		return nil, reply, err
	}
	within, cancel := context.WithTimeout(ctx, p.limit+grace)
	defer cancel()
	r.File, r.Seconds = filepath.Join(w.folder, "rows"), p.limit.Seconds()
	reply, err = w.ask(within, r)
	if err != nil { // The process is of no more use.
		ended := w.end()
		switch {
		case ctx.Err() != nil:
			return nil, reply, ctx.Err()
		case within.Err() != nil:
			return nil, reply, tooLong(p.limit)
		case errors.Is(err, io.EOF):
			return nil, reply, errors.Join(data.WithHint(errors.New("the query took more memory than it may, and was ended"), "ask for less, or ask at a terminal: captionlake sql"), ended)
		}
		return nil, reply, errors.Join(err, ended)
	}
	defer p.giveBack(w)
	defer func() { err = errors.Join(err, os.Remove(r.File)) }()
	if reply.Error != "" {
		err := errors.New(reply.Error)
		if reply.Hint != "" {
			err = data.WithHint(err, "%s", reply.Hint)
		}
		return nil, reply, err
	}
	rows, err = os.Open(r.File)
	return rows, reply, err
}

// take returns a worker that waits, or starts one.
func (p *Pool) take() (*worker, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	return startWorker(p.start)
}

func (p *Pool) giveBack(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, w)
}

// A worker is a process that answers queries.
type worker struct {
	cmd     *exec.Cmd
	folder  string
	in      io.WriteCloser
	replies *json.Decoder
}

func startWorker(start func(folder string) *exec.Cmd) (*worker, error) {
	folder, err := os.MkdirTemp("", "captionlake-query-*")
	if err != nil {
		return nil, err
	}
	w := &worker{cmd: start(folder), folder: folder}
	in, err1 := w.cmd.StdinPipe()
	out, err2 := w.cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if err := w.cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	w.in, w.replies = in, json.NewDecoder(out)
	return w, nil
}

// ask sends a request and waits for its reply until ctx ends.
func (w *worker) ask(ctx context.Context, r Request) (reply Reply, err error) {
	heard := make(chan error, 1)
	go func() {
		err := json.NewEncoder(w.in).Encode(r)
		if err == nil {
			err = w.replies.Decode(&reply)
		} else {
			err = errors.Join(io.EOF, err) // It ended before it was asked.
		}
		heard <- err
	}()
	select {
	case err = <-heard:
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
		return reply, err
	case <-ctx.Done():
		killed := w.cmd.Process.Kill()
		<-heard // The pipes are closed with the process.
		return Reply{}, errors.Join(ctx.Err(), killed)
	}
}

// end ends the process, whatever it does, and removes its temporary files.
func (w *worker) end() error {
	_ = w.cmd.Process.Kill() // It may have ended.
	_ = w.cmd.Wait()         // It says that it was killed.
	return os.RemoveAll(w.folder)
}
