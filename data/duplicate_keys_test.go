package data

import (
	"fmt"
	"path"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/must"
)

// openedStore counts the opened files of a folder.
type openedStore struct {
	files.Store
	folder string
	opened int
}

func (s *openedStore) Open(name string) (files.File, error) {
	if path.Dir(name) == s.folder {
		s.opened++
	}
	return s.Store.Open(name)
}

// A commit reads the footers of files that are new to the process, and not the footers of the whole
// table again; its memory follows units that are replaced and removed.
func TestCommitReadsFewFooters(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	store := &openedStore{Store: l.store, folder: Captions.Name()}
	l.store = store
	one := func(unit, captioner string) error {
		return commitCaptions(t, l, unit, "f"+captioner, Caption{ImageID: "a", Captioner: captioner},
			Caption{ImageID: "z", Captioner: captioner})
	}
	const units = 40
	for i := range units {
		must.Succeed(t, one(fmt.Sprint("unit ", i), fmt.Sprintf("model-%02d", i)))
	}
	if store.opened > 3*units {
		t.Errorf("%d units opened %d files of the table", units, store.opened)
	}
	expect.Failure(t, one("another", "model-07"), ErrDuplicateKey)
	must.Succeed(t, one("unit 7", "model-77"))
	must.Succeed(t, one("another", "model-07"))
	expect.Failure(t, one("unit 8", "model-07"), ErrDuplicateKey)
	must.Succeed(t, l.Remove(stemOf("another")))
	must.Succeed(t, one("unit 8", "model-07"))
}
