package data

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/must"
)

// SQL answers the queries of these tests; the package beside this one sets it.
var SQL Reader

func newLake(t testing.TB) *Lake {
	t.Helper()
	l := must.Get(Waiter{Reader: SQL}.Create(filepath.Join(t.TempDir(), "lake"), "test"))(t)
	t.Cleanup(func() { must.Succeed(t, l.Close()) })
	return l
}

// die ends the writing to a lake as the death of its process does: all that is left are files.
func die(t testing.TB, l *Lake) {
	t.Helper()
	must.Succeed(t, l.Close())
}

// copyOf is a lake of the test's own with the content of another one.
func copyOf(t testing.TB, l *Lake) *Lake {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lake")
	must.Succeed(t, os.CopyFS(dir, os.DirFS(l.Dir())))
	copied := must.Get(Waiter{Reader: SQL}.Edit(dir, "test"))(t)
	t.Cleanup(func() { must.Succeed(t, copied.Close()) })
	return copied
}

func commitCaptions(t testing.TB, l *Lake, name, fingerprint string, captions ...Caption) error {
	t.Helper()
	tx := must.Get(l.Begin(Unit{Stage: "test", Name: name, Fingerprint: fingerprint, Provenance: ProvenanceMeasured,
		Source: "test"}))(t)
	defer tx.Abort()
	w := must.Get(NewRowWriter(tx, Captions))(t)
	must.Succeed(t, w.Write(captions...))
	return tx.Commit()
}

func allRows[T any](t testing.TB, l *Lake, table Table[T]) []T {
	t.Helper()
	return collect(t, Scan(l, table))
}

// collect ends the test if there is an error among the rows.
func collect[T any](t testing.TB, rows iter.Seq2[T, error]) (all []T) {
	t.Helper()
	for row, err := range rows {
		must.Succeed(t, err)
		all = append(all, row)
	}
	return all
}

// hinted is laketest.Hint, which tests of this package cannot import.
func hinted(t testing.TB, err error, next string, want ...any) {
	t.Helper()
	expect.Failure(t, err, want...)
	hint := new(HintError)
	if errors.As(err, &hint); hint.Err == nil || !strings.Contains(hint.Hint, next) {
		t.Errorf("the hint of %v is %q, want %q", err, hint.Hint, next)
	}
}

// sound fails the test if a lake has a fault.
func sound(t testing.TB, l *Lake) {
	t.Helper()
	must.Succeed(t, must.Get(l.Check(CheckPictures, nil))(t).Err(l))
}

// noTemps fails the test if a temporary file is left.
func noTemps(t testing.TB, store files.Store) {
	t.Helper()
	for _, name := range must.Get(store.List(journalDir))(t) {
		expect.Equal(t, strings.HasSuffix(name, tempSuffix), false, name)
	}
}

// flip changes a bit in the middle of a file.
func flip(t testing.TB, path string) {
	t.Helper()
	content := must.Read(t, path)
	content[len(content)/2] ^= 4
	must.Write(t, path, content)
}

// snapshot maps every file of a folder to its content, but for the files of locks, which say who
// had one last.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".lock" {
			return err
		}
		content, err := os.ReadFile(path)
		files[path] = string(content)
		return err
	})
	must.Succeed(t, err)
	return files
}

func TestUnitReplacesItsFilesWhole(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	must.Succeed(t, commitCaptions(t, l, "one", "f1", Caption{ImageID: "b", Caption: "two"},
		Caption{ImageID: "a", Caption: "one"}))
	if got := allRows(t, l, Captions); len(got) != 2 || got[0].ImageID != "a" || got[1].ImageID != "b" {
		t.Fatalf("rows are not sorted by key: %+v", got)
	}
	must.Succeed(t, commitCaptions(t, l, "one", "f2", Caption{ImageID: "c"}))
	if got := allRows(t, l, Captions); len(got) != 1 || got[0].ImageID != "c" {
		t.Fatalf("the second execution should replace the first: %+v", got)
	}
	if runs := allRows(t, l, Runs); len(runs) != 2 || runs[0].Rows+runs[1].Rows != 3 {
		t.Fatalf("runs should keep both executions: %+v", runs)
	}
}

