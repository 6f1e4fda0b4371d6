package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
)

func init() { laketest.Reader = ask.Read }

// scriptedCaller answers every request with its own text and remembers what it was asked.
type scriptedCaller struct {
	mu    sync.Mutex
	asked []string
	reply func(text string, n int) (llm.Reply, error) // n counts the requests of this text, from 1
}

func (f *scriptedCaller) Ask(_ context.Context, r llm.Request, _ string) (llm.Reply, error) {
	f.mu.Lock()
	if r.Embeds() {
		defer f.mu.Unlock()
		f.asked = append(f.asked, r.Inputs...)
		return said("[[0.5,1]]"), nil
	}
	text := r.Messages[0].Parts[0].Text
	f.asked = append(f.asked, text)
	n := 0
	for _, a := range f.asked {
		if a == text {
			n++
		}
	}
	f.mu.Unlock()
	if f.reply != nil {
		return f.reply(text, n)
	}
	return llm.Reply{State: llm.StateOK, Text: "re " + text, Attempts: 1, PromptTokens: 10, CompletionTokens: 2}, nil
}

func (f *scriptedCaller) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.asked)
}

// An entry is an item of a test's unit: a text to ask, and the group that it is of.
type entry struct{ group, text string }

// testUnit is a unit that asks these texts in groups.
func testUnit(name string, groups ...[]string) *Unit[entry] {
	return &Unit[entry]{
		Conditions: Conditions{
			Name: name, Model: config.Model{ID: "model", Served: "rehearsal/x", Endpoint: "test"}, Protocol: "test/1",
		},
		Items: func(_ *Scope, each Each[entry]) error {
			for i, texts := range groups {
				for _, text := range texts {
					if err := each(entry{fmt.Sprint(i), text}, Keys{Subject: text, Group: fmt.Sprint(i)}); err != nil {
						return err
					}
				}
			}
			return nil
		},
		Request: func(e entry) (llm.Request, error) {
			return llm.Request{Messages: []llm.Message{llm.User(e.text)}, Sampling: llm.Greedy(4)}, nil
		},
		Rows: Into("unsaid", data.Captions, func(entry, Outcome) ([]data.Caption, error) { return nil, nil }),
	}
}

// A testEngine carries single units out.
type testEngine struct {
	Lake        *data.Lake
	Caller      preflight.Caller
	Workers     int
	Parallel    func() int
	RetryFailed bool
	Held        int
}

func (e *testEngine) Run(ctx context.Context, w AnyUnit) (Summary, error) {
	r := New(e.Lake, nil, &config.Config{}, config.Choice{})
	r.RetryFailed, r.Held = e.RetryFailed, cmp.Or(e.Held, r.Held)
	s := r.scope("test", false)
	u := w.erase(s)
	done, err := r.carryOut(ctx, u, s, &liveSender{caller: e.Caller, most: e.Workers, parallel: e.Parallel},
		r.pending, nil)
	return done.Summary, err
}

func engine(l *data.Lake, c preflight.Caller) *testEngine {
	return &testEngine{Lake: l, Caller: c, Workers: 4}
}

// runnerOf runs a stage with these units. Their requests go to a caller.
func runnerOf(l *data.Lake, f preflight.Caller, units ...AnyUnit) *Runner {
	c := &config.Config{Endpoints: []config.Endpoint{{Name: "test", Replicas: []string{"http://127.0.0.1:1/v1"}}}}
	r := New(l, []Stage{{Name: "test", Units: func(s *Scope) error {
		s.Add(units...)
		return nil
	}}}, c,
		config.Choice{})
	r.Connect = func(config.Endpoint) (preflight.Client, error) { return quietClient{f}, nil }
	return r
}

// said is a reply.
func said(text string) llm.Reply { return llm.Reply{State: llm.StateOK, Text: text} }

// changed is a unit with other requests.
func changed(w *Unit[entry], change func(*llm.Request)) *Unit[entry] {
	plan := w.Request
	w.Request = func(e entry) (llm.Request, error) {
		r, err := plan(e)
		change(&r)
		return r, err
	}
	return w
}

// carried carries a unit out, which must ask so many and find so many recorded.
func carried(t *testing.T, e *testEngine, w AnyUnit, answered, recorded int) Summary {
	t.Helper()
	s := must.Get(e.Run(t.Context(), w))(t)
	if s.Answered != answered || s.Recorded != recorded {
		t.Fatalf("%+v, want %d answered and %d recorded", s, answered, recorded)
	}
	return s
}

// callsOf is the unit of the lake that has the calls of a test's unit.
func callsOf(w AnyUnit) data.Unit {
	return w.erase(&Scope{stage: "test"}).calls()
}

func calls(t *testing.T, l *data.Lake) map[string]data.Call {
	t.Helper()
	all := map[string]data.Call{}
	for c, err := range data.Scan(l, data.Calls) {
		must.Succeed(t, err)
		if _, twice := all[c.Subject]; twice {
			t.Fatalf("%s is recorded twice", c.Subject)
		}
		all[c.Subject] = c
	}
	return all
}

