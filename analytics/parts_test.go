package analytics

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// TestPartsChangeLittle: another unit changes one part, whichever it is, and many small units have few parts.
func TestPartsChangeLittle(t *testing.T) {
	for _, n := range []int{1, 100, 400, 700, 5000, 200_000} {
		var units []string
		for i := range n {
			units = append(units, fmt.Sprintf("unit %06d", i))
		}
		parts := partsOf(units, int64(n)*smallPart)
		if n < 2*manyUnits && len(parts) != n || n > 3*manyUnits && len(parts) > 3*manyUnits {
			t.Errorf("%d units have %d parts", n, len(parts))
		}
		if got := slices.Concat(parts...); !slices.Equal(got, units) {
			t.Fatalf("%d units: not all are in the parts", n)
		}
		known := map[string]bool{}
		for _, p := range parts {
			known[strings.Join(p, "/")] = true
		}
		changed := 0
		for _, p := range partsOf(slices.Insert(slices.Clone(units), n/2, fmt.Sprintf("unit %06d again", n/2-1)), int64(n+1)*smallPart) {
			if !known[strings.Join(p, "/")] {
				changed++
			}
		}
		if changed > 2 {
			t.Errorf("another one among %d units changes %d parts", n, changed)
		}
	}
	for _, c := range []struct {
		units        int
		rows         int64 // of each
		fewest, most int
	}{{3, 1, 3, 3}, {60, 20, 8, 40}, {60, smallPart, 60, 60}, {2000, 330, 20, 120}} {
		var units []string
		for i := range c.units {
			units = append(units, fmt.Sprintf("unit %06d", i))
		}
		if n := len(partsOf(units, int64(c.units)*c.rows)); n < c.fewest || n > c.most {
			t.Errorf("%d units of %d rows have %d parts, want %d to %d", c.units, c.rows, n, c.fewest, c.most)
		}
	}
	var single [][]string
	for i := range 400 {
		single = append(single, []string{fmt.Sprintf("unit %06d", i)})
	}
	four := [][]string{{"a", "b", "c", "d"}, {"e", "f", "g", "h"}}
	if n := len(together(four, partsTogether)); n != 2 {
		t.Errorf("two parts of four units are %d", n)
	}
	if n := len(together(single, partsTogether)); n < 50 || n > 150 {
		t.Errorf("400 parts of a fold are %d of a fold of it, want about 100", n)
	}
}

func TestBoxesMeet(t *testing.T) {
	simple := box{"captioner": {"m-1", "m-1"}, "prompt": {"Simple", "Simple"}}
	for _, c := range []struct {
		name  string
		other box
		want  bool
	}{
		{"equal", box{"captioner": {"m-1", "m-1"}, "prompt": {"Simple", "Simple"}}, true},
		{"within", box{"captioner": {"a", "z"}, "prompt": {"A", "Z"}}, true},
		{"another prompt", box{"captioner": {"m-1", "m-1"}, "prompt": {"Long", "Short"}}, false},
		{"no captioner", box{"captioner": {"", ""}, "prompt": {"Simple", "Simple"}}, false},
		{"unknown", box{}, true},
	} {
		if simple.meets(c.other) != c.want || c.other.meets(simple) != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
	}
}

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
