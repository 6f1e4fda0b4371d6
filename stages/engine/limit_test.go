package engine

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/preflight"
)

// A limit asks the first pending requests of each unit, in the order of the plan; the next run with one goes on, and a run without one
// asks the rest. Equal requests are one, and a forecast keeps to the limit, too.
func TestLimit(t *testing.T) {
	l, f := laketest.New(t), &scriptedCaller{}
	c := &config.Config{Endpoints: []config.Endpoint{{Name: "test", Replicas: []string{"http://127.0.0.1:1/v1"}}}}
	runner := func(limit int) *Runner {
		units := func(*Scope) ([]AnyUnit, error) {
			u := withRows(testUnit("unit", []string{"a", "b", "a"}, []string{"c", "d", "e"}))
			u.Reads = []data.AnyTable{data.Questions} // so that what is done is remembered
			return []AnyUnit{u, testUnit("other", []string{"x", "y", "z"})}, nil
		}
		r := New(l, []Stage{{Name: "test", Units: units}}, c, config.Choice{})
		r.Limit = limit
		r.Connect = func(config.Endpoint) (preflight.Client, error) { return quietClient{f}, nil }
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
		if r.Planned != 5 || r.Answered != step.asked || r.Recorded != step.recorded || r.Rows != step.rows || strings.Contains(r.Note, BeyondLimit) != step.left {
			t.Errorf("limit %d: %+v", step.limit, r)
		}
	}
	if asked := strings.Join(f.asked, " "); f.count() != 8 || len(calls(t, l)) != 8 {
		t.Errorf("asked %s", asked)
	}
}