func TestEngineRecordsEveryCallOnce(t *testing.T) {
	l := laketest.New(t)
	f := &scriptedCaller{}
	w := testUnit("one", []string{"a", "b", "a"}, []string{"c", "b"})
	s, err := engine(l, f).Run(t.Context(), w)
	must.Succeed(t, err)
	// Five calls, but a and b are each asked for twice with equal requests.
	if s.Planned != 3 || s.Answered != 3 || f.count() != 3 || s.Prompt != 30 || s.Output != 6 {
		t.Fatalf("%+v, asked %v", s, f.asked)
	}
	got := calls(t, l)
	if len(got) != 3 || got["a"].Text != "re a" || got["a"].State != "ok" || got["a"].Model != "model" {
		t.Fatalf("%+v", got)
	}
	// Nothing is left to do, for this unit and for another that asks the same.
	for _, w := range []*Unit[entry]{w, testUnit("two", []string{"c"})} {
		s = must.Get(engine(l, f).Run(t.Context(), w))(t)
		if s.Answered != 0 || s.Recorded != s.Planned || f.count() != 3 {
			t.Fatalf("%+v, asked %v", s, f.asked)
		}
	}
}

// The calls of a plan are begun in its order, and none waits for another of its group: here the
// first four, of two groups, come back only when all four have been asked.
func TestEngineAsksInOrderAndWaitsForNoFirst(t *testing.T) {
	l := laketest.New(t)
	var together sync.WaitGroup
	together.Add(4)
	f := &scriptedCaller{}
	f.reply = func(text string, _ int) (llm.Reply, error) {
		if text < "y1" {
			together.Done()
			together.Wait()
		}
		return said(text), nil
	}
	w := testUnit("order", []string{"x0", "x1", "x2"}, []string{"y0", "y1", "y2"}, []string{"z0"})
	must.Equal(t, must.Get(engine(l, f).Run(t.Context(), w))(t).Answered, 7)
}

func TestEngineKeepsFailuresAndRetriesThemOnRequest(t *testing.T) {
	l := laketest.New(t)
	f := &scriptedCaller{}
	f.reply = func(text string, n int) (llm.Reply, error) {
		switch {
		case text == "bad" && n == 1:
			return llm.Reply{Attempts: 6}, &llm.CallError{Class: llm.ClassServer, Status: 500, Message: "broken"}
		case text == "long" && n == 1:
			return llm.Reply{State: llm.StateTruncated, Text: "cut", FinishReason: "length"}, nil
		}
		return said("fine"), nil
	}
	w := testUnit("faults", []string{"good", "bad", "long"})
	s, err := engine(l, f).Run(t.Context(), w)
	if err != nil || s.Failed != 1 || s.Truncated != 1 {
		t.Fatalf("%+v %v", s, err)
	}
	got := calls(t, l)
	if got["bad"].State != "failed" || got["bad"].Error != "server (HTTP 500): broken" || got["bad"].Attempts != 6 ||
		got["long"].State != "truncated" {
		t.Fatalf("%+v", got)
	}
	must.Equal(t, carried(t, engine(l, f), w, 0, 3).RecordedFailed, 2, "failures are asked again unasked")
	again := engine(l, f)
	again.RetryFailed = true
	must.Equal(t, carried(t, again, w, 2, 1).Failed, 0)
	for subject, c := range calls(t, l) {
		if c.State != "ok" || c.Text != "fine" {
			t.Fatalf("%s: %+v", subject, c)
		}
	}
}

// A run that stops early keeps what came back, and the next one asks for the rest only.
func TestEngineResumesFromTheJournal(t *testing.T) {
	for _, class := range []llm.Class{llm.ClassDrained, llm.ClassUnavailable, llm.ClassCanceled} {
		t.Run(string(class), func(t *testing.T) {
			l := laketest.New(t)
			f := &scriptedCaller{}
			stop := true
			f.reply = func(text string, _ int) (llm.Reply, error) {
				if stop && text == "d" {
					return llm.Reply{}, &llm.CallError{Class: class}
				}
				return said("re " + text), nil
			}
			w := testUnit("stopped", []string{"a", "b"}, []string{"c", "d", "e", "f"})
			e := engine(l, f)
			e.Workers = 1
			s, err := e.Run(t.Context(), w)
			if llm.ClassOf(err) != class || s.Answered != 3 {
				t.Fatalf("%+v %v", s, err)
			}
			must.Equal(t, len(calls(t, l)), 0, "an unfinished unit is recorded")
			must.Equal(t, len(must.Get(l.Journals())(t)), 1)
			stop = false
			before := f.count()
			carried(t, e, w, 3, 3)
			must.Equal(t, f.count()-before, 3)
			must.Equal(t, len(calls(t, l)), 6)
			must.Equal(t, len(must.Get(l.Journals())(t)), 0)
		})
	}
}

