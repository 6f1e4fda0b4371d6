package engine

import (
	"fmt"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/preflight"
)

// The parts of a run ask for everything once, what the items of a group share staying together, and each says that the rest is pending.
func TestPartsAskEachRequestOnce(t *testing.T) {
	c := &config.Config{Endpoints: []config.Endpoint{{Name: "test", Replicas: []string{"http://127.0.0.1:1/v1"}}}}
	var groups [][]string
	for g := range 40 {
		groups = append(groups, []string{fmt.Sprintf("%d a", g), fmt.Sprintf("%d b", g)})
	}
	asked := map[string]int{}
	for n := range 4 {
		l, f := laketest.New(t), &scriptedCaller{}
		units := func(*Scope) ([]AnyUnit, error) { return []AnyUnit{withRows(testUnit("unit", groups...))}, nil }
		r := New(l, []Stage{{Name: "test", Units: units}}, c, config.Choice{})
		r.Part = config.Part{Number: n + 1, Of: 4}
		r.Connect = func(config.Endpoint) (preflight.Client, error) { return quietClient{f}, nil }
		estimates, err := r.Estimate()
		must.Succeed(t, err)
		reports, err := r.Run(t.Context())
		if err != nil || len(reports) != 1 {
			t.Fatal(reports, err)
		}
		got := reports[0]
		if got.Answered == 0 || got.Answered%2 != 0 || got.Rows != got.Answered || got.Note != OtherParts || estimates[0].Pending != got.Answered {
			t.Errorf("part %d: %+v, estimated %+v", n+1, got, estimates)
		}
		for hash := range calls(t, l) {
			asked[hash]++
		}
	}
	if len(asked) != 80 {
		t.Errorf("%d requests were asked", len(asked))
	}
	for hash, times := range asked {
		if times != 1 {
			t.Errorf("%s was asked %d times", hash, times)
		}
	}
}
