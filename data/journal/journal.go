// Package journal keeps rows in files of lines: every accepted row survives a crash. It knows
// files, and nothing of lakes.
package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A File accepts rows and appends them as lines.
type File[T any] struct {
	name    string                // in errors
	explain func(err error) error // adds the next step to an error of the disk
	sync    func() error          // makes written bytes durable

	io sync.Mutex // held while the file is synced or closed

	mu       sync.Mutex
	file     *os.File
	batch    *batch    // appends that the next sync will make durable
	syncing  bool      // a goroutine gathers or syncs
	released time.Time // end of the last sync
	err      error     // first failure; a file that failed accepts nothing more
}

// New accepts rows into a file that is open for appending. Close closes the file.
func New[T any](file *os.File, name string, explain func(error) error) *File[T] {
	return &File[T]{name: name, explain: explain, sync: func() error { return syncData(file) }, file: file,
		batch: newBatch()}
}

// batch is a group of appends that one sync makes durable together.
type batch struct {
	done    chan struct{}
	appends int
	err     error
}

const (

	// gathering is how long a sync waits for other appends to join it: short beside a model's
	// reply, long beside a sync. An append after a quiet time does not wait.
	gathering = 8 * time.Millisecond
	quiet     = 4 * gathering
	// keptEncoding is the largest buffer that is reused, in bytes.
	keptEncoding = 1 << 20
)

func newBatch() *batch { return &batch{done: make(chan struct{})} }

// Append adds rows and returns once they are on disk. The rows are in the file at once, so they
// survive any end of this process. The sync that lets them survive a power failure is shared: calls
// from several goroutines gather for some milliseconds, and during a sync, so many calls make each
// one cheap.
func (j *File[T]) Append(rows ...T) error {
	space := encodings.Get().(*bytes.Buffer)
	defer func() {
		if space.Cap() <= keptEncoding {
			encodings.Put(space)
		}
	}()
	space.Reset()
	for i := range rows {
		start := space.Len()
		err := json.MarshalWrite(space, &rows[i], jsontext.AllowInvalidUTF8(true))
		if n := space.Len() - start; err == nil && n > longestLine-sumSize {
			err = fmt.Errorf("a row of %d bytes is larger than %d", n, longestLine-sumSize)
		}
		if err != nil {
			return fmt.Errorf("journal %s: %w", j.name, err)
		}
		putSum(space, start)
	}
	j.mu.Lock()
	if j.err == nil {
		_, err := j.file.Write(space.Bytes())
		j.fails(err)
	}
	if j.err != nil {
		j.mu.Unlock()
		return j.err
	}
	batch := j.batch
	batch.appends++
	if !j.syncing {
		j.syncing = true
		go j.flush() // Not in this goroutine: under steady load the loop does not end.
	}
	j.mu.Unlock()
	<-batch.done
	return batch.err
}

// encodings are reused, since every reply of a run is encoded.
var encodings = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// flush syncs batches until none is waiting. It holds the lock except while it gathers and syncs.
func (j *File[T]) flush() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.batch.appends > 0 && j.err == nil {
		if j.batch.appends > 1 || time.Since(j.released) < quiet {
			j.mu.Unlock()
			time.Sleep(gathering)
			j.mu.Lock()
			if j.err != nil {
				break // It was closed meanwhile, or a write failed.
			}
		}
		batch := j.batch
		j.batch = newBatch()
		j.io.Lock() // Only Close takes it as well, after it has set err, and waits for this sync.
		j.mu.Unlock()
		err := j.sync()
		j.io.Unlock()
		j.mu.Lock()
		j.released = time.Now()
		if err != nil {
			j.fails(err)
			batch.err = j.err
		}
		close(batch.done)
	}
	if j.err != nil {
		// Appends that wait for the next sync must not wait for ever.
		j.batch.err = j.err
		close(j.batch.done)
		j.batch = newBatch()
	}
	j.syncing = false
}

// fails keeps an error of the disk. After it the journal accepts nothing more.
func (j *File[T]) fails(err error) {
	if err != nil && j.err == nil {
		j.err = j.explain(fmt.Errorf("journal %s: %w", j.name, err))
	}
}

// Close closes the file.
func (j *File[T]) Close() error {
	j.mu.Lock()
	file := j.file
	if file != nil {
		j.file, j.err = nil, errors.New("the journal is closed")
	}
	j.mu.Unlock()
	if file == nil {
		return nil
	}
	j.io.Lock()
	defer j.io.Unlock()
	return file.Close()
}
