package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat is a heat map with the value written in each cell: row 0 at the top, cell (r, c) around (c, rows-1-r). Colours run from white at
// Low to dark blue at High, light and dark alone telling them apart. It implements [plot.Plotter] and [plot.DataRanger].
type Heat struct {
	Cells     [][]Number // all rows of one length; a cell that is not valid is hatched
	Halves    [][]Number // half of the interval of each cell, written behind the value where there is room; nil for none
	Low, High float64
	Format    string // of the value, such as %.1f; where cells are too narrow, numbers are whole or left out
	Diverging bool   // orange at Low, white halfway and blue at High, for values that are more or less than something

	Cuts []int // rows above which a line sets what comes before apart

	plain map[int]bool // rows without colour and sign, of what is not on the scale
}

var (
	_ plot.Plotter    = (*Heat)(nil)
	_ plot.DataRanger = (*Heat)(nil)
)

// NewHeat checks the cells, which must hold a value at least once, and takes the range of colours from them.
func NewHeat(cells [][]Number, format string) (*Heat, error) {
	h := &Heat{Cells: cells, Low: math.Inf(1), High: math.Inf(-1), Format: format}
	for i, row := range cells {
		if len(row) != len(cells[0]) {
			return nil, fmt.Errorf("row %d of the heat map has %d cells, row 1 has %d", i+1, len(row), len(cells[0]))
		}
		for _, v := range row {
			if v.Valid {
				h.Low, h.High = min(h.Low, v.Value), max(h.High, v.Value)
			}
		}
	}
	if h.Low > h.High {
		return nil, noRows("a heat map needs at least one value")
	}
	return h, nil
}

// DataRange returns the extent of the cells.
func (h *Heat) DataRange() (xmin, xmax, ymin, ymax float64) {
	return -0.5, float64(len(h.Cells[0])) - 0.5, -0.5, float64(len(h.Cells)) - 0.5
}

// color is the colour of a value: a mix of white, a middle blue and a dark blue. When all values are equal it is the middle.
func (h *Heat) color(v float64) color.NRGBA {
	t := 0.5
	if h.High > h.Low {
		t = min(max((v-h.Low)/(h.High-h.Low), 0), 1)
	}
	stops := []color.NRGBA{{0xff, 0xff, 0xff, 0xff}, {0x6b, 0xae, 0xd6, 0xff}, {0x08, 0x30, 0x6b, 0xff}}
	if h.Diverging {
		stops = []color.NRGBA{{0xd5, 0x5e, 0x00, 0xff}, {0xff, 0xff, 0xff, 0xff}, {0x00, 0x72, 0xb2, 0xff}}
	}
	i := min(int(t*2), 1)
	f := t*2 - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + f*(float64(b)-float64(a)))) }
	a, b := stops[i], stops[i+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// Plot draws the cells, text in the ink or in white, whichever is read better on the cell.
func (h *Heat) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	sty := textStyle(tinySize, ink, false)
	sty.XAlign = draw.XCenter
	write := h.writer(sty, tx(1)-tx(0)-2)
	for i, row := range h.Cells {
		y := float64(len(h.Cells) - 1 - i)
		for j, v := range row {
			x0, x1, y0, y1 := tx(float64(j)-0.5), tx(float64(j)+0.5), ty(y-0.5), ty(y+0.5)
			if !v.Valid {
				c.StrokeLine2(lineStyle(gridInk, hairline), x0, y0, x1, y1)
				continue
			}
			fill := h.color(v.Value)
			if h.plain[i] {
				fill = paper
			}
			r := rect(x0, y0, x1, y1)
			c.FillPolygon(fill, r)
			c.StrokeLines(lineStyle(paper, hairline), append(r, r[0]))
			sty.Color = ink
			if contrast(fill) > 4.5 {
				sty.Color = paper
			}
			middle(c, sty, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, write(i, j))
		}
	}
	for _, row := range h.Cuts {
		y := ty(float64(len(h.Cells)-row) - 0.5)
		c.StrokeLine2(lineStyle(ink, 0.8), c.Min.X, y, c.Max.X, y)
	}
}

// writer returns what writes the cells' numbers: with intervals, with digits behind the point, whole or not at all, the first that fits
// into a width in all cells.
func (h *Heat) writer(sty text.Style, width vg.Length) func(row, column int) string {
	for _, format := range []string{"± " + h.Format, h.Format, h.whole()} {
		halves := strings.HasPrefix(format, "± ")
		if halves && h.Halves == nil || format == "" {
			continue
		}
		write := func(i, j int) string {
			v := h.Cells[i][j]
			if !v.Valid {
				return ""
			}
			text := fmt.Sprintf(strings.TrimPrefix(format, "± "), v.Value+0)
			if h.plain[i] {
				text = strings.TrimPrefix(text, "+")
			}
			if halves && h.Halves[i][j].Valid {
				text += fmt.Sprintf(" ± %.1f", h.Halves[i][j].Value)
			}
			return text
		}
		fits := true
		for i, row := range h.Cells {
			for j := range row {
				fits = fits && sty.Width(write(i, j)) <= width
			}
		}
		if fits {
			return write
		}
	}
	return func(int, int) string { return "" }
}

// least is the width of a column that has room for whole numbers.
func (h *Heat) least() vg.Length {
	sty, widest := textStyle(tinySize, ink, false), vg.Length(3)
	for _, v := range []float64{h.Low, h.High} {
		if h.Format != "" {
			widest = max(widest, sty.Width(fmt.Sprintf(h.whole(), v)))
		}
	}
	return widest + 3
}

// whole is the format without digits behind the point.
func (h *Heat) whole() string {
	if before, _, ok := strings.Cut(h.Format, "."); ok {
		return before + ".0f"
	}
	return ""
}

// keys are the colours at the ends of the scale and halfway, where the cells alone do not say what a colour means.
func (h *Heat) keys(unit string) []Key {
	var keys []Key
	for _, v := range slices.Compact([]float64{h.Low, (h.Low + h.High) / 2, h.High}) {
		keys = append(keys, Key{Name: fmt.Sprintf(h.whole()+"%s", v, unit), Look: Look{Color: h.color(v)}, Square: true})
	}
	return keys
}

// cutWords says that values below the scale have its lowest colour, where there are any.
func (h *Heat) cutWords() string {
	for i, row := range h.Cells {
		if slices.ContainsFunc(row, func(n Number) bool { return !h.plain[i] && n.Valid && n.Value < h.Low }) {
			return fmt.Sprintf(" Below %.0f all is white.", h.Low)
		}
	}
	return ""
}

// halfOf is the longer half of the interval of a value.
func halfOf(v, low, high Number) Number {
	if !v.Valid || !low.Valid || !high.Valid {
		return Number{}
	}
	return Number{max(v.Value-low.Value, high.Value-v.Value), true}
}