// Two units whose names begin alike have a journal each: what a killed run of one left is recorded
// in that one.
func TestLongNamesShareNoJournal(t *testing.T) {
	l := laketest.New(t)
	long := strings.Repeat("a-reader-with-a-long-name-", 5)
	one, two := testUnit(long+"1", []string{"a", "b", "stop"}), testUnit(long+"2", []string{"c", "d"})
	stop := true
	f := &scriptedCaller{}
	f.reply = func(text string, _ int) (llm.Reply, error) {
		if stop && text == "stop" {
			return llm.Reply{}, &llm.CallError{Class: llm.ClassDrained}
		}
		return said("re " + text), nil
	}
	e := engine(l, f)
	e.Workers = 1
	if _, err := e.Run(t.Context(), one); llm.ClassOf(err) != llm.ClassDrained {
		t.Fatal(err)
	}
	stop = false
	carried(t, e, two, 2, 0)
	for subject := range calls(t, l) {
		if subject != "c" && subject != "d" {
			t.Errorf("the unit has the call %s of the other", subject)
		}
	}
	must.Succeed(t, l.Remove(callsOf(two).FileStem()))
	carried(t, e, one, 1, 2)
	expect.Equal(t, len(calls(t, l)), 3)
	expect.Equal(t, len(must.Get(l.Journals())(t)), 0)
}

func TestEngineStopsAtAPlanThatFails(t *testing.T) {
	l := laketest.New(t)
	w := testUnit("broken", []string{"a"})
	plan := w.Items
	broken := errors.New("unreadable captions")
	w.Items = func(s *Scope, each Each[entry]) error {
		if err := plan(s, each); err != nil {
			return err
		}
		return broken
	}
	expect.Refusal(engine(l, &scriptedCaller{}).Run(t.Context(), w))(t, broken)
}

// Whatever the crash left in the journal beside the unit's file, each call is recorded once.
func TestEngineCompactsACommittedJournalAgain(t *testing.T) {
	l := laketest.New(t)
	w := testUnit("twice", []string{"a", "b"})
	must.Get(engine(l, &scriptedCaller{}).Run(t.Context(), w))(t)
	journal := must.Get(data.OpenJournal[data.Call](l, callsOf(w).FileStem()))(t)
	for _, c := range calls(t, l) {
		must.Succeed(t, journal.Append(c))
	}
	must.Succeed(t, journal.Close())
	f := &scriptedCaller{}
	carried(t, engine(l, f), w, 0, 2)
	must.Equal(t, f.count(), 0)
	must.Equal(t, len(calls(t, l)), 2)
}

// A request is recorded whole: the constraint and the template's flags beside the sampling
// parameters.
func TestCallsRecordWhatWasSent(t *testing.T) {
	l := laketest.New(t)
	w := testUnit("sent", []string{"a"})
	w.Model.Flags = map[string]any{"enable_thinking": false}
	changed(w, func(r *llm.Request) { r.Choice = []string{"A", "B"} })
	must.Get(engine(l, &scriptedCaller{}).Run(t.Context(), w))(t)
	sent := calls(t, l)["a"].Sampling
	expect.Contains(t, sent, `"temperature":0,`, `"repetition_penalty":1,`, `"choice":["A","B"]`,
		`"chat_template_kwargs":{"enable_thinking":false}`)
}

// With four requests worth having under way, four are: the requests of the first group. When one is
// back, the next begins, and when more are worth having, more begin.
func TestEngineHasNoMoreUnderWayThanTheServersNeed(t *testing.T) {
	l := laketest.New(t)
	var groups [][]string
	for i := range 5 {
		groups = append(groups,
			[]string{fmt.Sprintf("%d0", i), fmt.Sprintf("%d1", i), fmt.Sprintf("%d2", i), fmt.Sprintf("%d3", i)})
	}
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		f := &scriptedCaller{}
		f.reply = func(text string, _ int) (llm.Reply, error) {
			<-hold
			return said(text), nil
		}
		e := engine(l, f)
		var worth atomic.Int32
		worth.Store(4)
		e.Workers, e.Parallel = 64, func() int { return int(worth.Load()) }
		done := make(chan error)
		go func() {
			s, err := e.Run(t.Context(), testUnit("groups", groups...))
			if err == nil && s.Answered != 20 {
				err = fmt.Errorf("%d of 20 answered", s.Answered)
			}
			done <- err
		}()
		asked := func(want int) {
			t.Helper()
			time.Sleep(time.Second) // Of the bubble's clock: the journal gathers replies before it writes.
			synctest.Wait()
			expect.Equal(t, f.count(), want, "requests were made")
		}
		asked(4)
		if slices.Sort(f.asked); !slices.Equal(f.asked, groups[0]) {
			t.Errorf("%v were asked first", f.asked)
		}
		hold <- struct{}{}
		asked(5)
		worth.Store(10)
		hold <- struct{}{} // One is back, and six more begin than before.
		asked(12)
		close(hold)
		must.Succeed(t, <-done)
	})
}

// A quietClient is a caller with servers that say nothing of themselves.
type quietClient struct{ preflight.Caller }

func (quietClient) Parallel() int                           { return 4 }
func (quietClient) Facts(context.Context) []llm.ServerFacts { return nil }
func (quietClient) ProbeConstraint(context.Context, string, map[string]any) []llm.ConstraintVerdict {
	return nil
}
func (quietClient) Drain() {}
