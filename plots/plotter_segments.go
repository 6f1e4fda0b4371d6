package plots

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// segmentLabels writes percentages into the segments of horizontal bars that run from 0 to 100, row 0 at the top, where they fit.
type segmentLabels struct {
	rows  [][]float64
	fills []color.NRGBA // of the segments of every row
}

var _ plot.Plotter = segmentLabels{}

// Plot implements [plot.Plotter]. Text is white on dark segments.
func (s segmentLabels) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for i, row := range s.rows {
		from := 0.0
		for k, share := range row {
			label := fmt.Sprintf("%.1f", share)
			sty := textStyle(smallSize, ink, false)
			if contrast(s.fills[k]) > 4.5 {
				sty.Color = paper
			}
			sty.XAlign = draw.XCenter
			if sty.Width(label)+2 <= tx(from+share)-tx(from) {
				middle(c, sty, vg.Point{X: tx(from + share/2), Y: ty(float64(len(s.rows) - 1 - i))}, label)
			}
			from += share
		}
	}
}
