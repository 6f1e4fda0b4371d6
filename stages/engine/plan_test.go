package engine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// withRows is a unit that also writes down, as captions, what was said about each item.
func withRows(w *Unit[entry]) *Unit[entry] {
	n := 0
	w.Rows = Into("said", data.Captions, func(e entry, o Outcome) ([]data.Caption, error) {
		n++
		return []data.Caption{{ImageID: fmt.Sprint(e.group, e.text, n), Captioner: e.text, Caption: o.Text,
			Provenance: o.Provenance}}, nil
	})
	return w
}

// Equal requests are asked once however few items are held back, every item finds its reply, live
// and when it is recorded.
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
		s := must.Get(held(f).Run(t.Context(), withRows(testUnit("some", groups...))))(t)
		asked := slices.Clone(f.asked)
		slices.Sort(asked)
		if !slices.Equal(asked, []string{"a", "b", "c", "d", "e", "f"}) || s.Planned != 6 || s.Answered != 6 ||
			s.Recorded != 0 {
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
			carried(t, held(f), withRows(testUnit("some", groups...)), 0, 6)
		}
	}
}

// A request that was paid for one unit before a run was killed, or is paid by another process that
// is at work on it, is not asked again for another unit that asks the same.
func TestJournalsOfOtherUnitsAreRecorded(t *testing.T) {
	l := laketest.New(t)
	f := &scriptedCaller{}
	first, second := testUnit("first", []string{"a", "b"}), withRows(testUnit("second", []string{"b", "c"}))
	u := first.erase(&Scope{stage: "test"})
	log := must.Get(openLog(l, u, nil))(t)
	q := &request{item: &item{Keys{Subject: "b", Group: "0"}, entry{"0", "b"}}}
	body := must.Get(u.body(q))(t)
	q.identify(&body)
	paid := log.row(q, &body, said("re b"), nil)
	must.Succeed(t, log.journal.Append(paid))
	log.close() // as the end of a killed process does
	s := must.Get(engine(l, f).Run(t.Context(), second))(t)
	if s.Recorded != 1 || s.Answered != 1 || !slices.Equal(f.asked, []string{"c"}) {
		t.Fatalf("%+v, asked %q", s, f.asked)
	}
	must.Get(engine(l, f).Run(t.Context(), first))(t)
	must.Equal(t, f.asked, []string{"c", "a"})
	calls(t, l)
}
