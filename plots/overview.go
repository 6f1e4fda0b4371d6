package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// An overview is rows with one number that they are ordered by, in a panel wide enough for its intervals, and more numbers of the same
// kind in the columns of a heat map, with their intervals in figures.
type overview struct {
	labels  []rowLabel
	each    vg.Length // height of a row
	columns []overviewColumn
}

// An overviewColumn is the numbers of the rows in a domain.
type overviewColumn struct {
	domain    string
	name      string // of the domain, to write
	tone      color.Color
	values    []Number
	low, high []Number
}

// wideShare is how many columns of a heat map the panel of an overview is as wide as.
const wideShare = 3

// chart lays the overview out. The panels of the first column are those given; the colours of the others run from low to high.
func (o overview) chart(panels []panel, low, high float64) (rowChart, error) {
	if len(o.columns) == 1 {
		return newRowChart(o.labels, 150, o.each, panels...), nil
	}
	rest := o.columns[1:]
	cells, halves := make([][]Number, len(o.labels)), make([][]Number, len(o.labels))
	var heads []rowLabel
	for _, c := range rest {
		heads = append(heads, rowLabel{c.name, c.tone})
		for r := range o.labels {
			cells[r], halves[r] = append(cells[r], c.values[r]), append(halves[r], halfOf(c.values[r], c.low[r], c.high[r]))
		}
	}
	heat, err := NewHeat(cells, "%.1f")
	if err != nil {
		return rowChart{}, err
	}
	heat.Halves, heat.Low, heat.High = halves, low, high
	panels[0].wide = max(wideShare/float64(len(rest)+1), 0.75)
	return newRowChart(o.labels, 150, o.each, append(panels, heatPanel("", ink, heat, heads))...), nil
}

// intervalWords says what the lines and the figures behind "±" are, where there are any.
func (o overview) intervalWords() string {
	for i, c := range o.columns {
		if slices.ContainsFunc(c.low, func(n Number) bool { return n.Valid }) {
			if i > 0 || len(o.columns) > 1 {
				return " Lines, and figures behind ±, are 95 % intervals."
			}
			return " Lines are 95 % intervals."
		}
	}
	return ""
}

// crowd is the range of values to which an axis is zoomed: without as few of the lowest as make it shorter by two fifths, where these are
// a sixth of the values at most; the whole range otherwise.
func crowd(values []Number) [2]float64 {
	var all []float64
	for _, v := range values {
		if v.Valid {
			all = append(all, v.Value)
		}
	}
	slices.Sort(all)
	for k := 1; k <= len(all)/6; k++ {
		if top := all[len(all)-1]; top-all[k] <= 0.6*(top-all[0]) {
			return [2]float64{all[k] - (top-all[k])*0.05, anywhere[1]}
		}
	}
	return anywhere
}

// crowdRange is the range of colours for values: that of the crowd.
func crowdRange(values []Number) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	from := crowd(values)[0]
	for _, v := range values {
		if v.Valid {
			low, high = min(low, max(v.Value, from)), max(high, v.Value)
		}
	}
	return low, high
}
