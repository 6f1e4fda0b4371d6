package report

import (
	"reflect"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

// drawn are the columns that a figure draws, names before numbers, and the rows with each interval
// in columns of its number. Columns that only place a label, or repeat another column, are left
// out. Panels are sections. Cards have their texts in a row.
func drawn(p *ggsql.Plot, t *rows.Rows) ([]sql.Column, *rows.Rows) {
	var names, numbers []sql.Column
	number := func(column string) bool { return t.Has(column) && plain(t, column).Decimals != nil }
	add := func(column string) {
		c, list := plain(t, column), &names
		if c.Decimals != nil {
			list = &numbers
		}
		c.Head = inWords(strings.TrimSuffix(column, "_name"))
		if column != p.Facet.Column &&
			!slices.ContainsFunc(*list, func(of sql.Column) bool { return repeats(t, of.Name, column) }) {
			*list = append(*list, c)
		}
	}
	var labels []string
	of, ends := map[string]string{}, map[string]string{} // the last number on each axis; ends of intervals
	for _, l := range p.Layers {
		if label := l.Mapping["label"].Column; l.Form == "text" && t.Has(label) {
			labels = append(labels, label)
			continue
		}
		for _, a := range []string{"y", "x", "stroke", "fill", "colour", "xmin", "xmax", "ymin", "ymax"} {
			column := l.Mapping[a].Column
			switch isEnd := len(a) == len("xmin"); {
			case !t.Has(column) || isEnd && l.Setting["linewidth"].Number > 4: // which is drawn as a bar
			case isEnd && (strings.HasSuffix(column, "low") || strings.HasSuffix(column, "high")):
				ends[a] = column
			case a == "fill" && l.Form == "tile" &&
				slices.ContainsFunc(p.Layers, func(l ggsql.Layer) bool { return number(l.Mapping["label"].Column) }):
			default:
				if add(column); number(column) {
					of[a] = column
				}
			}
		}
		for _, by := range l.Partition {
			if column := by.Column + "_name"; t.Has(column) {
				add(column)
			} else if t.Has(by.Column) {
				add(by.Column)
			}
		}
	}
	if len(p.Layers) == 0 { // cards
		t = t.Set("lines",
			func(_ int, before any) any { lines, _ := before.([]string); return strings.Join(lines, " / ") })
		labels = []string{"image_id", "heading", "foot", "lines"}
	} else if t.Has("captioner_name") {
		add("captioner_name")
	}
	named := len(names) > 0
	for _, label := range labels {
		if number(label) || !named {
			add(label)
		}
	}
	for a, column := range ends {
		axis, end := a[:1], map[string]string{"min": "_low", "max": "_high"}[a[1:]]
		if name := of[axis] + end; of[axis] != "" && column != name {
			values := t.Read().Values(column)
			t = t.Set(name, func(i int, _ any) any { return values[i] })
		}
	}
	if len(numbers) == 1 {
		for _, axis := range []string{"x", "y"} {
			if of[axis] == numbers[0].Name && p.Labels[axis] != "" {
				numbers[0].Head = strings.ToUpper(p.Labels[axis][:1]) + p.Labels[axis][1:]
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
