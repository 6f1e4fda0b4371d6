package data

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/must"
)

// vanishingStore has another process replace the unit of a file at the moment when that is to be
// opened.
type vanishingStore struct {
	files.Store
	name   string
	remove func()
}

func (s *vanishingStore) Open(name string) (files.File, error) {
	if name == s.name && s.remove != nil {
		remove := s.remove
		s.remove = nil
		remove()
	}
	return s.Store.Open(name)
}

// Units may be removed and replaced while a lake is read: readers leave out what is gone and read
// what has come in its place.
func TestReadersLiveWithRemovals(t *testing.T) {
	where := Where{"captioner": "m"}
	ids := func(rows iter.Seq2[Caption, error]) (ids []string, err error) {
		for c, err := range rows {
			if err != nil {
				return ids, err
			}
			ids = append(ids, c.ImageID)
		}
		return ids, nil
	}
	for name, read := range map[string]func(l *Lake) ([]string, error){
		"Scan":         func(l *Lake) ([]string, error) { return ids(Scan(l, Captions)) },
		"Select":       func(l *Lake) ([]string, error) { return ids(Select(l, Captions, nil)) },
		"Select where": func(l *Lake) ([]string, error) { return ids(Select(l, Captions, where)) },
		"Project":      func(l *Lake) ([]string, error) { return ids(Project[Caption](l, Captions, where)) },
		"Status": func(l *Lake) ([]string, error) {
			tables, err := l.Status()
			i := slices.IndexFunc(tables, func(s TableStatus) bool { return s.Name == Captions.Name() })
			if err != nil {
				return nil, err
			}
			return make([]string, tables[i].Rows), nil
		},
		"State": func(l *Lake) ([]string, error) {
			_, err := l.State(Captions)
			return make([]string, 3), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLake(t)
			for _, unit := range []string{"one", "three", "two"} {
				must.Succeed(t, commitCaptions(t, l, unit, "f", Caption{ImageID: unit, Captioner: "m"}))
			}
			r := must.Get(Open(l.dir))(t)
			second := stemOf("three")
			r.store = &vanishingStore{Store: r.store, name: "captions/" + second + ".parquet", remove: func() {
				must.Succeed(t, l.Remove(second))
				must.Succeed(t, commitCaptions(t, l, "instead", "f", Caption{ImageID: "instead", Captioner: "m"}))
			}}
			got := must.Get(read(r))(t)
			slices.Sort(got)
			if want := []string{"instead", "one", "two"}; len(got) != 3 || strings.Join(got, "") != "" &&
				!slices.Equal(got, want) {
				t.Errorf("got %v", got)
			}
		})
	}
}

// Files that always go when they are to be read are an error in the end, not a loop.
func TestReadersGiveUpOnARestlessLake(t *testing.T) {
	l := newLake(t)
	n := 0
	var hint *HintError
	err := eachFile(l, func() ([]string, error) { n++; return []string{fmt.Sprint(n)}, nil },
		func(string) (bool, error) { return false, fs.ErrNotExist })
	if !errors.As(err, &hint) || n != listings {
		t.Errorf("%d listings, %v", n, err)
	}
}
