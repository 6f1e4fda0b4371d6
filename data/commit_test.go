package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/must"
)

const someStem = "test-one-0123abcd"

// closedLake makes a lake with one unit of captions beside a file that is not its own, and closes
// it.
func closedLake(t testing.TB) (dir, unit string) {
	t.Helper()
	around := t.TempDir()
	dir = filepath.Join(around, "lake")
	l := must.Get(Create(dir, "test"))(t)
	must.Succeed(t, commitCaptions(t, l, "one", "f", Caption{ImageID: "a"}))
	must.Succeed(t, l.Close())
	for _, name := range []string{"victim", "lake/journal/" + someStem + ".captions.tmp"} {
		must.Write(t, filepath.Join(around, filepath.FromSlash(name)), "victim")
	}
	return dir, stemOf("one")
}

func putRecord(t testing.TB, dir, stem string, r commitRecord, sum bool) {
	t.Helper()
	content, err := json.Marshal(r)
	if sum {
		content, err = r.encode()
	}
	must.Succeed(t, err)
	must.Write(t, filepath.Join(dir, journalDir, stem+commitSuffix), content)
}

// A lake may come from somebody else. Its commit records move and remove only what captionlake's
// own records would. Readers and writers refuse any other record whole, before anything is moved.
func TestForeignCommitRecordsTouchNothing(t *testing.T) {
	t.Parallel()
	source, target := journalDir+"/"+someStem+".captions.tmp", "captions/"+someStem+".parquet"
	sound := move{source, target}
	records := map[string]commitRecord{
		"source outside":          {Moves: []move{sound, {"../victim", target}}},
		"source in the journal":   {Moves: []move{sound, {"journal/../../victim.tmp", target}}},
		"source in a table":       {Moves: []move{sound, {target, "questions/" + someStem + ".parquet"}}},
		"source is the lock":      {Moves: []move{sound, {commitLock, target}}},
		"source is absolute":      {Moves: []move{sound, {"/etc/hostname.tmp", target}}},
		"target outside":          {Moves: []move{sound, {source, "../stolen"}}},
		"target climbs":           {Moves: []move{sound, {source, "captions/../../" + someStem + ".parquet"}}},
		"target is no table":      {Moves: []move{sound, {source, "figures/" + someStem + ".parquet"}}},
		"target is the marker":    {Moves: []move{sound, {source, markerFile}}},
		"target is no stem":       {Moves: []move{sound, {source, "captions/x.parquet"}}},
		"target is no picture":    {Moves: []move{sound, {source, "pictures/" + someStem + ".png"}}},
		"removes outside":         {Moves: []move{sound}, Removes: []string{"../victim"}},
		"removes by climbing":     {Moves: []move{sound}, Removes: []string{"captions/../../victim"}},
		"removes the marker":      {Moves: []move{sound}, Removes: []string{markerFile}},
		"removes a picture":       {Moves: []move{sound}, Removes: []string{"pictures/" + strings.Repeat("0", 64) + ".png"}},
		"backslashes":             {Moves: []move{sound, {source, `captions\..\..\stolen`}}},
		"a line end in the table": {Moves: []move{sound, {source, target + "\n"}}},
	}
	refused := func(name, stem string, r commitRecord, sum bool) {
		t.Run(fmt.Sprintf("%s/%v", name, sum), func(t *testing.T) {
			dir, _ := closedLake(t)
			putRecord(t, dir, stem, r, sum)
			refusesAndTouchesNothing(t, dir, "nothing was moved or removed", ErrCommitRecord)
		})
	}
	for name, r := range records {
		refused(name, someStem, r, false)
		refused(name, someStem, r, true)
	}
	refused("another unit", someStem, commitRecord{Removes: []string{"captions/" + stemOf("one") + ".parquet"}}, false)
	refused("named like no unit", "x", commitRecord{Moves: []move{sound}}, true)
}

// ways are how a lake is opened.
var ways = []func(dir string) (*Lake, error){
	Open,
	func(dir string) (*Lake, error) { return Waiter{}.Edit(dir, "test") },
	func(dir string) (*Lake, error) { return Create(dir, "test") },
}

