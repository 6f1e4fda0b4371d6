package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/llm"
)

// withRows is a unit that also writes down, as captions, what was said about each item.
func withRows(w *Unit[entry]) *Unit[entry] {
	n := 0
	w.Results = []Result[entry]{{Stage: "said", Tables: []Rows[entry]{Into(data.Captions, func(e entry, o Outcome) ([]data.Caption, error) {
		n++
		return []data.Caption{{ImageID: fmt.Sprint(e.group, e.text, n), Captioner: e.text, Caption: o.Text, Provenance: o.Provenance}}, nil
	})}}}
	return w
}

// Equal requests are asked once however few items are held back, every item finds its reply, live and when it is recorded.
func TestEqualRequestsAreAskedOnce(t *testing.T) {
	for _, n := range []int{1, 2, 100} {
		l := laketest.New(t)
		f := &scriptedCaller{}
		held := func(f *scriptedCaller) *testEngine {
			e := engine(l, f)
			e.Held = n
			return e
		}
		groups := [][]string{{"a", "b"}, {"b", "c"}, {"a", "d", "e"}, {"f"}}
		s, err := held(f).Run(t.Context(), withRows(testUnit("some", groups...)))
		must.Succeed(t, err)
		asked := slices.Clone(f.asked)
		slices.Sort(asked)
		if !slices.Equal(asked, []string{"a", "b", "c", "d", "e", "f"}) || s.Planned != 6 || s.Answered != 6 || s.Recorded != 0 {
			t.Fatalf("%+v, asked %q", s, f.asked)
		}
		for range 2 {
			var found []string
			for c, err := range data.Scan(l, data.Captions) {
				if err != nil || c.Caption != "re "+c.Captioner {
					t.Fatalf("%+v %v", c, err)
				}
				found = append(found, c.Captioner)
			}
			if slices.Sort(found); !slices.Equal(found, []string{"a", "a", "b", "b", "c", "d", "e", "f"}) {
				t.Fatalf("%q", found)
			}
			if s, err := held(f).Run(t.Context(), withRows(testUnit("some", groups...))); err != nil || s.Answered != 0 || s.Recorded != 6 {
				t.Fatalf("%+v %v", s, err)
			}
		}
	}
}

// A reply in the journal replaces the failed one of the unit's file.
func TestIndexTakesTheBestRecord(t *testing.T) {
	l := laketest.New(t)
	f := &scriptedCaller{reply: func(text string, _ int) (llm.Reply, error) {
		if text == "bad" {
			return llm.Reply{Attempts: 1}, &llm.CallError{Class: llm.ClassServer, Status: 500}
		}
		return llm.Reply{State: llm.StateOK, Text: "fine"}, nil
	}}
	w := testUnit("recorded", []string{"good", "bad", "new"})
	if _, err := engine(l, f).Run(t.Context(), testUnit("recorded", []string{"good", "bad"})); err != nil {
		t.Fatal(err)
	}
	u := w.erase(&Scope{stage: "test"})
	look := func(want string) {
		t.Helper()
		index, err := readIndex(l, "model")
		must.Succeed(t, err)
		must.Succeed(t, index.begin(l, u))
		var got []string
		for item, err := range u.next(nil) {
			must.Succeed(t, err)
			r, err := u.Request(item)
			must.Succeed(t, err)
			k, err := keyOf(r.Hash(), 0)
			must.Succeed(t, err)
			state, first := index.plan(k)
			if _, again := index.plan(k); !first || again {
				t.Errorf("%s is planned for the first time: %v, then %v", u.Subject(item), first, again)
			}
			got = append(got, fmt.Sprint(u.Subject(item), " ", state.quality(&plannedCall{})))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s, want %s", text, want)
		}
	}
	look(fmt.Sprintf("good %d, bad %d, new %d", whole, failedCall, noCall))
	journal, err := data.OpenJournal[data.Call](l, u.calls().FileStem())
	must.Succeed(t, err)
	defer journal.Close()
	retried := calls(t, l)["bad"]
	retried.State = llm.StateOK
	must.Succeed(t, journal.Append(retried))
	look(fmt.Sprintf("good %d, bad %d, new %d", whole, whole, noCall))
}
