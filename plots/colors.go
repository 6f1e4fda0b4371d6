package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// An inkCanvas has colours of its own: in the dark lightness is inverted and hues stay, and on nothing there is no paper.
type inkCanvas struct {
	vg.CanvasSizer
	look []string
}

// SetColor implements [vg.Canvas].
func (c inkCanvas) SetColor(k color.Color) {
	n, ok := color.NRGBAModel.Convert(k).(color.NRGBA)
	if slices.Contains(c.look, "transparent") && ok && n.R == 0xff && n.G == 0xff && n.B == 0xff {
		n.A = 0
	}
	if slices.Contains(c.look, "dark") {
		turn := 0xff - int(max(n.R, n.G, n.B)) - int(min(n.R, n.G, n.B))
		n.R, n.G, n.B = uint8(int(n.R)+turn), uint8(int(n.G)+turn), uint8(int(n.B)+turn)
	}
	c.CanvasSizer.SetColor(n)
}

// tint mixes a share of white (t > 0) or black (t < 0) into a colour.
func tint(c color.NRGBA, t float64) color.NRGBA {
	if t < 0 {
		return blend(c, color.NRGBA{A: c.A}, -t)
	}
	return blend(c, paper, t)
}

// readable is a colour, darkened where text in it would be hard to read on white (contrast below 4.5 to 1).
func readable(c color.NRGBA) color.NRGBA {
	for contrast(c) < 4.5 {
		c = tint(c, -0.08)
	}
	return c
}

// contrast is the WCAG 2 contrast ratio of a colour with white, 1 to 21.
func contrast(c color.NRGBA) float64 {
	lin := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 1.05 / (0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B) + 0.05)
}
