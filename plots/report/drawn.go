package report

import (
	"reflect"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

// drawn makes a table of a figure. It returns the columns that the figure draws, names before
// numbers, and the rows, in which the ends of each interval have columns named after their number.
// Columns that only place a label, or repeat another column, are left out. Panels are sections. A
// card is a row with all its texts.
func drawn(p *ggsql.Plot, t *rows.Rows) ([]sql.Column, *rows.Rows) {
	var names, numbers []sql.Column
	isNumber := func(column string) bool { return t.Has(column) && plain(t, column).Decimals != nil }
	// add adds a column to names or numbers, unless the column gives the panels, or
	// repeats a column that is there.
	add := func(column string) {
		c, list := plain(t, column), &names
		if c.Decimals != nil {
			list = &numbers
		}
		c.Head = inWords(strings.TrimSuffix(column, "_name"))
		isThere := slices.ContainsFunc(*list, func(other sql.Column) bool { return repeats(t, other.Name, column) })
		if column != p.Facet.Column && !isThere {
			*list = append(*list, c)
		}
	}
	var labels []string
	// by aesthetic: the last number that is drawn, and the ends of an interval
	numberOn, endOn := map[string]string{}, map[string]string{}
	labelsAreNumbers := slices.ContainsFunc(p.Layers,
		func(layer ggsql.Layer) bool { return isNumber(layer.Mapping["label"].Column) })
	for _, layer := range p.Layers {
		if label := layer.Mapping["label"].Column; layer.Form == "text" && t.Has(label) {
			labels = append(labels, label)
			continue
		}
		for _, aesthetic := range []string{"y", "x", "stroke", "fill", "colour", "xmin", "xmax", "ymin", "ymax"} {
			column := layer.Mapping[aesthetic].Column
			isEnd := strings.HasSuffix(aesthetic, "min") || strings.HasSuffix(aesthetic, "max")
			isBar := isEnd && layer.Setting["linewidth"].Number > 4 // a range so thick that it is drawn as a bar
			isShade := aesthetic == "fill" && layer.Form == "tile"
			switch {
			case !t.Has(column) || isBar:
			case isEnd && (strings.HasSuffix(column, "low") || strings.HasSuffix(column, "high")):
				endOn[aesthetic] = column
			case isShade && labelsAreNumbers: // The labels of the tiles have the number.
			default:
				if add(column); isNumber(column) {
					numberOn[aesthetic] = column
				}
			}
		}
		for _, by := range layer.Partition {
			if column := by.Column + "_name"; t.Has(column) {
				add(column)
			} else if t.Has(by.Column) {
				add(by.Column)
			}
		}
	}
	if len(p.Layers) == 0 { // cards, each with a list of texts
		t = t.Set("lines",
			func(_ int, before any) any { lines, _ := before.([]string); return strings.Join(lines, " / ") })
		labels = []string{"image_id", "heading", "foot", "lines"}
	} else if t.Has("captioner_name") {
		add("captioner_name")
	}
	// Labels in words are left out, unless nothing else names the rows.
	hasNames := len(names) > 0
	for _, label := range labels {
		if isNumber(label) || !hasNames {
			add(label)
		}
	}
	for aesthetic, column := range endOn { // such as xmin
		number := numberOn[aesthetic[:1]]
		name := number + map[string]string{"min": "_low", "max": "_high"}[aesthetic[1:]]
		if number != "" && column != name {
			values := t.Read().Values(column)
			t = t.Set(name, func(i int, _ any) any { return values[i] })
		}
	}
	if len(numbers) == 1 {
		// The only number has the label of its axis as its head.
		for _, axis := range []string{"x", "y"} {
			if numberOn[axis] == numbers[0].Name && p.Labels[axis] != "" {
				numbers[0].Head = capital(p.Labels[axis])
			}
		}
	}
	return append(names, numbers...), t
}

// repeats reports whether a column has the values of another one, or NULL.
func repeats(t *rows.Rows, other, column string) bool {
	values := t.Read().Values(other)
	for i, v := range t.Read().Values(column) {
		if v != nil && !reflect.DeepEqual(v, values[i]) {
			return false
		}
	}
	return true
}
