package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
)

// What the figures of CapArena share: rows of captioners, judges or annotators with values and intervals in several panels.

// arenaPeople is the judge that stands for all people in the marts of CapArena.
const arenaPeople = arena.People

// ArenaTitle is the name of an arena to show to people, by the benchmark that its battles carry.
func ArenaTitle(benchmark string) string {
	b, _ := data.BenchmarkOf(data.BenchmarkCapArena)
	return b.Title + map[bool]string{true: "", false: "-Auto"}[benchmark == data.BenchmarkCapArena]
}

// Annotator names an annotator of votes: released votes are by people who are not named, and all annotators together are named so.
func Annotator(name string) string {
	switch name {
	case "":
		return "All together"
	case arenaPeople:
		return "Not named (released votes)"
	}
	return name
}

// arenaTable begins to read the rows of CapArena of a mart that also has those of CapArena-Auto.
func arenaTable(ts Tables, mart string) *Reading {
	return ts.Read(mart).Where("benchmark", data.BenchmarkCapArena)
}

// arenaCaptioners returns the rows of a table of captioners in an order, their labels, the place in front where it is asked for, and
// markers: hollow ones for proprietary models, as in other figures, and another colour for people.
func arenaCaptioners(on Page, t *Table, compare func(a, b int) int) (order []int, labels []rowLabel, glyphs []draw.GlyphStyle, keys []Key, err error) {
	from := Read(t)
	ids, names, types := from.Text("captioner"), from.TextOrNone("captioner_name"), from.TextIf("model_type")
	if from.Err != nil {
		return nil, nil, nil, nil, from.Err
	}
	names = modelNames(ids, names, nil)
	for i := range ids {
		order = append(order, i)
		g := filled(palette[0])
		switch {
		case ids[i] == arena.Human:
			g = filled(palette[1])
		case types[i] == data.ModelProprietary:
			g = hollow(palette[0])
		}
		glyphs = append(glyphs, g)
	}
	order = arranged(on, order, func(i int) string { return ids[i] }, func(a, b int) int {
		return cmp.Or(compare(a, b), cmp.Compare(names[a], names[b]), cmp.Compare(ids[a], ids[b]))
	})
	for _, i := range order {
		labels = append(labels, rowLabel{names[i], ink})
	}
	if models := slices.DeleteFunc(slices.Clone(types), func(s string) bool { return s == data.ModelHuman }); slices.Contains(models, data.ModelProprietary) {
		for _, k := range typeKeys(models) {
			k.Look.Color = palette[0]
			keys = append(keys, k)
		}
		if slices.Contains(ids, arena.Human) {
			keys = append(keys, Key{Name: "person's caption", Look: Look{Color: palette[1], Shape: draw.CircleGlyph{}}})
		}
	}
	return order, labels, glyphs, keys, nil
}

// A dotColumn is a panel: a column of a mart as dots with its interval.
type dotColumn struct {
	column, title string
	format        string  // of the label beside a dot; empty for none
	reference     float64 // where a line is drawn, such as at what chance gives; NaN for none
	axis          *axis   // of the panel; panels that can be compared share one
}

// noReference is the reference of a panel without one.
var noReference = math.NaN()

// dotPanels draws columns of a table as panels with the same rows. Columns without a value are left out; it is an ErrNoRows when none has
// one.
func dotPanels(t *Table, order []int, glyphs []draw.GlyphStyle, columns []dotColumn) (panels []panel, note string, err error) {
	var bounds [][2][]Number
	for _, c := range columns {
		from := Read(t)
		values, ends := from.Numbers(c.column), from.Interval(c.column)
		if from.Err != nil {
			return nil, "", from.Err
		}
		if !slices.ContainsFunc(values, func(n Number) bool { return n.Valid }) {
			continue
		}
		rows := make([]Dot, len(order))
		for k, i := range order {
			if values[i].Valid {
				rows[k] = Dot{Value: values[i], Low: ends[0][i], High: ends[1][i], Glyph: glyphs[i], Label: formatOf(c.format, values[i])}
			}
		}
		dots, err := NewDots(rows)
		if err != nil {
			return nil, "", fmt.Errorf("column %s: %w", c.column, err)
		}
		var behind []plot.Plotter
		if !math.IsNaN(c.reference) {
			c.axis.include(c.reference)
			behind = append(behind, marker{at: c.reference, vertical: true})
		}
		panels, bounds = append(panels, newPanel(c.title, ink, c.axis, dots, behind...)), append(bounds, ends)
	}
	if len(panels) == 0 {
		return nil, "", noRows("table %s has no value to draw", t.Name())
	}
	return panels, intervalNote(bounds...), nil
}
