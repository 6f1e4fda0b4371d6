package build

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// TestReadersOfEqualRows replaces a unit by one that gives a fold the same rows: the models that
// read the fold are not built again. Selected models are built from the last results of the others,
// and models that this leaves behind are told.
func TestReadersOfEqualRows(t *testing.T) {
	lake, models := laketest.New(t), foldModels(t)
	build := func(chosen ...string) []Report {
		return must.Get(Build(t.Context(), lake, models, Options{Select: chosen}))(t)
	}
	a := answer("m-1", "Natural", "q1")
	addRows(t, lake, data.Answers, "one", a)
	build()
	choice := int32(3)
	a.ChoiceIndex = &choice
	addRows(t, lake, data.Answers, "one", a)
	reports := build()
	for model, want := range map[string]string{"by_unit": StateBuilt, "by_question": StateBuilt,
		"by_image": StateUnchanged} {
		expect.Equal(t, reportOf(reports, model).State, want, model)
	}

	addRows(t, lake, data.Answers, "two", answer("m-2", "Natural", "q1"))
	for _, c := range []struct{ chosen, built, behind string }{
		{"by_image", "", "answers"}, {"by_unit", "by_unit", "answers by_unit"}, {"by_unit+", "by_image", "answers"},
		{"+by_q*", "by_question", ""},
	} {
		names := []string{}
		for _, r := range build(c.chosen) {
			if r.State == StateBuilt && !strings.HasPrefix(r.Model, sqlmodel.StalePrefix) {
				names = append(names, r.Model)
			}
		}
		expect.Equal(t, strings.Join(names, " "), c.built, "--select", c.chosen)
		expect.Equal(t, strings.Join(must.Get(Behind(lake))(t), " "), c.behind, "left behind by --select", c.chosen)
	}
}
