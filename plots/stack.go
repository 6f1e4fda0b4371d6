package plots

import (
	"cmp"
	"math"
	"slices"

	"github.com/captionlake/captionlake/data"
)

// boxes gives tiles, bars and areas their ends. Bars and areas of one place stand on each other in
// the order of their keys, as in ggsql. Negative values hang below zero. Bars of numbers are as
// wide as their nearest neighbours let them.
func (c *chart) boxes(l layer) error {
	half := map[string]float64{}
	switch l.Form {
	case "tile":
		half["x"], half["y"] = 0.48, 0.46
	case "bar", "area":
		place, value := "x", "y"
		if c.y != nil { // they lie
			place, value = "y", "x"
		}
		wide := drawnLayer{layer: l}.number("width", 0.7)
		if l.Setting["position"].Text == "dodge" {
			if c.x == nil && c.y == nil {
				return data.WithHint(c.file.Fault(l.At,
					"position => 'dodge' puts bars of one category side by side, and these are at numbers"),
					"map a text to x or y")
			}
			slots := c.slots(l.marks, place)
			for _, m := range l.marks {
				shift, share := slots(m)
				m.at[place+"min"], m.at[place+"max"] = m.at[place]+(shift-share/2)*wide,
					m.at[place]+(shift+share/2)*wide
				m.at[value+"min"], m.at[value+"max"] = min(m.at[value], 0), max(m.at[value], 0)
			}
			return nil
		}
		step, whole := c.stack(l, place, value)
		if l.Form == "bar" {
			half[place] = wide / 2 * step
		} else if c.y != nil || !whole {
			return data.WithHint(c.file.Fault(l.At,
				"areas that stand on each other have one row at each place of the X axis"),
				"write 0 where there is nothing")
		}
	}
	for _, m := range l.marks {
		for axis, by := range half {
			m.at[axis+"min"], m.at[axis+"max"] = m.at[axis]-by, m.at[axis]+by
		}
	}
	return nil
}

// key is the place of a mark's colour in the legend.
func (c *chart) key(m mark) int {
	return slices.IndexFunc(c.keys, func(k Key) bool { return slices.Contains(m.keys, k.Name) })
}

// stack puts marks of one place on each other. It returns how far the nearest places are apart, and
// whether each group is at each of them once, where any share one.
func (c *chart) stack(l layer, place, value string) (step float64, whole bool) {
	stacked := slices.SortedStableFunc(slices.Values(l.marks), func(a, b mark) int {
		return cmp.Or(a.panel-b.panel, cmp.Compare(a.at[place], b.at[place]), c.key(a)-c.key(b))
	})
	type part struct {
		panel int
		group string
	}
	tops, places, rows := map[bool]float64{}, map[int]int{}, map[part]int{}
	step, whole = math.Inf(1), true
	shared := false
	for i, m := range stacked {
		gap := math.Inf(1)
		if i > 0 && m.panel == stacked[i-1].panel {
			gap = m.at[place] - stacked[i-1].at[place]
		}
		if gap > 1e-9 {
			step = min(step, gap)
			clear(tops)
			places[m.panel]++
		} else {
			shared = true
		}
		below := m.at[value] < 0
		m.at[value+"min"] = tops[below]
		m.at[value] += tops[below]
		m.at[value+"max"], tops[below] = m.at[value], m.at[value]
		rows[part{m.panel, m.group}]++
	}
	for p, n := range rows {
		whole = whole && (n == places[p.panel] || !shared)
	}
	if c.x != nil || c.y != nil || math.IsInf(step, 1) {
		step = 1
	}
	return step, whole
}
