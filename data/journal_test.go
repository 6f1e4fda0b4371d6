package data

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func journalRows(t testing.TB, l *Lake, name string) ([]Call, error) {
	t.Helper()
	var rows []Call
	for row, err := range replay[Call](l, name) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Appends of several goroutines gather before they are written; a journal that is closed meanwhile says so to each.
func TestJournalGathers(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{false, true} {
		l := newLake(t)
		synctest.Test(t, func(t *testing.T) {
			j, err := OpenJournal[Call](l, "answers")
			if err != nil {
				t.Fatal(err)
			}
			j.writing = true // as while a write is under way
			const n = 3
			errs := make(chan error, n)
			for i := range n {
				go func() { errs <- j.Append(Call{RequestHash: fmt.Sprint(i)}) }()
			}
			synctest.Wait()
			go j.flush()
			synctest.Wait()
			if len(errs) > 0 {
				t.Error("an append did not wait for others")
			}
			if closed {
				if err := j.Close(); err != nil {
					t.Error(err)
				}
			}
			time.Sleep(gathering)
			for range n {
				if err := <-errs; closed != (err != nil && strings.Contains(err.Error(), "the journal is closed")) {
					t.Errorf("closed %v: %v", closed, err)
				}
			}
			rows, err := journalRows(t, l, j.name)
			if err != nil || closed != (len(rows) == 0) || !closed && len(rows) != n {
				t.Errorf("closed %v: %d rows, %v", closed, len(rows), err)
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestJournalKeepsWhatItTook(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	j, err := OpenJournal[Call](l, "answers")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			if err := j.Append(Call{RequestHash: fmt.Sprint(i), Reply: "A\nB\u2028"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// Rows that were appended are there for another process while the journal is open.
	rows, err := journalRows(t, l, j.name)
	if err != nil || len(rows) != 64 || rows[0].Reply != "A\nB\u2028" {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	idle, err := OpenJournal[Call](l, "idle") // A journal without a row is no work in flight.
	if err != nil {
		t.Fatal(err)
	}
	if err := idle.Close(); err != nil {
		t.Fatal(err)
	}
	if names, err := l.Journals(); err != nil || len(names) != 1 || names[0] != "answers" {
		t.Fatalf("%v %v", names, err)
	}
	// The same rows by name, for a reader of the lake; a journal that is not there has none.
	byName := 0
	for range JournalRows[Call](l, "answers") {
		byName++
	}
	for row, err := range JournalRows[Call](l, "absent") {
		t.Errorf("%v %v", row, err)
	}
	if byName != 64 {
		t.Errorf("%d rows by name", byName)
	}
	if err := j.Delete(); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(Call{}); err == nil {
		t.Fatal("a closed journal took a row")
	}
	if names, err := l.Journals(); err != nil || len(names) != 0 {
		t.Fatalf("%v %v", names, err)
	}
}

// Whatever length a crash leaves of the last record, the records before it are whole and new ones follow them.
func TestJournalCutsATornRecordOff(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	j, err := OpenJournal[Call](l, "j")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(Call{RequestHash: "first"}); err != nil {
		t.Fatal(err)
	}
	whole := fileSize(t, l.Path(j.name))
	if err := j.Append(Call{RequestHash: "second"}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(l.Path(j.name))
	if err != nil {
		t.Fatal(err)
	}
	for cut := whole; cut < int64(len(content)); cut++ {
		r, n := newRecordReader(memoryFile{bytes.NewReader(content[:cut])}, "j"), 0
		for r.next() {
			n++
		}
		if n != 1 || r.err != nil || r.end != whole {
			t.Fatalf("cut at %d: %d records up to %d, %v", cut, n, r.end, r.err)
		}
	}
	for cut := whole; cut < int64(len(content)); cut += 29 {
		if err := os.WriteFile(l.Path(j.name), content[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		again, err := OpenJournal[Call](l, "j")
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if err := again.Append(Call{RequestHash: "third"}); err != nil {
			t.Fatal(err)
		}
		rows, err := journalRows(t, l, j.name)
		if err != nil || len(rows) != 2 || rows[0].RequestHash != "first" || rows[1].RequestHash != "third" {
			t.Fatalf("cut at %d: %v %v", cut, rows, err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestJournalRefusesDamageInTheMiddle(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	j, err := OpenJournal[Call](l, "j")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(Call{RequestHash: "first"}, Call{RequestHash: "second"}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(l.Path(j.name))
	if err != nil {
		t.Fatal(err)
	}
	content[recordHeader+3] ^= 1
	if err := os.WriteFile(l.Path(j.name), content, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal[Call](l, "j"); !errors.Is(err, ErrJournalDamaged) {
		t.Fatalf("got %v", err)
	}
}

func TestJournalReportsAFailedWriteToEveryWaiter(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	j, err := OpenJournal[Call](l, "j")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.file.Close(); err != nil { // Every write fails from here on, as on a disk that is full.
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			var hint *HintError
			if err := j.Append(Call{}); !errors.As(err, &hint) {
				t.Errorf("got %v", err)
			}
		})
	}
	wg.Wait()
}

func fileSize(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// Any bytes are either a journal, cut at its last whole record, or refused: never a panic, and never rows that the
// checksum does not vouch for.
func FuzzReplayJournal(f *testing.F) {
	l := newLake(f)
	j, err := OpenJournal[Call](l, "seed")
	if err != nil {
		f.Fatal(err)
	}
	if err := j.Append(Call{RequestHash: "a"}, Call{RequestHash: "b", Reply: "reply"}); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(l.Path(j.name))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add(content[:len(content)-3])
	f.Add(append(content[:len(content):len(content)], make([]byte, 64)...))
	f.Add([]byte{255, 255, 255, 255, 0, 0, 0, 0})
	f.Add(oldJournal("{}", `{"reply":"x"}`))
	f.Add(content[len(recordHead):]) // Without its head.
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<16 {
			return
		}
		file := memoryFile{bytes.NewReader(content)}
		rows := 0
		r := newRecordReader(file, "j")
		for r.next() {
			rows++
		}
		if r.err != nil && !errors.Is(r.err, ErrJournalDamaged) {
			t.Fatalf("unexpected kind of error: %v", r.err)
		}
		if rows*oldHeader > len(content) {
			t.Fatalf("%d rows from %d bytes", rows, len(content))
		}
		// What can be salvaged is at least what can be read, and parts and records make up the file.
		kept, places, skipped := 0, 0, int64(0)
		for _, err := range l.salvageable(file, "j", func(p byteRange) { places, skipped = places+1, skipped+p.to-p.from }) {
			if err != nil {
				t.Fatal(err)
			}
			kept++
		}
		if kept < rows || skipped > int64(len(content)) || (r.err != nil) && places == 0 {
			t.Fatalf("%d rows read, %d kept, %d of %d bytes skipped, %v", rows, kept, skipped, len(content), r.err)
		}
	})
}

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error       { return nil }
func (memoryFile) ModTime() time.Time { return time.Time{} }

// oldJournal is a journal as earlier releases wrote it.
func oldJournal(payloads ...string) []byte {
	var content []byte
	for _, p := range payloads {
		content = binary.LittleEndian.AppendUint32(content, uint32(len(p)))
		content = binary.LittleEndian.AppendUint32(content, crc32.Checksum([]byte(p), castagnoli))
		content = append(content, p...)
	}
	return content
}

func BenchmarkJournalAppend(b *testing.B) {
	l := newLake(b)
	j, err := OpenJournal[Call](l, "bench")
	if err != nil {
		b.Fatal(err)
	}
	b.SetParallelism(128)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := j.Append(Call{RequestHash: "0123456789abcdef", Reply: "A", State: "ok"}); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
