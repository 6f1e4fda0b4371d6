package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// The parts of a run ask for everything once, what the items of a group share staying together, and
// each says that the rest is pending.
func TestPartsAskEachRequestOnce(t *testing.T) {
	var groups [][]string
	for g := range 40 {
		groups = append(groups, []string{fmt.Sprintf("%d a", g), fmt.Sprintf("%d b", g)})
	}
	asked := map[string]int{}
	for n := range 4 {
		l, f := laketest.New(t), &scriptedCaller{}
		r := runnerOf(l, f, withRows(testUnit("unit", groups...)))
		r.Part = config.Part{Number: n + 1, Of: 4}
		estimates := must.Get(r.Estimate())(t)
		reports, err := r.Run(t.Context())
		if err != nil || len(reports) != 1 {
			t.Fatal(reports, err)
		}
		got := reports[0]
		if got.Answered == 0 || got.Answered%2 != 0 || got.Rows != got.Answered || got.Note != OtherParts ||
			estimates[0].Pending != got.Answered {
			t.Errorf("part %d: %+v, estimated %+v", n+1, got, estimates)
		}
		for hash := range calls(t, l) {
			asked[hash]++
		}
	}
	expect.Equal(t, len(asked), 80, "requests were asked")
	for hash, times := range asked {
		expect.Equal(t, times, 1, hash)
	}
}

// A limit asks the first pending requests of each unit, in the order of the plan; the next run with
// one goes on, and a run without one asks the rest. Equal requests are one, and a forecast keeps to
// the limit, too.
func TestLimit(t *testing.T) {
	l, f := laketest.New(t), &scriptedCaller{}
	runner := func(limit int) *Runner {
		u := withRows(testUnit("unit", []string{"a", "b", "a"}, []string{"c", "d", "e"}))
		u.Reads = []data.AnyTable{data.Questions} // so that what is done is remembered
		r := runnerOf(l, f, u, testUnit("other", []string{"x", "y", "z"}))
		r.Limit = limit
		return r
	}
	for _, step := range []struct {
		limit, forecast, asked, recorded, rows int
		left                                   bool
	}{
		{2, 2, 2, 0, 3, true}, // a, b and the second a
		{2, 2, 2, 2, 5, true},
		{0, 1, 1, 4, 6, false},
		{2, 0, 0, 5, 6, false},
	} {
		estimates, err := runner(step.limit).Estimate()
		if err != nil || estimates[0].Pending != step.forecast || estimates[0].Planned != 5 {
			t.Errorf("limit %d: forecast %+v, %v", step.limit, estimates, err)
		}
		reports, err := runner(step.limit).Run(t.Context())
		if err != nil || len(reports) != 2 {
			t.Fatalf("limit %d: %+v, %v", step.limit, reports, err)
		}
		r := reports[0]
		if r.Planned != 5 || r.Answered != step.asked || r.Recorded != step.recorded || r.Rows != step.rows ||
			strings.Contains(r.Note, BeyondLimit) != step.left {
			t.Errorf("limit %d: %+v", step.limit, r)
		}
	}
	if asked := strings.Join(f.asked, " "); f.count() != 8 || len(calls(t, l)) != 8 {
		t.Errorf("asked %s", asked)
	}
}

// A further attempt after an unreadable reply counts for the limit: it stays pending for the next
// run.
func TestLimitCountsFurtherAttempts(t *testing.T) {
	l, f := laketest.New(t), &scriptedCaller{}
	u := testUnit("unit", []string{"a"})
	u.Attempts = 2
	u.Accept = func(entry, llm.Reply) error { return errors.New("unreadable") }
	for asked := range 2 {
		r := runnerOf(l, f, u)
		r.Limit = 1
		report := must.Get(r.Run(t.Context()))(t)[0]
		if report.Answered != 1 || report.Pending != 1-asked || f.count() != asked+1 {
			t.Errorf("%d requests: %+v", f.count(), report)
		}
	}
}

func TestNothingCame(t *testing.T) {
	report := func(answered, failed int, cause string) Report {
		return Report{Summary: Summary{Answered: answered, Failed: failed}, Cause: cause}
	}
	for _, c := range []struct {
		reports []Report
		want    string
	}{
		{nil, ""},
		{[]Report{report(0, 0, "")}, ""},
		{[]Report{report(3, 2, "server (HTTP 500)")}, ""},
		{[]Report{report(3, 3, "server (HTTP 500)"), report(1, 0, "")}, ""},
		{[]Report{report(3, 3, "server (HTTP 500)"), report(0, 0, "")},
			"every request failed (3), most often because: server (HTTP 500)"},
		{[]Report{report(3, 3, "b"), report(2, 2, "a"), report(2, 2, "a")},
			"every request failed (7), most often because: a"},
	} {
		err := NothingCame(c.reports)
		var hint *data.HintError
		if c.want == "" && err != nil || c.want != "" &&
			(err == nil || err.Error() != c.want || !errors.As(err, &hint)) {
			t.Errorf("%+v: got %v, want %q", c.reports, err, c.want)
		}
	}
	expect.Equal(t, commonest(map[string]int{"x": 1, "b": 2, "a": 2}), "a")
}

// A price that nobody has named is unknown, not nothing; so is the sum that it is a part of.
func TestUnknownPrice(t *testing.T) {
	r := Runner{Config: &config.Config{Models: []config.ModelSettings{{Name: "priced", Price: config.Price{Input: 2}}}}}
	price := func(served string, pending int) Estimate {
		e := Estimate{Pending: pending, Prompt: 1_000_000}
		r.price(&e, served)
		return e
	}
	priced, free, nothing := price("priced", 1), price("free", 1), price("free", 0)
	if !priced.Priced || priced.Cost != 2 || free.Priced || !nothing.Priced {
		t.Errorf("%+v %+v %+v", priced, free, nothing)
	}
	if Total([]Estimate{priced, free}).Priced || !Total([]Estimate{priced, nothing}).Priced {
		t.Error("a sum with an unknown price is known, or the other way round")
	}
}
