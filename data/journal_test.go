package data

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/captionlake/captionlake/data/must"
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

// Appends of several goroutines gather before they are synced, in the file already, where a process that is killed leaves them; a
// journal that is closed meanwhile says so to each.
func TestJournalGathers(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{false, true} {
		l := newLake(t)
		synctest.Test(t, func(t *testing.T) {
			j, err := OpenJournal[Call](l, "answers")
			must.Succeed(t, err)
			j.syncing = true // as while a sync is under way
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
			if rows, err := journalRows(t, l, j.name); err != nil || len(rows) != n {
				t.Errorf("before the sync %d rows are in the file, %v", len(rows), err)
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
			if rows, err := journalRows(t, l, j.name); err != nil || len(rows) != n {
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
	must.Succeed(t, err)
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
	must.Succeed(t, err)
	must.Succeed(t, idle.Close())
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
	must.Succeed(t, j.Delete())
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
	must.Succeed(t, err)
	must.Succeed(t, j.Append(Call{RequestHash: "first"}))
	whole := j.end
	must.Succeed(t, j.Append(Call{RequestHash: "second"}))
	must.Succeed(t, j.Close())
	content, err := os.ReadFile(l.Path(j.name))
	must.Succeed(t, err)
	second := int64(len(content) - recordHeader) // where its row ends and the mark of its sync begins
	for cut := whole; cut < int64(len(content)); cut++ {
		r, n := newRecordReader(memoryFile{bytes.NewReader(content[:cut])}, "j"), 0
		for r.next() {
			n++
		}
		want, end := 1, whole
		if cut >= second {
			want, end = 2, second
		}
		if n != want || r.err != nil || r.end != end {
			t.Fatalf("cut at %d: %d records up to %d, %v", cut, n, r.end, r.err)
		}
	}
	for cut := whole; cut < second; cut += 29 {
		must.Succeed(t, os.WriteFile(l.Path(j.name), content[:cut], 0o666))
		again, err := OpenJournal[Call](l, "j")
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		must.Succeed(t, again.Append(Call{RequestHash: "third"}))
		rows, err := journalRows(t, l, j.name)
		if err != nil || len(rows) != 2 || rows[0].RequestHash != "first" || rows[1].RequestHash != "third" {
			t.Fatalf("cut at %d: %v %v", cut, rows, err)
		}
		must.Succeed(t, again.Close())
	}
}

func TestJournalRefusesDamageInTheMiddle(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	j, err := OpenJournal[Call](l, "j")
	must.Succeed(t, err)
	must.Succeed(t, j.Append(Call{RequestHash: "first"}, Call{RequestHash: "second"}))
	must.Succeed(t, j.Close())
	content, err := os.ReadFile(l.Path(j.name))
	must.Succeed(t, err)
	content[recordHeader+3] ^= 1
	must.Succeed(t, os.WriteFile(l.Path(j.name), content, 0o666))
	if _, err := OpenJournal[Call](l, "j"); !errors.Is(err, ErrJournalDamaged) {
		t.Fatalf("got %v", err)
	}
}

func TestJournalReportsAFailedWriteToEveryWaiter(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	j, err := OpenJournal[Call](l, "j")
	must.Succeed(t, err)
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

// At high rates replies share syncs: twenty or more, whatever a sync costs and however many cores there are. Time is virtual, so
// that no other work on the machine has a say.
func TestJournalSyncsSeldom(t *testing.T) {
	for _, cores := range []int{1, 2} {
		for _, cost := range []time.Duration{100 * time.Microsecond, time.Millisecond, 20 * time.Millisecond} {
			l := newLake(t)
			synctest.Test(t, func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				j, err := OpenJournal[Call](l, "answers")
				must.Succeed(t, err)
				syncs := 0
				j.sync = func() error {
					syncs++
					time.Sleep(cost)
					return nil
				}
				const callers, replies = 64, 50 // 64 requests in flight, each answered after 5 to 15 ms
				var wg sync.WaitGroup
				for i := range callers {
					wg.Go(func() {
						random := rand.New(rand.NewPCG(1, uint64(i)))
						for range replies {
							time.Sleep(5*time.Millisecond + time.Duration(random.IntN(10_000))*time.Microsecond)
							if err := j.Append(Call{RequestHash: "0123456789abcdef", Reply: "A"}); err != nil {
								t.Error(err)
							}
						}
					})
				}
				wg.Wait()
				if share := float64(syncs) / (callers * replies); share > 0.05 {
					t.Errorf("%d cores, syncs of %v: %.3f syncs a reply", cores, cost, share)
				}
				if err := j.Close(); err != nil {
					t.Error(err)
				}
			})
			if rows, err := journalRows(t, l, journalDir+"/answers"+journalSuffix); err != nil || len(rows) != 3200 {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		}
	}
}

// Who comes alone is not kept waiting, and nobody is released before the sync that his rows are in.
func TestJournalReleasesAfterTheSync(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	synctest.Test(t, func(t *testing.T) {
		j, err := OpenJournal[Call](l, "answers")
		must.Succeed(t, err)
		var synced int64 // length of the file that is on disk
		j.sync = func() error {
			time.Sleep(time.Second)
			synced = fileSize(t, l.Path(j.name))
			return nil
		}
		for i := range 3 {
			began := time.Now()
			must.Succeed(t, j.Append(Call{RequestHash: fmt.Sprint(i)}))
			if took := time.Since(began); took != time.Second || j.end > synced || synced == 0 {
				t.Errorf("released after %v with %d of %d bytes on disk", took, synced, j.end)
			}
			time.Sleep(time.Second)
		}
		j.sync = func() error { return errors.New("the disk is gone") }
		if err := j.Append(Call{}); err == nil {
			t.Error("a row counts that could not be synced")
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

// tornJournal is a journal of three writes with so many rows each, as it is on disk while it is open, and where the last write
// begins.
func tornJournal(t *testing.T, l *Lake, rows int) (content []byte, last int64) {
	t.Helper()
	j, err := OpenJournal[Call](l, "j")
	must.Succeed(t, err)
	for write := range 3 {
		last = j.end
		var batch []Call
		for i := range rows {
			batch = append(batch, Call{RequestHash: fmt.Sprintf("%d/%d", write, i), Reply: strings.Repeat("word ", 60)})
		}
		must.Succeed(t, j.Append(batch...))
	}
	if content, err = os.ReadFile(l.Path(j.name)); err != nil {
		t.Fatal(err)
	}
	if end := j.end; len(content) != growth || !onlyZeros(content[end:]) {
		t.Fatalf("%d bytes, %d of them records", len(content), end)
	}
	must.Succeed(t, j.Close())
	if size := fileSize(t, l.Path(j.name)); size != j.end {
		t.Fatalf("closed with %d bytes, %d of them records", size, j.end)
	}
	return content, last
}

// When the power goes, any sectors of the last write can be missing: what was synced before it is whole, and rows go on behind
// it. A sector that is missing before something that was synced is damage.
func TestJournalsLastWriteIsTorn(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	const rows = 4
	content, last := tornJournal(t, l, rows)
	name := l.Path(journalDir + "/j" + journalSuffix)
	end := int64(len(bytes.TrimRight(content, "\x00")))
	rowsEnd := end - recordHeader // then comes the mark of the last sync
	first, sectors := last/sector, (end-1)/sector-last/sector+1
	if sectors < 4 || sectors > 12 {
		t.Fatalf("%d sectors", sectors)
	}
	for missing := range 1 << sectors {
		torn := slices.Clone(content)
		lost := false
		for i := range sectors {
			if missing>>i&1 == 1 {
				at := (first + i) * sector
				lost = lost || max(at, last) < rowsEnd
				clear(torn[max(at, last) : at+sector])
			}
		}
		r, read := newRecordReader(memoryFile{bytes.NewReader(torn)}, "j"), 0
		for r.next() {
			read++
		}
		if r.err != nil || read < 2*rows || lost == (read == 3*rows) {
			t.Fatalf("without the sectors %b: %d rows, %v", missing, read, r.err)
		}
		if missing%37 != 0 {
			continue
		}
		must.Succeed(t, os.WriteFile(name, torn, 0o666))
		j, err := OpenJournal[Call](l, "j")
		must.Succeed(t, err)
		must.Succeed(t, errors.Join(j.Append(Call{RequestHash: "new"}), j.Close()))
		if got := callHashes(t, l, "j"); len(got) != read+1 || got[read] != "new" {
			t.Fatalf("without the sectors %b: %v", missing, got)
		}
		l.Notices()
	}
	for at := int64(sector); at+sector <= last; at += sector {
		damaged := slices.Clone(content)
		clear(damaged[at : at+sector])
		r := newRecordReader(memoryFile{bytes.NewReader(damaged)}, "j")
		for r.next() {
		}
		if !errors.Is(r.err, ErrJournalDamaged) {
			t.Fatalf("the sector at %d of %d is missing: %v", at, last, r.err)
		}
	}
}

// The zeros behind the records of a run that was killed are used by the next one, are no work in flight that salvage would
// report, and need no copy.
func TestJournalsZerosAreUsed(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	content, _ := tornJournal(t, l, 2)
	name := l.Path(journalDir + "/j" + journalSuffix)
	must.Succeed(t, os.WriteFile(name, content, 0o666))
	if done, err := l.Salvage(); err != nil || len(done) > 0 {
		t.Errorf("%+v, %v", done, err)
	}
	j, err := OpenJournal[Call](l, "j")
	must.Succeed(t, err)
	if j.room != growth || j.end >= growth {
		t.Errorf("%d of %d bytes are records", j.end, j.room)
	}
	big := Call{RequestHash: "big", Reply: strings.Repeat("x", 2*growth)} // beyond the zeros
	if err := errors.Join(j.Append(big), j.Append(Call{RequestHash: "new"})); err != nil || j.room != 3*growth {
		t.Errorf("%d of %d bytes are records, %v", j.end, j.room, err)
	}
	must.Succeed(t, j.Close())
	if got := callHashes(t, l, "j"); len(got) != 8 || got[7] != "new" || len(l.Notices()) > 0 {
		t.Errorf("%v", got)
	}
}

// Another process reads while rows are appended: it sees whole rows in their order, and no damage.
func TestJournalIsReadWhileItGrows(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	j, err := OpenJournal[Call](l, "j")
	must.Succeed(t, err)
	const rows = 30
	done := make(chan error)
	go func() {
		var err error
		for i := range rows {
			err = errors.Join(err, j.Append(Call{RequestHash: fmt.Sprint(i), Reply: strings.Repeat("word ", 50_000)}))
		}
		done <- errors.Join(err, j.Close())
	}()
	for writing := true; writing; {
		select {
		case err := <-done:
			if writing = false; err != nil {
				t.Fatal(err)
			}
		default:
		}
		got := callHashes(t, l, "j")
		for i, hash := range got {
			if hash != fmt.Sprint(i) {
				t.Fatalf("row %d is %s", i, hash)
			}
		}
		if !writing && len(got) != rows {
			t.Errorf("%d rows", len(got))
		}
	}
}

func fileSize(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	must.Succeed(t, err)
	return info.Size()
}

// Any bytes are either a journal, cut at its last whole record, or refused: never a panic, and never rows that the
// checksum does not vouch for.
func FuzzReplayJournal(f *testing.F) {
	l := newLake(f)
	j, err := OpenJournal[Call](l, "seed")
	must.Succeed(f, err)
	must.Succeed(f, j.Append(Call{RequestHash: "a"}, Call{RequestHash: "b", Reply: "reply"}))
	content, err := os.ReadFile(l.Path(j.name))
	must.Succeed(f, err)
	f.Add(content)
	f.Add(content[:len(content)-3])
	f.Add(append(content[:len(content):len(content)], make([]byte, 64)...))
	f.Add([]byte{255, 255, 255, 255, 0, 0, 0, 0})
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
		if rows*recordHeader > len(content) {
			t.Fatalf("%d rows from %d bytes", rows, len(content))
		}
		// What can be salvaged is at least what can be read, and parts and records make up the file.
		kept, places, skipped := 0, 0, int64(0)
		for _, err := range l.salvageable(file, "j", func(p byteRange) { places, skipped = places+1, skipped+p.to-p.from }) {
			must.Succeed(t, err)
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

func BenchmarkJournalAppend(b *testing.B) {
	l := newLake(b)
	j, err := OpenJournal[Call](l, "bench")
	must.Succeed(b, err)
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
