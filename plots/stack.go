package plots

import (
	"cmp"
	"math"
	"slices"
)

// setEnds gives tiles, bars and areas their ends. Bars and areas of one place stand on each other
// in the order of the legend, or bars side by side, as in ggsql. Negative values hang below zero.
// Bars at numbers are as wide as their nearest neighbours let them.
func (c *chart) setEnds(l layer) {
	place, value := c.axes()
	// ends gives a mark its ends along an axis: the mark gets a share of the width wide, and its
	// middle moves by the part shift of wide.
	ends := func(m mark, axis string, shift, share, wide float64) {
		m.at[axis+"min"], m.at[axis+"max"] = m.at[axis]+(shift-share/2)*wide, m.at[axis]+(shift+share/2)*wide
	}
	if l.Form == "tile" {
		for _, m := range l.marks {
			ends(m, "x", 0, 1, 0.96)
			ends(m, "y", 0, 1, 0.92)
		}
		return
	}
	slots := c.slots(l.marks, place)
	if l.Setting["position"].Text == "dodge" {
		if c.x == nil && c.y == nil {
			c.fault(l.At, "map a text to x or y",
				"position => 'dodge' puts bars of one category side by side, and these are at numbers")
		}
		for _, m := range l.marks {
			m.at[value+"min"], m.at[value+"max"] = min(m.at[value], 0), max(m.at[value], 0)
		}
	} else {
		step, whole := c.stack(l, place, value)
		// A stack stands alone in the middle of its place, and the place is one step wide.
		slots = func(mark) (shift, share float64) { return 0, step }
		if l.Form == "area" && (c.y != nil || !whole) {
			c.fault(l.At, "write 0 where there is nothing",
				"areas that stand on each other have one row at each place of the X axis")
		}
	}
	for _, m := range l.marks {
		if l.Form == "bar" {
			shift, share := slots(m)
			ends(m, place, shift, share, l.number("width", 0.7))
		}
	}
}

// axes are the axis along which bars and boxes stand side by side, and the axis of their values.
func (c *chart) axes() (place, value string) {
	if c.y != nil { // Bars lie if the Y axis has categories.
		return "y", "x"
	}
	return "x", "y"
}

// key is the place of a mark's colour in the legend, or -1.
func (c *chart) key(m mark) int {
	return slices.IndexFunc(c.keys, func(k Key) bool { return slices.Contains(m.keys, k.Name) })
}

// stack puts marks of one place on each other. It returns the distance between the two places that
// are nearest to each other (step), which is 1 for categories. The stacks are whole if no two marks
// share a place, or if each group has one mark at each place.
func (c *chart) stack(l layer, place, value string) (step float64, whole bool) {
	// The marks here are copies, but share the map at with the marks of the layer. So the marks of the
	// layer change, too.
	stacked := slices.SortedStableFunc(slices.Values(l.marks), func(a, b mark) int {
		return cmp.Or(a.panel-b.panel, cmp.Compare(a.at[place], b.at[place]), c.key(a)-c.key(b))
	})
	tops := map[bool]float64{}      // of the place, above zero (false) and below it (true)
	placesOf := map[int]int{}       // number of places by panel
	step, whole = math.Inf(1), true // until two marks share a place
	for i, m := range stacked {
		gap := math.Inf(1)
		if i > 0 && m.panel == stacked[i-1].panel {
			gap = m.at[place] - stacked[i-1].at[place]
		}
		if gap > 1e-9 {
			step = min(step, gap)
			clear(tops)
			placesOf[m.panel]++
		} else {
			whole = false
		}
		below := m.at[value] < 0
		m.at[value+"min"] = tops[below]
		m.at[value] += tops[below]
		m.at[value+"max"], tops[below] = m.at[value], m.at[value]
	}
	whole = whole || !slices.ContainsFunc(grouped(l.marks),
		func(group []mark) bool { return len(group) != placesOf[group[0].panel] })
	if c.x != nil || c.y != nil || math.IsInf(step, 1) {
		step = 1
	}
	return step, whole
}
