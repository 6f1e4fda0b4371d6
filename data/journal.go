package data

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Journal keeps the rows of a unit in flight, as lines of JSON: each row that Append has taken survives a crash. Once its rows are
// committed with the unit, the journal is deleted.
type Journal[T any] struct {
	lake    *Lake
	unit    string
	name    string // of the journal's file in the lake
	release func() // gives the lock of the unit up

	sync func() error // makes what was written durable

	io sync.Mutex // held while the file is synced or closed

	mu       sync.Mutex
	file     *os.File
	batch    *journalBatch // whom the next sync will wake
	syncing  bool          // a goroutine gathers or syncs
	released time.Time     // when the last sync was over
	err      error         // first failure; a journal that failed takes nothing more
}

// journalBatch is a group of appends that one sync makes durable together.
type journalBatch struct {
	done    chan struct{}
	appends int
	err     error
}

const (

	// gathering is how long a sync waits for others to join it: little beside a model's reply, and much beside a sync. A
	// caller that comes alone after quiet is not kept waiting.
	gathering = 8 * time.Millisecond
	quiet     = 4 * gathering
	// keptEncoding is the largest buffer that is used again, in bytes.
	keptEncoding = 1 << 20
)

// OpenJournal opens the journal of a unit, by the stem of the unit's files, and makes it when it is absent. A torn last line is cut
// off: a copy stays beside the journal, and a notice says so. The lake must be open for writing. Until the journal is closed other
// processes are kept from the unit; the error of a unit that one of them is working on wraps ErrLocked.
func OpenJournal[T any](l *Lake, unit string) (j *Journal[T], err error) {
	name, err := journalFile(unit)
	if err != nil {
		return nil, err
	}
	release, err := l.Hold(unit)
	if err != nil {
		return nil, err
	}
	file, err := appendTo(l, name)
	if err != nil {
		release()
		return nil, err
	}
	sync := func() error { return syncData(file) }
	return &Journal[T]{lake: l, unit: unit, name: name, release: release, file: file, sync: sync, batch: newJournalBatch()}, nil
}

// appendTo opens a journal's file for appending, without a torn last line.
func appendTo(l *Lake, name string) (*os.File, error) {
	whole := int64(0)
	for line, err := range journalLines(l, name) {
		if err != nil {
			return nil, err
		}
		whole += int64(len(line))
	}
	file, err := l.root.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return nil, l.writeError(err)
	}
	info, err := file.Stat()
	if err == nil && info.Size() > whole {
		err = setAside(l, name, file, []byteRange{{whole, info.Size()}}, "its last line is torn, as a crash leaves it")
		if err == nil {
			err = errors.Join(file.Truncate(whole), file.Sync())
		}
	}
	if err == nil {
		err = folder{l.root}.syncDir(journalDir)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// journalFile is the name of a unit's journal. The stem is not shortened: units whose names begin alike have a journal
// each.
func journalFile(unit string) (string, error) {
	if !heldPattern.MatchString(unit) {
		return "", WithHint(fmt.Errorf("%q cannot be the name of a journal", unit), unitsHint)
	}
	return journalDir + "/" + unit + journalSuffix, nil
}

// JournalRows streams the rows of a unit's journal in the order of their appends, none when there is no such journal. The
// lake may be open for reading only, and another process may be appending.
func JournalRows[T any](l *Lake, unit string) iter.Seq2[T, error] {
	name, err := journalFile(unit)
	return func(yield func(T, error) bool) {
		var row T
		if err != nil {
			yield(row, err)
			return
		}
		for line, err := range journalLines(l, name) {
			if err == nil {
				row, err = decodeRow[T](line)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Journals lists the units with work in flight. An empty journal, which a run leaves that ended before its first reply,
// holds none.
func (l *Lake) Journals() ([]string, error) {
	return journalFiles(l, journalSuffix)
}

// CutOff lists the copies of what could not be read of journals, by their names in the lake's folder journal. Nothing reads the copies;
// they are kept until somebody deletes them.
func CutOff(l *Lake) ([]string, error) {
	return journalFiles(l, cutSuffix)
}

func journalFiles(l *Lake, suffix string) ([]string, error) {
	names, err := l.store.List(journalDir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, n := range names {
		base, ok := strings.CutSuffix(strings.TrimPrefix(n, journalDir+"/"), suffix)
		if !ok {
			continue
		}
		info, err := l.root.Stat(n)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info.Size() > 0 {
			found = append(found, base)
		}
	}
	return found, nil
}

func newJournalBatch() *journalBatch { return &journalBatch{done: make(chan struct{})} }

// Append adds rows and returns once they are on disk. They are in the file at once, where they survive the end of this process
// however it comes; the sync that makes them survive the end of the machine is shared: calls from several goroutines gather for
// some milliseconds, and while a sync is under way, so the more there are, the cheaper each is.
func (j *Journal[T]) Append(rows ...T) error {
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
		go j.flush() // Not this caller: under steady load the loop has no end.
	}
	j.mu.Unlock()
	<-batch.done
	return batch.err
}

// encodings are used again, since every reply of a run is encoded.
var encodings = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// flush syncs batches until none is waiting. It holds the lock but while it gathers and syncs.
func (j *Journal[T]) flush() {
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
		j.batch = newJournalBatch()
		j.io.Lock() // Close waits for it and is the only other one that takes it, after it has set err.
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
		// Whoever was waiting for the next sync must not wait for ever.
		j.batch.err = j.err
		close(j.batch.done)
		j.batch = newJournalBatch()
	}
	j.syncing = false
}

// fails keeps an error of the disk, after which the journal takes nothing more.
func (j *Journal[T]) fails(err error) {
	if err != nil && j.err == nil {
		j.err = WithHint(fmt.Errorf("journal %s: %w", j.name, err),
			"free some room or replace the disk, and run the same command again: what came back before is kept")
	}
}

// Close closes the journal's file. Its rows stay until Delete.
func (j *Journal[T]) Close() error {
	defer j.release()
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

// Rows streams the rows of the journal in the order of their appends. It reads what was on disk when it began.
func (j *Journal[T]) Rows() iter.Seq2[T, error] {
	return JournalRows[T](j.lake, j.unit)
}

// Delete closes the journal and deletes it. It belongs after the commit of the unit that took its rows: a crash
// between the two leaves rows in both places, which the caller tells by their keys.
func (j *Journal[T]) Delete() error {
	// Before the lock is given up: whoever holds the unit next finds no journal.
	return errors.Join(j.lake.store.Remove(j.name), j.Close())
}
