package data

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A Journal keeps the rows of a unit in flight: each row that Append has taken survives a crash. Once the work is
// done, its rows go into the unit's file with Compact and the journal is deleted.
//
// On disk a record is the length and the CRC-32C of its payload, both 32-bit little-endian, and the payload, a row as
// JSON. A crash can tear only the last record, and opening the journal cuts a torn record off. Damage anywhere else
// is an error, because rows that cost money would be lost in silence.
type Journal[T any] struct {
	lake *Lake
	path string

	mu      sync.Mutex
	file    *os.File
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
	recordHeader  = 8
	// gathering is how long a write waits for others to join it while several goroutines append: little beside a model's
	// reply, and much beside an fsync.
	gathering = time.Millisecond
	// maxRecord bounds a record, so that a damaged length cannot ask for all memory.
	maxRecord = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrJournalDamaged is wrapped by the error of a journal with a damaged record that is not its last.
var ErrJournalDamaged = errors.New("damaged journal")

// OpenJournal opens the journal of that name, making it when it is absent, and cuts a torn last record off.
// The lake must be open for writing.
func OpenJournal[T any](l *Lake, name string) (*Journal[T], error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	j := &Journal[T]{lake: l, path: l.Path(journalName(name)), batch: newJournalBatch()}
	if err := os.MkdirAll(filepath.Dir(j.path), 0o777); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	whole, err := wholeLength(file, j.path)
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err == nil {
		err = syncDir(filepath.Dir(j.path))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	j.file = file
	return j, nil
}

func journalName(name string) string { return journalDir + "/" + slug(name) + journalSuffix }

// JournalRows streams the rows of the journal of that name in the order of their appends, none when there is no such
// journal. The lake may be open for reading only, and another process may be appending.
func JournalRows[T any](l *Lake, name string) iter.Seq2[T, error] {
	return ReplayJournal[T](l.Path(journalName(name)))
}

// Journals lists the names of the journals that hold work in flight. An empty one, which a run leaves that ended before
// its first reply, holds none.
func (l *Lake) Journals() ([]string, error) {
	names, err := l.store.List(journalDir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, n := range names {
		if strings.HasSuffix(n, journalSuffix) {
			info, err := os.Stat(l.Path(n))
			if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
				continue
			}
			if err != nil {
				return nil, err
			}
			found = append(found, strings.TrimSuffix(strings.TrimPrefix(n, journalDir+"/"), journalSuffix))
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
			return fmt.Errorf("journal %s: %w", j.path, err)
		}
		if len(payload) > maxRecord {
			return fmt.Errorf("journal %s: a row of %d bytes is larger than %d", j.path, len(payload), maxRecord)
		}
		encoded = binary.LittleEndian.AppendUint32(encoded, uint32(len(payload)))
		encoded = binary.LittleEndian.AppendUint32(encoded, crc32.Checksum(payload, castagnoli))
		encoded = append(encoded, payload...)
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
		j.pending, j.batch = nil, newJournalBatch()
		j.mu.Unlock()
		_, err := j.file.Write(content)
		if err == nil {
			err = j.file.Sync()
		}
		j.mu.Lock()
		if err != nil {
			j.err = WithHint(fmt.Errorf("journal %s: %w", j.path, err),
				"free some room or mend the disk, and run the same command again: what came back before is kept")
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
	return ReplayJournal[T](j.path)
}

// Delete closes the journal and deletes it. It belongs after the commit of the unit that took its rows: a crash
// between the two leaves rows in both places, which the caller tells by their keys.
func (j *Journal[T]) Delete() error {
	return errors.Join(j.Close(), j.lake.store.Remove(journalDir+"/"+filepath.Base(j.path)))
}

// ReplayJournal streams the rows of a journal file. A torn last record ends it in silence.
func ReplayJournal[T any](path string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		file, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(zero, err)
			return
		}
		defer file.Close()
		r := newRecordReader(file, path)
		for r.next() {
			var row T
			if err := json.Unmarshal(r.payload, &row); err != nil {
				yield(zero, fmt.Errorf("%w: %s: record at byte %d: %w", ErrJournalDamaged, path, r.start, err))
				return
			}
			if !yield(row, nil) {
				return
			}
		}
		if r.err != nil {
			yield(zero, r.err)
		}
	}
}

// wholeLength is the length of the journal's whole records.
func wholeLength(file *os.File, path string) (int64, error) {
	r := newRecordReader(file, path)
	for r.next() {
	}
	return r.end, r.err
}

// recordReader walks the records of a journal.
type recordReader struct {
	r       *bufio.Reader
	path    string
	payload []byte
	start   int64 // where the current record begins
	end     int64 // where the last whole record ends
	err     error
}

func newRecordReader(r io.Reader, path string) *recordReader {
	return &recordReader{r: bufio.NewReaderSize(r, 1<<20), path: path}
}

// next moves to the next whole record. It reports false at the end, at a torn last record and at damage, which
// leaves an error.
func (r *recordReader) next() bool {
	var header [recordHeader]byte
	if _, err := io.ReadFull(r.r, header[:]); err != nil {
		r.fail(err)
		return false
	}
	length := binary.LittleEndian.Uint32(header[:4])
	if length > maxRecord {
		// A torn record is a prefix of a sound one, so its length, once whole, is sound, but for a tail of
		// zeros that some file systems leave after a crash.
		r.err = fmt.Errorf("%w: %s: record at byte %d claims %d bytes", ErrJournalDamaged, r.path, r.end, length)
		return false
	}
	if cap(r.payload) < int(length) {
		r.payload = make([]byte, length)
	}
	r.payload = r.payload[:length]
	if _, err := io.ReadFull(r.r, r.payload); err != nil {
		r.fail(err)
		return false
	}
	if length == 0 || crc32.Checksum(r.payload, castagnoli) != binary.LittleEndian.Uint32(header[4:]) {
		if r.onlyZerosLeft(header, r.payload) {
			return false
		}
		if _, err := r.r.Peek(1); errors.Is(err, io.EOF) {
			return false // The last record, torn within.
		}
		r.err = WithHint(fmt.Errorf("%w: %s: the record at byte %d does not match its checksum", ErrJournalDamaged, r.path, r.end),
			"the disk has damaged the file; move it away to go on without the replies that it holds")
		return false
	}
	r.start = r.end
	r.end += recordHeader + int64(length)
	return true
}

// onlyZerosLeft recognises the zeros that a file system may leave where a crash cut a write short.
func (r *recordReader) onlyZerosLeft(header [recordHeader]byte, payload []byte) bool {
	if header != [recordHeader]byte{} || len(payload) > 0 {
		return false
	}
	for {
		b, err := r.r.ReadByte()
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil || b != 0 {
			return false
		}
	}
}

func (r *recordReader) fail(err error) {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		r.err = fmt.Errorf("journal %s: %w", r.path, err)
	}
}