func TestDoneComparesFingerprints(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	u := Unit{Stage: "test", Name: "one", Fingerprint: "f1"}
	must.Equal(t, must.Get(l.Done(u))(t), false, "an absent unit")
	must.Succeed(t, commitCaptions(t, l, "one", "f1", Caption{ImageID: "a"}))
	must.Equal(t, must.Get(l.Done(u))(t), true, "the same fingerprint")
	must.Equal(t, must.Get(l.Done(Unit{Stage: "test", Name: "one", Fingerprint: "f2"}))(t), false,
		"another fingerprint")
	must.Succeed(t, l.store.Remove("captions/"+u.FileStem()+".parquet"))
	must.Equal(t, must.Get(l.Done(u))(t), false, "a unit whose file was deleted")
}

// A clock that jumps back must not make an older execution pass for the one that wrote the unit's
// files.
func TestDoneDoesNotTrustTheClock(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	clock := time.Unix(2_000_000_000, 0)
	l.now = func() time.Time { return clock }
	for _, fingerprint := range []string{"a", "b", "a", "b"} {
		must.Succeed(t, commitCaptions(t, l, "one", fingerprint, Caption{ImageID: fingerprint}))
		for _, u := range []string{"a", "b"} {
			done, err := l.Done(Unit{Stage: "test", Name: "one", Fingerprint: u})
			if err != nil || done != (u == fingerprint) {
				t.Fatalf("%s wrote the files, %s done: %v %v", fingerprint, u, done, err)
			}
		}
		clock = clock.Add(-time.Hour)
	}
}

func TestTwoRowsOfOneKeyAreRefused(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	before := snapshot(t, l.dir)
	err := commitCaptions(t, l, "one", "f", Caption{ImageID: "a", Captioner: "m"},
		Caption{ImageID: "a", Captioner: "m"})
	expect.Failure(t, err, "two rows with the key image_id=a captioner=m prompt=")
	must.Equal(t, snapshot(t, l.dir), before, "a refused unit changed the lake")
}

func TestRowsOfAnotherUnitAreRefused(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	must.Succeed(t, commitCaptions(t, l, "one", "f", Caption{ImageID: "a", Captioner: "m"},
		Caption{ImageID: "c", Captioner: "m"}))
	before := snapshot(t, l.dir)
	err := commitCaptions(t, l, "two", "f", Caption{ImageID: "b", Captioner: "m"},
		Caption{ImageID: "c", Captioner: "m"})
	hinted(t, err, "captionlake --lake "+l.dir+" remove test-one-", ErrDuplicateKey)
	must.Equal(t, snapshot(t, l.dir), before, "a refused unit changed the lake")
	must.Succeed(t, commitCaptions(t, l, "two", "f", Caption{ImageID: "b", Captioner: "m"},
		Caption{ImageID: "c", Captioner: "m2"}))
	must.Succeed(t, l.Remove(stemOf("one")))
	must.Equal(t, len(allRows(t, l, Captions)), 2, "after removal of the first unit")
	if err := l.Remove("nothing"); err == nil {
		t.Fatal("removing an absent unit should fail")
	}
}

// writeCaptions begins a unit of captions.
func writeCaptions(t *testing.T, l *Lake) (*Tx, *RowWriter[Caption]) {
	t.Helper()
	tx := must.Get(l.Begin(Unit{Stage: "test", Name: "captions", Provenance: ProvenanceSimulated}))(t)
	t.Cleanup(tx.Abort)
	w := must.Get(NewRowWriter(tx, Captions))(t)
	return tx, w
}

func TestLargeUnitsAreSortedThroughFiles(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	l := newLake(t)
	tx, w := writeCaptions(t, l)
	const n = 2*rowGroupRows + 17 // in several runs of the sort and three row groups
	for i := range n {
		// 7919 is prime to n, so this walks every number below n once, out of order.
		must.Succeed(t, w.Write(Caption{ImageID: fmt.Sprintf("%07d", i*7919%n), Caption: "x"}))
	}
	must.Succeed(t, tx.Commit())
	i := 0
	for row, err := range Scan(l, Captions) {
		must.Succeed(t, err)
		must.Equal(t, row.ImageID, fmt.Sprintf("%07d", i), i)
		i++
	}
	must.Equal(t, i, n)
	noTemps(t, l.store)
}

