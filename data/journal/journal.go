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

	mu      sync.Mutex
	file    *os.File
	appends int   // so far
	err     error // first failure; a file that failed accepts nothing more

	turn     chan struct{} // held by the one goroutine that syncs or closes the file
	synced   int           // appends that are on disk
	released time.Time     // end of the last sync
}

// New accepts rows into a file that is open for appending. Close closes the file.
func New[T any](file *os.File, name string, explain func(error) error) *File[T] {
	return &File[T]{name: name, explain: explain, sync: func() error { return syncData(file) }, file: file,
		turn: make(chan struct{}, 1)}
}

const (

	// gathering is how long a sync waits for other appends to join it. This time is short beside the
	// time of a model's reply, and long beside the time of a sync. If no sync has ended for as long as
	// quiet, an append does not wait.
	gathering = 8 * time.Millisecond
	quiet     = 4 * gathering
)

// Append adds rows and returns once they are on disk. The rows are in the file at once, so they
// survive any end of this process. After a sync, they also survive a power failure. Calls from
// several goroutines share a sync: calls gather for some milliseconds, and while an earlier sync
// goes on.
func (j *File[T]) Append(rows ...T) error {
	var lines bytes.Buffer
	for i := range rows {
		start := lines.Len()
		err := json.MarshalWrite(&lines, &rows[i], jsontext.AllowInvalidUTF8(true))
		if n := lines.Len() - start; err == nil && n > longestLine-sumSize {
			err = fmt.Errorf("a row of %d bytes is larger than %d", n, longestLine-sumSize)
		}
		if err != nil {
			return fmt.Errorf("journal %s: %w", j.name, err)
		}
		putSum(&lines, start)
	}
	j.mu.Lock()
	if j.err == nil {
		_, err := j.file.Write(lines.Bytes())
		j.keep(err)
	}
	j.appends++
	number, err := j.appends, j.err
	j.mu.Unlock()
	if err != nil {
		return err
	}
	return j.wait(number)
}

// wait returns once the append with this number is on disk. The first append that gets its turn
// syncs for all appends so far. When these other appends get their turn, synced says that they are
// on disk.
func (j *File[T]) wait(number int) error {
	j.turn <- struct{}{}
	defer func() { <-j.turn }()
	if j.synced >= number { // The sync of another append has included this append.
		return nil
	}
	if time.Since(j.released) < quiet { // Appends come often, so others will join this sync.
		time.Sleep(gathering)
	}
	j.mu.Lock()
	all, err := j.appends, j.err
	j.mu.Unlock()
	if err != nil {
		return err // The file was closed meanwhile, or a write failed.
	}
	err = j.sync()
	j.released = time.Now()
	if err == nil {
		j.synced = all
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.keep(err)
	return j.err
}

// keep keeps the first error of the disk. After an error, the file accepts nothing more. The caller
// holds mu.
func (j *File[T]) keep(err error) {
	if err != nil && j.err == nil {
		j.err = j.explain(fmt.Errorf("journal %s: %w", j.name, err))
	}
}

// Close closes the file. Calls of Append that still wait for a sync return an error, although their
// rows are in the file.
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
	j.turn <- struct{}{} // This waits until a sync that is under way has ended.
	defer func() { <-j.turn }()
	return file.Close()
}
