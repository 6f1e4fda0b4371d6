package data

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/must"
)

// publish makes the lake's only mart.
func publish(l *Lake, content string) error {
	temp := l.Temp("mart")
	return errors.Join(files.Write(l.store, temp, []byte(content)),
		l.Publish(map[string]string{temp: MartsFolder + "/mart.parquet"}))
}

// Who looks at a lake while a unit is committed, or a mart is published, waits until that has
// ended.
func TestLooksWaitForCommits(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	must.Succeed(t, commitCaptions(t, l, "unit", "f", Caption{ImageID: "a"}))
	must.Succeed(t, publish(l, "old"))
	for _, c := range map[string]struct {
		at     string // of the change, whereupon somebody looks
		change func() error
		look   func(*Lake) error
	}{
		"a check beside a mart": {MartsFolder + "/mart.parquet", func() error { return publish(l, "new one") },
			func(r *Lake) error {
				check, err := r.Check(CheckFiles, nil)
				return errors.Join(err, check.Err(r))
			}},
		"a list beside a unit": {Captions.Name() + "/",
			func() error { return commitCaptions(t, l, "unit", "g", Caption{ImageID: "b"}) }, func(r *Lake) error {
				files, err := Inventory(r)
				if err != nil {
					return err
				}
				if now, err := DigestOf(r, Captions.Name()+"/"+stemOf("unit")+".parquet"); err != nil ||
					files[0].Tables[Captions.Name()] != now {
					return fmt.Errorf("the list has another file than the lake (%v)", err)
				}
				return nil
			}},
	} {
		r := must.Get(Open(l.dir))(t)
		looked := make(chan error, 1)
		plain := l.store
		l.store = &pausingStore{Store: plain, at: c.at, moved: func() {
			go func() { looked <- c.look(r) }()
			time.Sleep(50 * time.Millisecond)
		}}
		must.Succeed(t, c.change())
		l.store = plain
		must.Succeed(t, <-looked)
	}
}

// A fault is what is there when all commits are complete: one that was interrupted after a reader
// opened the lake makes none.
func TestCheckCompletesACommit(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	must.Succeed(t, errors.Join(commitCaptions(t, l, "unit", "f", Caption{ImageID: "a"}), publish(l, "old")))
	r := must.Get(Open(l.dir))(t)
	whole := l.store
	for _, commit := range map[string]func() error{
		"a unit": func() error { return commitCaptions(t, l, "unit", "g", Caption{ImageID: "b"}) },
		"a mart": func() error { return publish(l, "new") },
	} {
		l.store = &stoppingStore{Store: whole, left: 1}
		expect.Failure(t, commit(), errStop)
		sound(t, r)
		must.Get(Open(l.dir))(t) // It completes the commit.
	}
	if content, err := files.Read(r.store, MartsFolder+"/mart.parquet"); string(content) != "new" {
		t.Errorf("the mart is %q, %v", content, err)
	}
}

// A writer that is stopped in the middle of a commit holds nobody up who reads, and what it commits
// is read.
func TestReadersBesideAStoppedWriter(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	must.Succeed(t, errors.Join(commitCaptions(t, l, "unit", "f", Caption{ImageID: "a"}), publish(l, "old")))
	early := must.Get(Open(l.dir))(t)
	whole, stopped, goOn := l.store, make(chan bool), make(chan bool)
	l.store = &pausingStore{Store: whole, at: Captions.Name() + "/", moved: func() { stopped <- true; <-goOn }}
	done := make(chan error)
	go func() { done <- commitCaptions(t, l, "unit", "g", Caption{ImageID: "b"}, Caption{ImageID: "c"}) }()
	<-stopped
	late := must.Get(Open(l.dir))(t)
	for _, r := range []*Lake{early, late} {
		expect.Equal(t, len(allRows(t, r, Captions)), 2)
		sound(t, r)
		expect.Equal(t, len(must.Get(Inventory(r))(t)), 1)
	}
	goOn <- true
	must.Succeed(t, <-done)
	expect.Equal(t, len(allRows(t, early, Captions)), 2, "rows in the end")
}

// A pausingStore does something after a file was first moved to a place that begins so.
type pausingStore struct {
	files.Store
	at    string
	moved func()
}

func (s *pausingStore) Move(from, to string) error {
	err := s.Store.Move(from, to)
	if do := s.moved; do != nil && strings.HasPrefix(to, s.at) {
		s.moved = nil
		do()
	}
	return err
}