// Of rows with one key the writer that keeps the last has the last, wherever the sort has them
// meet; others refuse them.
func TestWriterKeepsTheLastOnRequest(t *testing.T) {
	t.Parallel()
	for _, n := range []int{3, sortRows + 3, 2*sortRows + 3} {
		l := newLake(t)
		tx, w := writeCaptions(t, l)
		w.KeepLast()
		write := func(id, text string) {
			t.Helper()
			must.Succeed(t, w.Write(Caption{ImageID: id, Caption: text}))
		}
		write("a", "1") // alone in its run when there are several
		for i := range n {
			write(fmt.Sprintf("b%07d", i), "only")
		}
		for _, text := range []string{"2", "3"} {
			write("a", text)
			write("c", text)
		}
		must.Succeed(t, tx.Commit())
		texts := map[string]string{}
		for row, err := range Scan(l, Captions) {
			must.Succeed(t, err)
			if _, twice := texts[row.ImageID]; twice {
				t.Fatalf("%s is there twice", row.ImageID)
			}
			texts[row.ImageID] = row.Caption
		}
		if len(texts) != n+2 || texts["a"] != "3" || texts["c"] != "3" || w.Rows() != int64(n+2) {
			t.Errorf("%d rows, the writer says %d; a is %q and c is %q", len(texts), w.Rows(), texts["a"], texts["c"])
		}
	}
}

func TestForeignFoldersAreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	expect.Refusal(Open(dir))(t, ErrNotALake)
	must.Write(t, filepath.Join(dir, "thesis.tex"), "")
	expect.Refusal(Create(dir, "test"))(t, ErrNotALake)
	must.Equal(t, len(snapshot(t, dir)), 1, "a refused folder was written to")
}

func TestReadersCannotWrite(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	r := must.Get(Open(l.dir))(t)
	if _, err := r.Begin(Unit{Stage: "x", Provenance: ProvenanceMeasured}); err == nil {
		t.Fatal("a lake open for reading took a unit")
	}
}

// An interrupted commit is completed by whoever opens the lake next, at whichever step it stopped.
func TestInterruptedCommitIsCompleted(t *testing.T) {
	t.Parallel()
	for step := range 3 {
		t.Run(fmt.Sprint(step), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "lake")
			l := must.Get(Create(dir, "test"))(t)
			l.store = &stoppingStore{Store: l.store, left: step}
			err := commitCaptions(t, l, "one", "f", Caption{ImageID: "a"})
			if step < 2 && !errors.Is(err, errStop) || step == 2 && err != nil {
				t.Fatalf("commit: %v", err)
			}
			must.Succeed(t, l.Close())
			again := must.Get(Open(dir))(t)
			must.Equal(t, len(allRows(t, again, Captions)), 1, "the committed unit is not there")
			must.Equal(t, len(allRows(t, again, Runs)), 1, "its run is not there")
			must.Equal(t, len(must.Get(pendingCommits(again))(t)), 0, "commit records left")
		})
	}
}

var errStop = errors.New("stopped on purpose")

// stoppingStore fails moves, after as many as left. It counts moves within the journal only if they
// count.
type stoppingStore struct {
	files.Store
	left   int
	counts bool
}

func (s *stoppingStore) Move(from, to string) error {
	if s.counts || !strings.HasPrefix(to, journalDir) {
		if s.left == 0 {
			return errStop
		}
		s.left--
	}
	return s.Store.Move(from, to)
}

func TestFilesCarryProvenanceAndSorting(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	must.Succeed(t, commitCaptions(t, l, "one", "f1", Caption{ImageID: "a"}))
	names, err := l.Files(Captions)
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	f := must.Get(l.store.Open(names[0]))(t)
	defer f.Close()
	pf := must.Get(parquet.OpenFile(f, f.Size()))(t)
	for key, want := range map[string]string{
		"captionlake.provenance": "measured", "captionlake.fingerprint": "f1", "captionlake.stage": "test",
		"captionlake.tool_version": Version,
	} {
		if got, ok := pf.Lookup(key); !ok || got != want {
			t.Errorf("metadata %s = %q, want %q", key, got, want)
		}
	}
	var sorting []string
	for _, c := range pf.RowGroups()[0].SortingColumns() {
		sorting = append(sorting, c.Path()[0])
	}
	expect.Equal(t, sorting, Captions.Key())
}

// writeUnit commits a unit of rows of one table.
func writeUnit[T any](t testing.TB, l *Lake, u Unit, table Table[T], rows ...T) {
	t.Helper()
	tx := must.Get(l.Begin(u))(t)
	defer tx.Abort()
	w := must.Get(NewRowWriter(tx, table))(t)
	must.Succeed(t, w.Write(rows...))
	must.Succeed(t, tx.Commit())
}
