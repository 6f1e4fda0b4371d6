package remote

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/must"
)

// Sweeping takes what no commit names and is old, and spares what is young, named by the commit or a former one, or not captionlake's.
func TestSweep(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	began := time.Now().Add(-3 * grace)
	f.now = func() time.Time { return began }
	dir := newLake(t, bank("x", "a=0"))
	for i := range mostFormer + 3 {
		change(t, dir, bank("x", fmt.Sprintf("a=%d", i)))
		push(t, f.bucket(1), dir)
	}
	const foreign, another = "lakes/one/notes.txt", "lakes/other/questions/x.parquet"
	f.objects[foreign], f.objects[another] = object{[]byte("mine"), began}, object{[]byte("theirs"), began}
	// A push that was killed has left files.
	change(t, dir, bank("y", "a=1"))
	for at := range 5 {
		ctx, _ := killed(t, f, at+1, ignored)
		_, _ = pushLake(ctx, f.bucket(1), dir, PushOptions{})
		f.settle()
		f.intercept(nil)
	}
	left := len(f.state())
	f.now = func() time.Time { return began.Add(grace - time.Hour) }
	done, err := f.bucket(1).sweep(t.Context(), grace)
	if err != nil || done.Objects > 0 || done.Young == 0 || len(f.state()) != left {
		t.Errorf("young: %+v, %v", done, err)
	}
	f.now = func() time.Time { return began.Add(grace + time.Hour) }
	done, err = f.bucket(1).sweep(t.Context(), grace)
	if err != nil || done.Objects < 6 || done.Bytes == 0 || done.Young > 0 || len(f.state()) != left-done.Objects {
		t.Errorf("old: %+v, %v", done, err)
	}
	for _, name := range []string{foreign, another} {
		if _, there := f.state()[name]; !there {
			t.Errorf("%s is gone", name)
		}
	}
	if got := pulled(t, f); got != fmt.Sprintf("xa=%d", mostFormer+2) {
		t.Errorf("readers see %s", got)
	}
	h, err := f.bucket(1).head(t.Context())
	if err != nil || len(h.Former) != mostFormer {
		t.Fatalf("%d former commits, %v", len(h.Former), err)
	}
	for _, p := range h.Former { // Who reads one finds all of it.
		s, err := f.bucket(1).state(t.Context(), p)
		must.Succeed(t, err)
		for _, file := range s.files() {
			if _, there := f.state()["lakes/one/"+file.Name]; !there {
				t.Errorf("%s of commit %d is gone", file.Name, p.Number)
			}
		}
	}
}

// A push does not rely on what a sweep may take: what no commit names and is old travels again.
func TestOldLeftoversTravelAgain(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"))
	push(t, f.bucket(1), dir)
	for name, o := range f.objects {
		if strings.HasSuffix(name, ".json") {
			delete(f.objects, name)
			continue
		}
		o.written = time.Now().Add(-grace * 3 / 4)
		f.objects[name] = o
	}
	if done := push(t, f.bucket(1), dir); done.Files != 2 {
		t.Errorf("pushed %+v", done)
	}
}

// A reader whose files are swept in the middle, because there are many later commits, takes the last one.
func TestReaderOfAStateThatIsSwept(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"))
	push(t, f.bucket(1), dir)
	swept := false
	f.intercept(func(_ int, r *http.Request) verdict {
		if swept || !strings.Contains(r.URL.Path, "/questions/") {
			return answered
		}
		swept = true
		f.intercept(nil)
		change(t, dir, bank("x", "a=2"))
		push(t, f.bucket(1), dir)
		f.mu.Lock()
		delete(f.objects, strings.TrimPrefix(r.URL.Path, "/bucket/"))
		f.mu.Unlock()
		return answered
	})
	if got := pulled(t, f); got != "xa=2" || !swept {
		t.Errorf("readers see %s", got)
	}
}
