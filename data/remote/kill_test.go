package remote

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// killed makes a context that ends at a request, before or after it is carried out.
func killed(t testing.TB, f *fake, at int, what verdict) (context.Context, *atomic.Bool) {
	ctx, stop := context.WithCancel(t.Context())
	reached := &atomic.Bool{}
	f.intercept(func(n int, _ *http.Request) verdict {
		switch {
		case n < at:
			return answered
		case n == at:
			reached.Store(true)
			stop()
			return what
		}
		return ignored // The process is gone, and so are its other requests.
	})
	return ctx, reached
}

// A push that is killed at any request leaves the former state or the new one, whole, to everybody;
// the same push then goes on, and what had arrived does not travel again.
func TestPushKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"), score("p", "a=correct"))
	push(t, f.bucket(1), dir)
	before := rowsIn(t, dir)
	change(t, dir, bank("x", "a=2"), bank("y", strings.Fields("c=3 d=4 e=5 f=6 g=7 h=8")...))
	after := rowsIn(t, dir)
	stored := f.state()
	for _, what := range []verdict{ignored, unheard} {
		for at := 1; ; at++ {
			f.restore(stored)
			ctx, reached := killed(t, f, at, what)
			_, err := pushLake(ctx, f.bucket(1), dir, PushOptions{})
			f.intercept(nil)
			if !reached.Load() {
				if err != nil || at < 8 {
					t.Fatalf("%d requests: %v", at, err)
				}
				break
			}
			if err == nil {
				t.Errorf("killed at request %d: no error", at)
			}
			got := pulled(t, f.bucket(1))
			if got != before && got != after {
				t.Fatalf("killed at request %d: readers see %s", at, got)
			}
			arrived := len(f.state())
			done := push(t, f.bucket(1), dir)
			if new := len(f.state()) - arrived; done.Files > new {
				t.Errorf("killed at request %d: %d files travelled, %d were missing", at, done.Files, new)
			}
			must.Equal(t, pulled(t, f.bucket(1)), after, at)
			if !slowly() {
				at += 2
			}
		}
	}
}

// A pull that is killed at any request leaves the lake as it was or with everything, and the same
// pull goes on.
func TestPullKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"), score("p", "a=correct"))
	push(t, f.bucket(1), dir)
	old := filepath.Join(t.TempDir(), "old")
	pull(t, f.bucket(1), old)
	before := rowsIn(t, old)
	change(t, dir, bank("x", "a=2"), bank("y", "c=3"), unit{"ingest/images", "i", []string{"one=picture"}})
	mart(t, dir, "a mart")
	push(t, f.bucket(1), dir)
	after := rowsIn(t, dir)
	for at := 1; ; at++ {
		into := filepath.Join(t.TempDir(), "lake")
		must.Succeed(t, os.CopyFS(into, os.DirFS(old)))
		ctx, reached := killed(t, f, at, ignored)
		_, err := pullLake(ctx, f.bucket(1), into, PullOptions{})
		f.intercept(nil)
		if !reached.Load() {
			if err != nil || at < 6 {
				t.Fatalf("%d requests: %v", at, err)
			}
			break
		}
		if got := rowsIn(t, into); err == nil || got != before && got != after {
			t.Fatalf("killed at request %d: %v; the lake has %s", at, err, got)
		}
		pull(t, f.bucket(1), into)
		must.Equal(t, rowsIn(t, into), after, at)
		if !slowly() {
			at += 2
		}
	}
}

// At every request of a push another push comes in between, whole: nothing of either is lost.
func TestTwoPushersInterleaved(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	base := newLake(t, bank("x", "a=1"))
	push(t, f.bucket(1), base)
	stored := f.state()
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	must.Succeed(t, errors.Join(os.CopyFS(one, os.DirFS(base)), os.CopyFS(two, os.DirFS(base))))
	change(t, one, bank("one", "b=1"))
	change(t, two, bank("two", "c=1"))
	const want = "oneb=1 twoc=1 xa=1"
	for at := 1; ; at++ {
		f.restore(stored)
		var once sync.Once
		reached := &atomic.Bool{}
		f.intercept(func(n int, _ *http.Request) verdict {
			if n == at {
				once.Do(func() {
					reached.Store(true)
					push(t, f.bucket(1), two)
				})
			}
			return answered
		})
		push(t, f.bucket(1), one)
		f.intercept(nil)
		if !reached.Load() {
			if at < 7 {
				t.Fatalf("only %d requests", at)
			}
			return
		}
		must.Equal(t, pulled(t, f.bucket(1)), want, at)
		if !slowly() {
			at += 3
		}
	}
}

// Many push their shares of a run at once, and pull when they are told to: each share is there in
// the end.
func TestManyPushers(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	manyPushers(t, 6, func() *bucket {
		b := f.bucket(1)
		b.pause = time.Millisecond
		return b
	})
}

func manyPushers(t *testing.T, n int, connect func() *bucket) {
	var group sync.WaitGroup
	var want []string
	for i := range n {
		name := fmt.Sprint("u", i)
		want = append(want, name+"a=1", fmt.Sprintf("pq%d=correct", i))
		dir, b := newLake(t, bank(name, "a=1"), score("p", fmt.Sprintf("q%d=correct", i))), connect()
		group.Go(func() {
			_, err := pushLake(t.Context(), b, dir, PushOptions{})
			for errors.Is(err, data.ErrUnitsDiffer) {
				if _, err = pullLake(t.Context(), b, dir, PullOptions{}); err == nil {
					_, err = pushLake(t.Context(), b, dir, PushOptions{})
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	slices.Sort(want)
	expect.Equal(t, pulled(t, connect()), strings.Join(want, " "))
}

// The answer to the request that commits can be lost, with the request sent again: the push finds
// its own commit.
func TestCommitWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	lost := false
	f.intercept(func(_ int, r *http.Request) verdict {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, listName) && !lost {
			lost = true
			return unheard
		}
		return answered
	})
	if done := push(t, f.bucket(3), newLake(t, bank("x", "a=1"))); done.Commit != 1 || done.Files != 2 || !lost {
		t.Errorf("%+v", done)
	}
}

// A network that fails costs time alone.
func TestFailingNetwork(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"), bank("y", "a=1"), score("p", "a=correct"))
	var mu sync.Mutex
	draw := rand.New(rand.NewPCG(1, 2))
	f.intercept(func(int, *http.Request) verdict {
		mu.Lock()
		defer mu.Unlock()
		return []verdict{answered, answered, answered, ignored, unheard, busy, cut}[draw.IntN(7)]
	})
	push(t, f.bucket(30), dir)
	into := filepath.Join(t.TempDir(), "lake")
	pull(t, f.bucket(30), into)
	expect.Equal(t, rowsIn(t, into), rowsIn(t, dir))
}