func refusesAndTouchesNothing(t *testing.T, dir, next string, want error) {
	t.Helper()
	before := snapshot(t, filepath.Dir(dir))
	for _, open := range ways {
		_, err := open(dir)
		hinted(t, err, next, want)
	}
	expect.Equal(t, snapshot(t, filepath.Dir(dir)), before, "a refused lake was changed")
}

// Links are names, too: through them a sound record leads nowhere outside.
func TestLinksDoNotLeadOut(t *testing.T) {
	t.Parallel()
	dir, _ := closedLake(t)
	outside := filepath.Join(filepath.Dir(dir), "outside")
	if err := errors.Join(os.Mkdir(outside, 0o777), os.Symlink(outside, filepath.Join(dir, "questions"))); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	putRecord(t, dir, someStem, commitRecord{Moves: []move{{journalDir + "/" + someStem + ".captions.tmp",
		"questions/" + someStem + ".parquet"}}}, true)
	if _, err := Open(dir); err == nil {
		t.Error("a move through a link was carried out")
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside holds %v, %v", entries, err)
	}
}

// One wrong bit anywhere in a commit record is noticed, or is one that changes nothing.
func TestFlippedBitsOfACommitRecord(t *testing.T) {
	t.Parallel()
	record := commitRecord{
		Moves:   []move{{journalDir + "/" + someStem + ".captions.tmp", "captions/" + someStem + ".parquet"}},
		Removes: []string{"captions/test-two-0123abcd.parquet"},
	}
	content := must.Get(record.encode())(t)
	must.Get(decodeCommit(content, someStem))(t)
	for bit := range len(content) * 8 {
		flipped := slices.Clone(content)
		flipped[bit/8] ^= 1 << (bit % 8)
		got, err := decodeCommit(flipped, someStem)
		if err == nil && (!slices.Equal(got.Moves, record.Moves) || !slices.Equal(got.Removes, record.Removes)) {
			t.Fatalf("bit %d: %s is taken for %+v", bit, flipped, got)
		}
	}
}

// Names of units come from people: what is not a name cannot become a path.
func TestRemoveTakesNamesOnly(t *testing.T) {
	t.Parallel()
	dir, unit := closedLake(t)
	other, otherUnit := closedLake(t)
	l := must.Get(Waiter{}.Edit(dir, "test"))(t)
	defer l.Close()
	before := snapshot(t, other)
	away := must.Get(filepath.Rel(filepath.Join(dir, "runs"), filepath.Join(other, "runs", otherUnit)))(t)
	for _, name := range []string{filepath.ToSlash(away), "../runs/" + unit, "./" + unit, "", ".", "..", unit + "/",
		strings.ToUpper(unit), unit + "\x00"} {
		hinted(t, l.Remove(name), "", "is not the name of a unit")
		if _, err := OpenJournal[Call](l, name+"/x"); err == nil {
			t.Errorf("%q became the name of a journal", name)
		}
	}
	expect.Equal(t, snapshot(t, other), before, "the other lake has changed")
	expect.Equal(t, len(allRows(t, l, Captions)), 1, "captions are left")
	for _, name := range []string{"../victim", "/etc/hostname", "pictures/../../victim"} {
		if path, err := l.LocalPath(name); err == nil {
			t.Errorf("%q became the path %s", name, path)
		}
	}
	expect.Equal(t, must.Get(l.LocalPath("pictures/absent.png"))(t), filepath.Join(dir, "pictures", "absent.png"))
	if _, err := (&Tx{unitHeader: unitHeader{lake: l}}).AddPicture([]byte("x"), "../../x"); err == nil {
		t.Error("a picture's ending became a path")
	}
}

// readOnlyStore is the store of a file system that takes no writes.
type readOnlyStore struct{ files.Store }

func (readOnlyStore) Move(string, string) error { return syscall.EROFS }
func (readOnlyStore) Remove(string) error       { return syscall.EROFS }

// keepingStore removes nothing that is a row's.
type keepingStore struct{ files.Store }

