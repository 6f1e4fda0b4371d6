package analytics

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// TestPlanHasATurnForEachModel runs plans with several workers: a model begins after its inputs, once, and what reads a failed one is told.
func TestPlanHasATurnForEachModel(t *testing.T) {
	models := []Model{
		{Name: "a"}, {Name: "b", Inputs: []string{"answers", "a"}}, {Name: "c", Inputs: []string{"a"}},
		{Name: "d", Inputs: []string{"b", "c"}}, {Name: "e"}, {Name: "f", Inputs: []string{"d"}},
	}
	for range 100 {
		p := newPlan(models)
		var mu sync.Mutex
		var order, told []string
		var workers sync.WaitGroup
		for range 3 {
			workers.Go(func() {
				for i := p.next(); i >= 0; i = p.next() {
					m := models[i]
					input, failed := p.failedInput(i)
					mu.Lock()
					for _, name := range m.Inputs {
						if name != "answers" && !slices.Contains(order, name) {
							t.Errorf("%s began before %s was done", m.Name, name)
						}
					}
					mu.Unlock()
					p.finish(i, failed || m.Name == "c", false, func() {
						mu.Lock()
						defer mu.Unlock()
						order = append(order, m.Name)
						if failed {
							told = append(told, m.Name+" of "+input)
						}
					})
				}
			})
		}
		workers.Wait()
		slices.Sort(told)
		if len(order) != len(models) || strings.Join(told, ", ") != "d of c, f of d" || models[newPlan(models).next()].Name != "a" {
			t.Fatalf("order %v, told %v", order, told)
		}
	}
}

// TestReadersOfEqualRows replaces a unit by one of which a fold has the same rows: the models that read the fold are not built again.
func TestReadersOfEqualRows(t *testing.T) {
	lake, models := laketest.New(t), foldModels(t)
	build := func() []ModelReport {
		reports, err := Build(t.Context(), lake, models, RunOptions{})
		must.Succeed(t, err)
		return reports
	}
	a := answer("m-1", "Natural", "q1")
	addRows(t, lake, data.Answers, "one", a)
	build()
	choice := int32(3)
	a.ChoiceIndex = &choice
	addRows(t, lake, data.Answers, "one", a)
	reports := build()
	for model, want := range map[string]string{"by_unit": StateBuilt, "by_question": StateBuilt, "by_image": StateUnchanged} {
		if got := reportOf(reports, model).State; got != want {
			t.Errorf("%s is %s, want %s", model, got, want)
		}
	}
}
