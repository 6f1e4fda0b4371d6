package data

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Journal keeps the rows of a unit in flight: each row that Append has taken survives a crash. Once the work is
// done, its rows go into the unit's file with Compact and the journal is deleted.
//
// How records lie on disk, and what a crash or a damaged disk makes of them, is told by recordReader.
type Journal[T any] struct {
	lake    *Lake
	name    string // of the journal's file in the lake
	release func() // gives the lease of the unit up

	sync func() error // makes what was written durable

	io sync.Mutex // held while the file is synced or closed

	mu       sync.Mutex
	file     *os.File
	end      int64         // where the last record ends
	room     int64         // length of the file: from end on it is zeros
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
	journalSuffix = ".journal"
	cutSuffix     = ".cut" // of what could not be read of a journal and was set aside
	// gathering is how long a sync waits for others to join it: little beside a model's reply, and much beside a sync. A
	// caller that comes alone after quiet is not kept waiting.
	gathering = 8 * time.Millisecond
	quiet     = 4 * gathering
	// growth is by how much a journal's file grows ahead of its records, in bytes. The zeros are written, and not only
	// reserved: then a sync writes the records alone, without the file system's own records of the file's length and places.
	growth = 1 << 20
)

var zeros [growth]byte

// OpenJournal opens the journal of a unit, by the stem of the unit's files, and makes it when it is absent. A torn last
// record is cut off: a copy stays beside the journal, and a notice says so. The lake must be open for writing. Until the journal is closed
// other processes are kept from the unit; the error of a unit that one of them is working on wraps ErrLocked.
func OpenJournal[T any](l *Lake, unit string) (j *Journal[T], err error) {
	name, err := journalFile(unit)
	if err != nil {
		return nil, err
	}
	release, err := l.Hold(unit)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			release()
		}
	}()
	end, err := l.readyJournal(name)
	if err != nil {
		return nil, err
	}
	file, err := l.root.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, l.writeError(err)
	}
	info, err := file.Stat()
	if err == nil {
		err = folder{l.root}.syncDir(journalDir)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Journal[T]{
		lake: l, name: name, release: release, file: file, sync: func() error { return syncData(file) }, end: end, room: info.Size(), batch: newJournalBatch(),
	}, nil
}

// readyJournal makes a journal's file one that can be appended to, without a torn end, and returns where
// its records end. Behind them are zeros or nothing.
func (l *Lake) readyJournal(name string) (end int64, err error) {
	f, err := l.store.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r := newRecordReader(f, l.Path(name))
	for r.next() {
	}
	if r.err != nil {
		return 0, r.err
	}
	switch sound := r.zerosFrom(r.end); {
	case r.err != nil:
		return 0, r.err
	case sound:
		return r.end, nil
	default:
		if err := l.setAside(name, f, []byteRange{{r.end, f.Size()}}, "a crash tore what was written last"); err != nil {
			return 0, err
		}
	}
	return l.rewriteJournal(name, newRecordReader(f, l.Path(name)).records())
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

// CutOff lists the copies of what could not be read of journals, by their names in the lake's folder journal. Nothing reads the copies;
// they are kept until somebody deletes them.
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

// Append adds rows and returns once they are on disk. They are in the file at once, where they survive the end of this process
// however it comes; the sync that makes them survive the end of the machine is shared: calls from several goroutines gather for
// some milliseconds, and while a sync is under way, so the more there are, the cheaper each is.
func (j *Journal[T]) Append(rows ...T) error {
	space := encodings.Get().(*bytes.Buffer)
	defer func() {
		if space.Cap() <= growth {
			encodings.Put(space)
		}
	}()
	space.Reset()
	for i := range rows {
		start := space.Len()
		space.Write(noHeader[:])
		if err := json.MarshalWrite(space, &rows[i], jsontext.AllowInvalidUTF8(true)); err != nil {
			return fmt.Errorf("journal %s: %w", j.name, err)
		}
		record := space.Bytes()[start:]
		if n := len(record) - recordHeader; n > maxRecord {
			return fmt.Errorf("journal %s: a row of %d bytes is larger than %d", j.name, n, maxRecord)
		}
		putHeader(record, record[recordHeader:])
	}
	j.mu.Lock()
	if j.err == nil {
		j.fails(j.write(space.Bytes()))
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
		if j.fails(j.write(syncMark)); j.err != nil {
			break
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

// write puts records behind the last one. A file that is too short for them grows by more than them; a disk without room for
// more than them is no error yet.
func (j *Journal[T]) write(records []byte) error {
	var head []byte
	if j.end == 0 {
		head = []byte(recordHead)
	}
	at, whole := j.end, j.end+int64(len(head)+len(records))
	for _, part := range [][]byte{head, records} {
		n, err := j.file.WriteAt(part, at)
		at += int64(n)
		j.room = max(j.room, at)
		if err != nil {
			return err
		}
	}
	if j.end = whole; j.end == j.room {
		n, _ := j.file.WriteAt(zeros[:growth-whole%growth], whole) // What it could not take, the records will tell.
		j.room += int64(n)
	}
	return nil
}

// Close closes the journal's file. Its rows stay until Compact.
func (j *Journal[T]) Close() error {
	defer j.release()
	return j.closeFile()
}

func (j *Journal[T]) closeFile() error {
	j.mu.Lock()
	file, failed := j.file, j.err
	if file != nil {
		j.file, j.err = nil, errors.New("the journal is closed")
	}
	j.mu.Unlock()
	if file == nil {
		return nil
	}
	j.io.Lock()
	defer j.io.Unlock()
	var err error
	if failed == nil && j.room > j.end {
		err = file.Truncate(j.end)
	}
	return errors.Join(err, file.Close())
}

// Rows streams the rows of the journal in the order of their appends. It reads what was on disk when it began.
func (j *Journal[T]) Rows() iter.Seq2[T, error] {
	return replay[T](j.lake, j.name)
}

// Delete closes the journal and deletes it. It belongs after the commit of the unit that took its rows: a crash
// between the two leaves rows in both places, which the caller tells by their keys.
func (j *Journal[T]) Delete() error {
	defer j.release() // Whoever holds the unit next finds no journal.
	return errors.Join(j.closeFile(), j.lake.store.Remove(j.name))
}

// replay streams the rows of a journal's file. A torn last record ends it in silence: it may be one that is being written.
func replay[T any](l *Lake, name string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for payload, err := range l.payloads(name) {
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
	if err := json.Unmarshal(payload, &row, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return row, fmt.Errorf("%w: %w", ErrJournalDamaged, err)
	}
	return row, nil
}
