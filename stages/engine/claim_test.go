package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/llm"
)

// beside is the lake as another process has it open.
func beside(t *testing.T, l *data.Lake, tell func(string)) *data.Lake {
	t.Helper()
	other := must.Get(data.Waiter{Reader: ask.Read, Tell: tell}.Edit(l.Dir(), "neighbour"))(t)
	t.Cleanup(func() { must.Succeed(t, other.Close()) })
	return other
}

// Runs at once ask what their units share once, however fast each of them is, whether the other is
// at work on its unit or has committed it, and also what failed before and is asked again.
func TestRunsAtOnceAskOnce(t *testing.T) {
	for round := range 4 {
		l := laketest.New(t)
		dice := rand.New(rand.NewPCG(1, uint64(round)))
		var groups [][]string
		for g := range 10 {
			groups = append(groups, []string{fmt.Sprintf("%d a", g), fmt.Sprintf("%d b", g), fmt.Sprintf("%d c", g)})
		}
		failing := true
		f := &scriptedCaller{reply: func(text string, _ int) (llm.Reply, error) {
			time.Sleep(time.Duration(len(text)) * 100 * time.Microsecond)
			if failing && strings.HasSuffix(text, "b") {
				return llm.Reply{State: llm.StateFailed}, &llm.CallError{Class: llm.ClassEmpty, Message: "nothing came"}
			}
			return said("re " + text), nil
		}}
		lakes := []*data.Lake{l, beside(t, l, nil), beside(t, l, nil)}
		workers := []int{1 + dice.IntN(3), 1 + dice.IntN(8), 1 + dice.IntN(20)}
		run := func(retry bool) {
			var all sync.WaitGroup
			for i, lake := range lakes {
				all.Go(func() {
					parallel := func() int { return min(workers[i], 2) }
					e := &testEngine{Lake: lake, Caller: f, Workers: workers[i], Parallel: parallel, RetryFailed: retry,
						Held: 1 + i*100}
					own := append(slices.Clone(groups), []string{fmt.Sprint("own ", i)})
					u := testUnit(fmt.Sprint("unit ", i), own...)
					u.Rows = Into("said", data.Captions, func(e entry, o Outcome) ([]data.Caption, error) {
						return []data.Caption{{ImageID: e.text, Captioner: u.Name, Caption: o.Text,
							Provenance: o.Provenance}}, nil
					})
					if s, err := e.Run(t.Context(), u); err != nil || s.Planned != 31 || s.Recorded+s.Answered != 31 {
						t.Errorf("run %d: %+v %v", i, s, err)
					}
				})
			}
			all.Wait()
		}
		run(false)
		slices.Sort(f.asked)
		if n := len(f.asked); n != 33 || len(slices.Compact(f.asked)) != n {
			t.Fatalf("workers %v: %d requests for 33", workers, n)
		}
		failing, f.asked = false, nil
		run(true)
		slices.Sort(f.asked)
		if n := len(f.asked); n != 10 || len(slices.Compact(f.asked)) != n {
			t.Fatalf("workers %v: asked again %q", workers, f.asked)
		}
		must.Equal(t, len(laketest.All(t, l, data.Captions)), 3*31, workers)
	}
}

// What another process asks is waited for, and asked when that process ends without a reply.
func TestRequestsOfAProcessThatEnds(t *testing.T) {
	l := laketest.New(t)
	told := make(chan string, 1)
	other := beside(t, l, func(text string) { told <- text })
	w := testUnit("unit", []string{"a", "b"})
	u := w.erase(&Scope{stage: "test"})
	q := &request{item: &item{Keys{Subject: "a", Group: "0"}, entry{"0", "a"}}}
	body := must.Get(u.body(q))(t)
	q.identify(&body)
	claims := must.Get(l.Claims())(t)
	if taken, err := claims.Take(q.key); !taken || err != nil {
		t.Fatal(taken, err)
	}
	f := &scriptedCaller{}
	done := make(chan error)
	go func() {
		_, err := engine(other, f).Run(t.Context(), withRows(w))
		done <- err
	}()
	expect.Contains(t, <-told, "waiting for 1 replies that another process has asked for")
	must.Equal(t, f.count(), 1)
	must.Succeed(t, claims.Close())
	must.Succeed(t, <-done)
	expect.Equal(t, f.asked, []string{"b", "a"})
}
