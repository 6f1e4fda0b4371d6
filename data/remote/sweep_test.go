package remote

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
)

// Sweeping takes what the list does not name and is old, and spares what is young, named, or not
// captionlake's.
func TestSweep(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	began := time.Now().Add(time.Hour - grace)
	f.now = func() time.Time { return began }
	dir := newLake(t, bank("x", "a=0"))
	push(t, f.bucket(1), dir)
	change(t, dir, bank("x", "a=1"))
	push(t, f.bucket(1), dir)
	const foreign, another = "lakes/one/notes.txt", "lakes/other/questions/x.parquet"
	below := "lakes/one/below/answers/x." + strings.Repeat("0", 64) + ".parquet" // of a lake below this one
	f.objects[foreign], f.objects[another] = object{[]byte("mine"), began}, object{[]byte("theirs"), began}
	f.objects[below] = object{[]byte("theirs"), began}
	killed := fileOf("questions", bank("y").stem(), data.FileDigest{SHA256: strings.Repeat("0", 64)})
	f.objects["lakes/one/"+killed.Name] = object{[]byte("of a push that was killed"), began}
	f.objects["lakes/one/marts/captionqa_sums/00."+strings.Repeat("0", 64)+".parquet"] = object{[]byte("old"), began}
	left := len(f.state())
	done, err := f.bucket(1).sweep(t.Context(), grace)
	if err != nil || done.Objects > 0 || done.Young != 4 || len(f.state()) != left {
		t.Errorf("young: %+v, %v", done, err)
	}
	done, err = f.bucket(1).sweep(t.Context(), grace-2*time.Hour)
	if err != nil || done.Objects != 4 || done.Bytes == 0 || done.Young > 0 || len(f.state()) != left-done.Objects {
		t.Errorf("old: %+v, %v", done, err)
	}
	for _, name := range []string{foreign, another, below} {
		if _, there := f.state()[name]; !there {
			t.Errorf("%s is gone", name)
		}
	}
	expect.Equal(t, pulled(t, f.bucket(1)), "xa=1")
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
	expect.Equal(t, push(t, f.bucket(1), dir).Files, 2)
}

// A reader whose files are swept in the middle, because there is a later list, takes that one.
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
	if got := pulled(t, f.bucket(1)); got != "xa=2" || !swept {
		t.Errorf("readers see %s", got)
	}
}
