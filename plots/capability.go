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
	return []Figure{radar, scores, annotationValues(b), judgeRepeats(b), judgesFigure(b), rubricMap(b)}
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
	t, err := ts.Get("capability_rubric")
	if err != nil {
		return nil, err
	}
	if t, err = t.Where("benchmark", benchmark); err != nil {
		return nil, err
	}
	columns := map[string][]string{}
	for _, name := range []string{"dimension", "name", "view"} {
		if columns[name], err = t.Strings(name); err != nil {
			return nil, err
		}
	}
	places, err := t.Floats("place")
	if err != nil {
		return nil, err
	}
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	var out []rubricDimension
	for _, i := range order {
		out = append(out, rubricDimension{columns["dimension"][i], columns["name"][i], columns["view"][i]})
	}
	return out, nil
}

// oneJudge returns the rows of one judge in its first repetition, and says which: of the judge with the most rows.
func oneJudge(t *Table) (*Table, string, error) {
	t, chosen, err := most(t, "judge")
	if err != nil {
		return nil, "", err
	}
	repeats, err := t.Floats("repeat")
	if err != nil {
		return nil, "", err
	}
	first := slices.Min(repeats)
	return t.Pick(func(i int) bool { return repeats[i] == first }), chosen[0], nil
}

// most returns the rows that have the combination of values of text columns which has the most rows, and the values.
// Equal ones go by name.
func most(t *Table, columns ...string) (*Table, []string, error) {
	keys := make([][]string, t.Len())
	for _, name := range columns {
		values, err := t.Strings(name)
		if err != nil {
			return nil, nil, err
		}
		for i, v := range values {
			keys[i] = append(keys[i], v)
		}
	}
	count := map[string]int{}
	best := ""
	for _, k := range keys {
		count[strings.Join(k, "\x00")]++
	}
	for k, n := range count {
		if best == "" || n > count[best] || n == count[best] && k < best {
			best = k
		}
	}
	return t.Pick(func(i int) bool { return strings.Join(keys[i], "\x00") == best }), strings.Split(best, "\x00"), nil
}
