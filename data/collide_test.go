package data

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data/must"
)

// openedStore counts the opened files of a folder.
type openedStore struct {
	Store
	folder string
	opened int
}

func (s *openedStore) Open(name string) (File, error) {
	if path.Dir(name) == s.folder {
		s.opened++
	}
	return s.Store.Open(name)
}

// A commit reads the footers of files that are new to the process, and not those of the whole table again; what it remembers follows
// units that are replaced and removed.
func TestCommitReadsFewFooters(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	store := &openedStore{Store: l.store, folder: Captions.Name()}
	l.store = store
	one := func(unit, captioner string) error {
		return commitCaptions(t, l, unit, "f"+captioner, Caption{ImageID: "a", Captioner: captioner}, Caption{ImageID: "z", Captioner: captioner})
	}
	const units = 40
	for i := range units {
		must.Succeed(t, one(fmt.Sprint("unit ", i), fmt.Sprintf("model-%02d", i)))
	}
	if store.opened > 3*units {
		t.Errorf("%d units opened %d files of the table", units, store.opened)
	}
	if err := one("another", "model-07"); !errors.Is(err, ErrDuplicateKey) {
		t.Errorf("rows of unit 7 again: %v", err)
	}
	must.Succeed(t, one("unit 7", "model-77"))
	if err := one("another", "model-07"); err != nil {
		t.Errorf("unit 7 has other rows now: %v", err)
	}
	if err := one("unit 8", "model-07"); !errors.Is(err, ErrDuplicateKey) {
		t.Errorf("rows of another unit again: %v", err)
	}
	must.Succeed(t, l.Remove(Unit{Stage: "test", Name: "another"}.FileStem()))
	if err := one("unit 8", "model-07"); err != nil {
		t.Errorf("the other unit is removed: %v", err)
	}
}

// Files that come, are replaced and go: among those that the index offers for bounds are all that overlap with them, each once, and where a
// column tells most files apart they are few.
func TestIndexOffersAllThatOverlap(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	column := func(values int, wide bool) bounds {
		low := draw.IntN(values)
		high := low
		if wide {
			high += draw.IntN(values)
		}
		if draw.IntN(50) == 0 {
			return bounds{} // a file without statistics
		}
		text := func(n int) parquet.Value { return parquet.ByteArrayValue(fmt.Appendf(nil, "%04d", n)) }
		return bounds{text(low), text(high), parquet.ByteArrayType.Compare}
	}
	key := func() []bounds {
		return []bounds{column(1, false), column(300, draw.IntN(10) == 0), column(20, true)}
	}
	x := &boundsIndex{}
	index := &tableIndex{files: map[string]*indexedFile{}}
	offered, rounds := 0, 3000
	for range rounds {
		name := fmt.Sprint("file ", draw.IntN(1000))
		if draw.IntN(4) == 0 {
			index.remove(name)
		} else {
			x.add(index, name)
			f := index.files[name]
			f.keys = key()
			index.place(f)
		}
		index.tidy()
		mine := key()
		found := index.candidates(mine)
		offered += len(found)
		for name, f := range index.files {
			if n := len(slices.DeleteFunc(slices.Clone(found), func(o *indexedFile) bool { return o != f })); n > 1 || n == 0 && overlap(mine, f.keys) {
				t.Fatalf("%s is offered %d times, with the bounds %v for %v", name, n, f.keys, mine)
			}
		}
		states := 0
		for _, c := range index.columns[:min(1, len(index.columns))] {
			states = len(c.single["0000"]) + len(c.wide)
		}
		if states > 2*len(index.files)+mostGone+1 {
			t.Fatalf("the index has %d states of %d files", states, len(index.files))
		}
	}
	if offered/rounds > 200 {
		t.Errorf("%d files were offered on average, of some 700", offered/rounds)
	}
}
