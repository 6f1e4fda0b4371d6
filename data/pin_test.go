package data

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// Processes pin the same files at a time: each has all of them, and no temporary file is left.
func TestPinBesideAnother(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	stem := commitRows(t, l, "test", "captions", Captions, Caption{ImageID: "i"})
	sum, err := l.Digest(Captions.Name() + "/" + stem + ".parquet")
	must.Succeed(t, err)
	var both sync.WaitGroup
	for range 4 {
		r, err := Open(l.dir)
		must.Succeed(t, err)
		both.Go(func() {
			for i := range 100 {
				folder := fmt.Sprintf("pinned/%d", i)
				pinned, err := r.Pin(Captions, stem, sum.SHA256, folder)
				if now, digestErr := r.digestOf(pinned, true); err != nil || digestErr != nil || now != sum {
					t.Errorf("%d: %v %v", i, err, digestErr)
				}
			}
		})
	}
	both.Wait()
	if left, err := filepath.Glob(filepath.Join(l.dir, "pinned", "*", "*"+tempSuffix)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// A pinned file keeps its bytes when its unit is replaced or removed, and is never that of another version of the unit.
func TestPin(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	unit := Unit{Stage: "test", Name: "captions", Provenance: ProvenanceSimulated}
	commit := func(caption string) string {
		t.Helper()
		tx, err := l.Begin(unit)
		must.Succeed(t, err)
		defer tx.Abort()
		w, err := NewRowWriter(tx, Captions)
		must.Succeed(t, err)
		must.Succeed(t, errors.Join(w.Write(Caption{ImageID: "i", Captioner: "c", Prompt: "p", Caption: caption}), tx.Commit()))
		state, err := l.UnitState(Captions, unit)
		must.Succeed(t, err)
		return state
	}
	first := commit("one")
	pinned, err := l.Pin(Captions, unit.FileStem(), first, "pinned/captions")
	if err != nil || PinnedUnit(PinnedName(unit.FileStem(), first)) != unit.FileStem() {
		t.Fatal(pinned, err)
	}
	before, err := os.ReadFile(l.Path(pinned))
	must.Succeed(t, err)
	second := commit("two")
	if _, err := l.Pin(Captions, unit.FileStem(), first+"0", "pinned/others"); !errors.Is(err, ErrUnitReplaced) {
		t.Errorf("a file that was replaced is pinned: %v", err)
	}
	again, err := l.Pin(Captions, unit.FileStem(), second, "pinned/captions")
	if err != nil || again == pinned {
		t.Error(again, err)
	}
	must.Succeed(t, l.Remove(unit.FileStem()))
	if _, err := l.Pin(Captions, unit.FileStem(), second, "pinned/others"); !errors.Is(err, ErrUnitReplaced) {
		t.Errorf("a file that was removed is pinned: %v", err)
	}
	after, err := os.ReadFile(l.Path(pinned))
	if err != nil || string(after) != string(before) {
		t.Errorf("the pinned file changed with its unit: %v", err)
	}
	if _, err := l.Pin(Captions, "../captions/x-00000000", second, "pinned"); err == nil {
		t.Error("a name that is not a unit's is pinned")
	}
	// Where the file system has no second names, the file is copied.
	if err := errors.Join(CopyFile(l.store, "pinned/copy.parquet", l.store, pinned), l.isPinned(pinned, "pinned/copy.parquet", first)); err != nil {
		t.Error(err)
	}
	if footer, err := l.Footer("pinned/copy.parquet"); err != nil || footer.Run == "" || footer.FieldIDs["provenance"] != 10 {
		t.Error(footer, err)
	}
	if err := l.SyncPinned("pinned/captions"); err != nil {
		t.Error(err)
	}
}