func (s keepingStore) Remove(name string) error {
	if strings.HasSuffix(name, ".parquet") {
		return errStop
	}
	return s.Store.Remove(name)
}

// Where an interrupted commit cannot be completed, the lake is read as the commit will have left
// it.
func TestReadOnlyLakeWithAPendingCommit(t *testing.T) {
	t.Parallel()
	for step := range 2 {
		dir, unit := closedLake(t)
		l := must.Get(Waiter{}.Edit(dir, "test"))(t)
		whole := l.store
		l.store = &stoppingStore{Store: whole, left: step}
		expect.Failure(t, commitCaptions(t, l, "two", "f", Caption{ImageID: "b"}), errStop)
		l.store = whole
		must.Succeed(t, l.Close())
		before := snapshot(t, dir)
		r := must.Get(openRoot(dir))(t)
		r.store = committed{readOnlyStore{r.store}, r}
		expect.Equal(t, len(allRows(t, r, Captions)), 2, step)
		if check, err := r.Check(CheckPictures, nil); err != nil || len(check.Faults) > 0 || check.Files != 2 {
			t.Errorf("step %d: %+v %v", step, check, err)
		}
		expect.Equal(t, snapshot(t, dir), before, step)
		// A lake that can be written is made whole.
		r = must.Get(Open(dir))(t)
		expect.Equal(t, len(allRows(t, r, Captions)), 2, step)
		// A removal.
		l = must.Get(Waiter{}.Edit(dir, "test"))(t)
		whole = l.store
		l.store = keepingStore{whole}
		expect.Failure(t, l.Remove(unit), errStop)
		l.store = whole
		r.store = committed{readOnlyStore{whole}, r}
		expect.Equal(t, len(allRows(t, r, Captions)), 1, step)
		must.Succeed(t, l.Close())
	}
}

// A lake of an earlier or a later layout is neither read nor written.
func TestOtherLayoutsAreRefused(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]error{
		"captionlake lake, layout 99\n":     ErrOtherLayout,
		"captionlake lake, layout 1\n":      ErrOtherLayout,
		"captionlake lake, layout 0\n":      ErrNotALake,
		"captionlake lake, layout 1 or 2\n": ErrNotALake,
		"":                                  ErrNotALake,
	} {
		dir, _ := closedLake(t)
		must.Write(t, filepath.Join(dir, markerFile), content)
		refusesAndTouchesNothing(t, dir, "", want)
	}
}

// The Python package reads the files of a lake by itself: it must know the layout that captionlake
// writes.
func TestThePythonPackageKnowsTheLayout(t *testing.T) {
	t.Parallel()
	source := must.Read(t, "../analytics/python/src/captionlake/_files.py")
	if line := fmt.Sprintf("\nLAYOUT = %d\n", layout); !strings.Contains(string(source), line) {
		t.Errorf("_files.py does not say %q", line)
	}
}

func TestWhatIsNoFolderIsToldWithTheNextStep(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file.txt")
	must.Write(t, file, "text")
	for _, dir := range []string{file, filepath.Join(file, "lake")} {
		for _, open := range ways {
			_, err := open(dir)
			hint := new(HintError)
			errors.As(err, &hint)
			expect.Failure(t, err, ErrNotALake)
			expect.Equal(t, hint.Hint, "name a folder with --lake", dir)
		}
	}
	l := &Lake{dir: "lake"}
	for _, err := range []error{syscall.EROFS, syscall.EACCES,
		&os.PathError{Op: "open", Path: "lake/journal/commits", Err: syscall.EACCES}} {
		hinted(t, l.writeError(err), "", err, "lake: the lake cannot be written")
	}
}

// TestPermissionsOfTheLakeAreNamed opens a lake for writing whose journal may not be written.
func TestPermissionsOfTheLakeAreNamed(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("permissions do not bind root; run the tests as another user")
	}
	dir, _ := closedLake(t)
	must.Succeed(t, os.Chmod(filepath.Join(dir, journalDir), 0o555))
	_, err := (Waiter{}).Edit(dir, "test")
	hinted(t, err, "", "the lake cannot be written")
}
