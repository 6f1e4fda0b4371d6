package plots

import (
	"cmp"
	"image/color"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
)

// rubricFigures are the figures of a benchmark of annotated elements; those that its list does not name are not drawn.
func rubricFigures(b data.Benchmark) []Figure {
	p, _ := rubric.ProtocolOf(b.Name)
	radar, scores := rubricProfiles(b, p.Radar)
	return []Figure{radar, scores, annotationValues(b)}
}

// rubricName is the name of a figure of a benchmark of annotated elements.
func rubricName(b data.Benchmark, kind string) string { return b.Domains[0].Column + "_" + kind }

// views are the six views in the order of CAPability's Table 1.
var views = rubric.Views()

// viewColors are the colours of the views in their order, dark enough for text.
var viewColors = []color.NRGBA{
	{0x00, 0x5a, 0x8c, 0xff}, {0x00, 0x6e, 0x50, 0xff}, {0x8f, 0x61, 0x00, 0xff}, {0xa8, 0x3c, 0x08, 0xff}, {0x8a, 0x3d, 0x6b, 0xff}, {0x4a, 0x4a, 0x4a, 0xff},
}

func viewColor(view string) color.NRGBA {
	if i := slices.Index(views, view); i >= 0 {
		return viewColors[i]
	}
	return ink
}

// rubricDimension is one of the dimensions of a benchmark of annotated elements.
type rubricDimension struct{ id, name, view string }

// rubricDimensions returns the dimensions of a benchmark in the order of its paper's tables.
func rubricDimensions(ts Tables, benchmark string) ([]rubricDimension, error) {
	from := ts.Read("capability_rubric").Where("benchmark", benchmark)
	ids, names, viewed, places := from.Text("dimension"), from.Text("name"), from.Text("view"), from.Floats("place")
	var out []rubricDimension
	for _, i := range ordered(len(places), func(a, b int) int { return cmp.Compare(places[a], places[b]) }) {
		out = append(out, rubricDimension{ids[i], names[i], viewed[i]})
	}
	return out, from.Err
}

// oneJudge begins to read the rows of one judge in its first repetition, and says which: of the judge with the most rows.
func (r *Reading) oneJudge() (*Reading, string) {
	r, chosen := r.most("judge")
	repeats := r.Floats("repeat")
	return r.Pick(func(i int) bool { return repeats[i] == slices.Min(repeats) }, "has no repetition"), chosen[0]
}

// most begins to read the rows that have the combination of values of text columns which has the most rows, and says which values. Equal
// ones go by name.
func (r *Reading) most(columns ...string) (*Reading, []string) {
	keys := make([]string, r.Len())
	for _, name := range columns {
		for i, v := range r.TextOrNone(name) {
			keys[i] += v + "\x00"
		}
	}
	count, best := map[string]int{}, ""
	for _, k := range keys {
		count[k]++
	}
	for k, n := range count {
		if n > count[best] || n == count[best] && k < best {
			best = k
		}
	}
	return r.Pick(func(i int) bool { return keys[i] == best }, "has no rows"), strings.Split(best, "\x00")
}

// OfOneReader are the rows of the reader and the protocol with the most, where the table has these.
func (t *Table) OfOneReader() (*Table, error) {
	if !t.Has("reader") || !t.Has("protocol") {
		return t, nil
	}
	from, _ := Read(t).most("protocol", "reader")
	return from.Table, from.Err
}
