package data

import (
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

func journalRows(t testing.TB, l *Lake, unit string) ([]Call, error) {
	t.Helper()
	var rows []Call
	for row, err := range JournalRows[Call](l, unit) {
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
			if rows, err := journalRows(t, l, j.unit); err != nil || len(rows) != n {
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
			if rows, err := journalRows(t, l, j.unit); err != nil || len(rows) != n {
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
			if err := j.Append(Call{RequestHash: fmt.Sprint(i), Text: "A\nB\u2028"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// Rows that were appended are there for another process while the journal is open.
	rows, err := journalRows(t, l, j.unit)
	if err != nil || len(rows) != 64 || rows[0].Text != "A\nB\u2028" {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	idle, err := OpenJournal[Call](l, "idle") // A journal without a row is no work in flight.
	must.Succeed(t, err)
	must.Succeed(t, idle.Close())
	if names, err := l.Journals(); err != nil || len(names) != 1 || names[0] != "answers" {
		t.Fatalf("%v %v", names, err)
	}
	if rows, err := journalRows(t, l, "absent"); err != nil || len(rows) > 0 {
		t.Errorf("%v %v", rows, err)
	}
	must.Succeed(t, j.Delete())
	if err := j.Append(Call{}); err == nil {
		t.Fatal("a closed journal took a row")
	}
	if names, err := l.Journals(); err != nil || len(names) != 0 {
		t.Fatalf("%v %v", names, err)
	}
}

// Whatever length a crash leaves of the last line, the lines before it are whole, new ones follow them, and a copy is kept of what was
// cut off.
func TestJournalCutsATornLineOff(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	content := putJournal(t, l, "j", 2)
	name := l.Path(journalDir + "/j" + journalSuffix)
	whole := len(content) / 2
	for cut := whole + 1; cut < len(content); cut += 7 {
		torn := content[whole:cut]
		must.Succeed(t, os.WriteFile(name, content[:cut], 0o666))
		if got := callHashes(t, l, "j"); len(got) != 1 { // as another process reads it
			t.Fatalf("cut at %d: %q", cut, got)
		}
		j, err := OpenJournal[Call](l, "j")
		must.Succeed(t, err)
		must.Succeed(t, errors.Join(j.Append(Call{RequestHash: "third"}), j.Close()))
		if got := callHashes(t, l, "j"); !slices.Equal(got, []string{"0000", "third"}) {
			t.Fatalf("cut at %d: %q", cut, got)
		}
		aside := l.Path(journalDir + "/j.1" + cutSuffix)
		if kept, err := os.ReadFile(aside); err != nil || string(kept) != string(torn) || len(l.Notices()) != 1 {
			t.Fatalf("cut at %d: the copy is %q, %v", cut, kept, err)
		}
		must.Succeed(t, os.Remove(aside))
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
							if err := j.Append(Call{RequestHash: "0123456789abcdef", Text: "A"}); err != nil {
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
			if rows, err := journalRows(t, l, "answers"); err != nil || len(rows) != 3200 {
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
			if took := time.Since(began); took != time.Second || fileSize(t, l.Path(j.name)) > synced || synced == 0 {
				t.Errorf("released after %v with %d bytes on disk", took, synced)
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
			err = errors.Join(err, j.Append(Call{RequestHash: fmt.Sprint(i), Text: strings.Repeat("word ", 50_000)}))
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

// Any bytes are either a journal, up to its last whole line, or refused: never a panic, and never rows that the checksum does not vouch
// for. What can be kept and what cannot make up the file.
func FuzzJournal(f *testing.F) {
	content := putJournal(f, newLake(f), "seed", 2)
	f.Add(content)
	f.Add(content[:len(content)-3])
	f.Add(append(content[:len(content):len(content)], make([]byte, 64)...))
	f.Add([]byte("\n\n{}\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, bytes := newLineReader(strings.NewReader(string(content)), int64(len(content)), "j"), int64(0)
		for line, err := range r.lines(func() error { bytes += r.to - r.from; return nil }) {
			must.Succeed(t, err)
			bytes += int64(len(line))
			if _, err := decodeRow[map[string]any](line); err != nil && !errors.Is(err, ErrJournalDamaged) {
				t.Fatal(err)
			}
		}
		if bytes != int64(len(content)) {
			t.Fatalf("%d of %d bytes", bytes, len(content))
		}
	})
}

func BenchmarkJournalAppend(b *testing.B) {
	l := newLake(b)
	j, err := OpenJournal[Call](l, "bench")
	must.Succeed(b, err)
	b.SetParallelism(128)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := j.Append(Call{RequestHash: "0123456789abcdef", Text: "A", State: "ok"}); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
