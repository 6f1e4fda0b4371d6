package plots

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"
)

// A Page is what a figure is laid out for. Figures are laid out anew for each width, in the same type sizes: none is scaled.
type Page struct {
	// Width is that of the page in points, two inches at least; 0 is 7.2 inches, two columns of a paper.
	Width vg.Length
	// Bare leaves out title, subtitle, source and the wide margins, which the caption and the column of a paper take the place of. The
	// stamp of simulated rows stays.
	Bare bool
	// Pictures opens the pictures that figures show; nil for none.
	Pictures Pictures
	// Order is the order of captioners, by model_id; nil for that of each figure. Captioners that it does not name come after the others.
	Order []string
	// Names are the names to write in place of those of the lake.
	Names
}

// place orders captioners by the order that the page asks for; all are equal where it asks for none.
func (p Page) place(modelID string) int {
	if i := slices.Index(p.Order, modelID); i >= 0 {
		return i
	}
	return len(p.Order)
}

// fullWidth is 7.2 inches: two columns of a paper.
const fullWidth = vg.Length(518)

func (p Page) width() vg.Length { return cmp.Or(p.Width, fullWidth) }

// margin is the room on the sides and at the top.
func (p Page) margin() vg.Length {
	if p.Bare {
		return 4
	}
	return margin
}

// low is the margin at the bottom.
func (p Page) low() vg.Length { return min(p.margin(), margin-4) }

// right is the margin on the right, which the last number of an axis reaches into.
func (p Page) right() vg.Length { return max(p.margin(), 9) }

// inner is the width of the body.
func (p Page) inner() vg.Length { return p.width() - p.margin() - p.right() }

// across is how many panels of a least width a row of the body has room for, at most most.
func (p Page) across(least, gap vg.Length, most int) int {
	return max(1, min(most, int((p.inner()+gap)/(least+gap))))
}
