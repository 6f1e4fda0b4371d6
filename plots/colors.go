package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// An inkCanvas changes colours to the look of a page. In the dark, lightness is inverted and hues
// stay. A colour that can be seen on white can then be seen on black. A transparent page has no
// paper.
type inkCanvas struct {
	vg.CanvasSizer
	look []string
}

// SetColor implements [vg.Canvas].
func (c inkCanvas) SetColor(k color.Color) {
	n, _ := color.NRGBAModel.Convert(k).(color.NRGBA) // The model converts every colour to NRGBA.
	if slices.Contains(c.look, "transparent") && fade(n, 0xff) == paper {
		n.A = 0 // also if the paper was translucent, as behind texts
	}
	if slices.Contains(c.look, "dark") {
		invert := 0xff - int(max(n.R, n.G, n.B)) - int(min(n.R, n.G, n.B)) // is added to all three
		want := contrast(n)
		n.R, n.G, n.B = uint8(int(n.R)+invert), uint8(int(n.G)+invert), uint8(int(n.B)+invert)
		// A colour gets lighter until it has the contrast with black that it had with white; a contrast
		// of 4.5 is enough. Fainter colours, such as the grid, stay faint. 21/contrast is the contrast
		// with black.
		for want >= leastContrast && 21/contrast(n) < min(want, 4.5) {
			n = fade(tint(n, 0.08), n.A)
		}
	}
	c.CanvasSizer.SetColor(n)
}

// tint mixes a share of white into a colour.
func tint(c color.NRGBA, t float64) color.NRGBA { return blend(c, paper, t) }

// leastContrast is the least contrast of lines and points with white, or with black in the dark, by
// WCAG 2.1.
const leastContrast = 3

// readable is a colour that is darkened for text on white: a contrast of 4.5 to 1 at least.
func readable(c color.NRGBA) color.NRGBA { return darkened(c, 4.5) }

// darkened is a colour that is darkened until it has a least contrast with white.
func darkened(c color.NRGBA, least float64) color.NRGBA {
	for contrast(c) < least {
		c = blend(c, color.NRGBA{}, 0.04)
	}
	return c
}

// contrast is the WCAG 2 contrast ratio of a colour with white, 1 to 21.
func contrast(c color.NRGBA) float64 {
	light := func(v uint8) float64 { // the linear light of a value of sRGB
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 1.05 / (0.2126*light(c.R) + 0.7152*light(c.G) + 0.0722*light(c.B) + 0.05)
}
