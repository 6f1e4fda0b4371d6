package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

// A Journal keeps the rows of a unit in flight: each row that Append has taken survives a crash. Once the work is
// done, its rows go into the unit's file with Compact and the journal is deleted.
//
// How records lie on disk, and what a crash or a damaged disk makes of them, is told by recordReader.
type Journal[T any] struct {
	lake *Lake
	name string // of the journal's file in the lake

	mu      sync.Mutex
	file    *os.File
	fresh   bool          // the file has no head yet
	pending []byte        // records that wait for the next write
	batch   *journalBatch // whom that write will wake
	writing bool
	err     error // first failure; a journal that failed takes nothing more
}

// journalBatch is a group of appends that one write and one fsync make durable together.
type journalBatch struct {
	done    chan struct{}
	appends int
	err     error
}

const (
	journalSuffix = ".journal"
	cutSuffix     = ".cut" // of what could not be read of a journal and was set aside
	// gathering is how long a write waits for others to join it while several goroutines append: little beside a model's
	// reply, and much beside an fsync.
	gathering = time.Millisecond
)

// OpenJournal opens the journal of a unit, by the stem of the unit's files, and makes it when it is absent. A torn last
// record is cut off: a copy stays beside the journal, and a notice says so. The lake must be open for writing.
func OpenJournal[T any](l *Lake, unit string) (*Journal[T], error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	name, err := journalFile(unit)
	if err != nil {
		return nil, err
	}
	if err := l.readyJournal(name); err != nil {
		return nil, err
	}
	file, err := l.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, l.writeError(err)
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		err = folder{l.root}.syncDir(journalDir)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Journal[T]{lake: l, name: name, file: file, fresh: size == 0, batch: newJournalBatch()}, nil
}

// readyJournal makes a journal's file one that can be appended to: without a torn end, and in today's form.
func (l *Lake) readyJournal(name string) error {
	f, err := l.store.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	r := newRecordReader(f, l.Path(name))
	for r.next() {
	}
	if r.err != nil {
		return errors.Join(r.err, f.Close())
	}
	if r.end < f.Size() {
		if err := l.setAside(name, f, []byteRange{{r.end, f.Size()}}, "a crash tore its last record"); err != nil {
			return errors.Join(err, f.Close())
		}
	} else if r.version == recordVersion {
		return f.Close()
	}
	whole := newRecordReader(f, l.Path(name))
	return errors.Join(l.rewriteJournal(name, whole.records()), f.Close())
}

// journalFile is the name of a unit's journal. The stem is not shortened: units whose names begin alike have a journal
// each.
func journalFile(unit string) (string, error) {
	if !journalPattern.MatchString(unit) {
		return "", WithHint(fmt.Errorf("%q cannot be the name of a journal", unit), unitsHint)
	}
	return journalDir + "/" + unit + journalSuffix, nil
}

var journalPattern = regexp.MustCompile(`^[a-z0-9.-]{1,200}$`)

// JournalRows streams the rows of a unit's journal in the order of their appends, none when there is no such journal. The
// lake may be open for reading only, and another process may be appending.
func JournalRows[T any](l *Lake, unit string) iter.Seq2[T, error] {
	name, err := journalFile(unit)
	if err != nil {
		return func(yield func(T, error) bool) {
			var zero T
			yield(zero, err)
		}
	}
	return replay[T](l, name)
}

// Journals lists the units with work in flight. An empty journal, which a run leaves that ended before its first reply,
// holds none.
func (l *Lake) Journals() ([]string, error) {
	return l.journalFiles(journalSuffix)
}

// CutOff lists what could not be read of journals and was set aside, by the names of the copies in the lake's folder
// journal. Nothing reads the copies; they are kept until somebody deletes them.
func (l *Lake) CutOff() ([]string, error) {
	return l.journalFiles(cutSuffix)
}

func (l *Lake) journalFiles(suffix string) ([]string, error) {
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
		f, err := l.store.Open(n)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if f.Size() > 0 {
			found = append(found, base)
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func newJournalBatch() *journalBatch { return &journalBatch{done: make(chan struct{})} }

// Append adds rows and returns once they are on disk. Calls from several goroutines gather for a millisecond and share
// one fsync, so the more there are, the cheaper each is.
func (j *Journal[T]) Append(rows ...T) error {
	var encoded []byte
	for i := range rows {
		payload, err := json.Marshal(&rows[i])
		if err != nil {
			return fmt.Errorf("journal %s: %w", j.name, err)
		}
		if len(payload) > maxRecord {
			return fmt.Errorf("journal %s: a row of %d bytes is larger than %d", j.name, len(payload), maxRecord)
		}
		encoded = appendRecord(encoded, payload)
	}
	j.mu.Lock()
	if j.err != nil {
		j.mu.Unlock()
		return j.err
	}
	j.pending = append(j.pending, encoded...)
	batch := j.batch
	batch.appends++
	if !j.writing {
		j.writing = true
		go j.flush() // Not this caller: under steady load the loop has no end.
	}
	j.mu.Unlock()
	<-batch.done
	return batch.err
}

// flush writes batches until none is waiting. It holds the lock but while it gathers and writes.
func (j *Journal[T]) flush() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for alone := true; len(j.pending) > 0 && j.err == nil; {
		if !alone || j.batch.appends > 1 {
			j.mu.Unlock()
			time.Sleep(gathering)
			j.mu.Lock()
			if j.err != nil {
				break // closed meanwhile
			}
		}
		alone = j.batch.appends == 1
		content, batch := j.pending, j.batch
		if j.fresh {
			content, j.fresh = append([]byte(recordHead), content...), false
		}
		j.pending, j.batch = nil, newJournalBatch()
		j.mu.Unlock()
		_, err := j.file.Write(content)
		if err == nil {
			err = j.file.Sync()
		}
		j.mu.Lock()
		if err != nil {
			j.err = WithHint(fmt.Errorf("journal %s: %w", j.name, err),
				"free some room or replace the disk, and run the same command again: what came back before is kept")
			batch.err = j.err
		}
		close(batch.done)
	}
	if j.err != nil {
		// Whoever was waiting for the next write must not wait for ever.
		j.batch.err = j.err
		close(j.batch.done)
		j.pending, j.batch = nil, newJournalBatch()
	}
	j.writing = false
}

// Close closes the journal's file. Its rows stay until Compact.
func (j *Journal[T]) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	j.err = errors.New("the journal is closed")
	return err
}

// Rows streams the rows of the journal in the order of their appends. It reads what was on disk when it began.
func (j *Journal[T]) Rows() iter.Seq2[T, error] {
	return replay[T](j.lake, j.name)
}

// Delete closes the journal and deletes it. It belongs after the commit of the unit that took its rows: a crash
// between the two leaves rows in both places, which the caller tells by their keys.
func (j *Journal[T]) Delete() error {
	return errors.Join(j.Close(), j.lake.store.Remove(j.name))
}

// replay streams the rows of a journal's file. A torn last record ends it in silence: it may be one that is being written.
func replay[T any](l *Lake, name string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		f, err := l.store.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(zero, err)
			return
		}
		defer f.Close() // read only: nothing can be lost
		for payload, err := range newRecordReader(f, l.Path(name)).records() {
			var row T
			if err == nil {
				if row, err = decodeRow[T](payload); err != nil {
					err = fmt.Errorf("%s: %w", l.Path(name), err)
				}
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func decodeRow[T any](payload []byte) (row T, err error) {
	if err := json.Unmarshal(payload, &row); err != nil {
		return row, fmt.Errorf("%w: %w", ErrJournalDamaged, err)
	}
	return row, nil
}
