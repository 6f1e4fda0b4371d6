package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// An inkCanvas has colours of its own. In the dark, lightness is inverted and hues stay. A colour that
// can be seen on white can be seen on black, too. A transparent drawing has no paper.
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
		want := contrast(n)
		n.R, n.G, n.B = uint8(int(n.R)+turn), uint8(int(n.G)+turn), uint8(int(n.B)+turn)
		for want >= leastContrast && 21/contrast(n) < min(want, 4.5) {
			n = fade(tint(n, 0.08), n.A)
		}
	}
	c.CanvasSizer.SetColor(n)
}

// tint mixes a share of white into a colour.
func tint(c color.NRGBA, t float64) color.NRGBA { return blend(c, paper, t) }

// leastContrast is the contrast with white, or with black in the dark, of lines and points: WCAG 2.1.
const leastContrast = 3

// readable is a colour, darkened where text in it would be hard to read on white (contrast below 4.5 to 1).
func readable(c color.NRGBA) color.NRGBA { return darkened(c, 4.5) }

// darkened is a colour, darkened until it has a contrast with white.
func darkened(c color.NRGBA, least float64) color.NRGBA {
	for contrast(c) < least {
		c = blend(c, color.NRGBA{}, 0.04)
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
