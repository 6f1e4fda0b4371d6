package plots

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
)

// A Page is the page that a figure is laid out for. Figures are laid out anew for each width, in
// the same type sizes: no figure is scaled.
type Page struct {
	// Width is the width of the page in points, two inches at least; 0 is 7.2 inches, two columns
	// of a paper. A figure is at most as high as Height; 0 is nine inches. The rows of a higher
	// figure come closer, and a figure that is still too high is refused.
	Width, Height vg.Length
	// Scale makes everything larger than type in a paper, for slides and posters; 0 is 1.
	Scale float64
	// Bare leaves out title, subtitle, source and the wide margins: the caption and the column of a
	// paper take their place. The stamp of simulated rows stays.
	Bare bool
	// Highlight are captioners, by model_id, that are accented.
	Highlight []string
	// Panels are the values of the facet that are drawn, in their order; all when empty.
	Panels []string
	// Look holds some of [Looks].
	Look []string
	// Pictures opens the pictures that figures show; nil if figures show no pictures.
	Pictures Pictures
	// Names are the names to write in place of the names of the lake.
	Names
	// Domains are the domains of the lake, in any order and with repetitions. A user's own domains
	// get colours beside the colours of the published domains.
	Domains []string
	// Kinds are the kinds of the rows, one or several of data.Provenances. The stamps of the drawing
	// name these kinds.
	Kinds []string
	// Note is a sentence about the rows for the source line.
	Note   string
	body   vg.Length // the greatest height of the body; 0 for the first layout, which has no limit
	narrow bool      // panels are narrower, so that more of them stand side by side
}

// pages are the pages that have names. Each page has a width, a height (without the caption), both
// in inches, and a scale. A missing scale is 1.
var pages = map[string][3]float64{
	"acl": {3.03, 8.3}, "acl-full": {6.3, 8.9}, "cvpr": {3.25, 7.4}, "cvpr-full": {6.875, 8.2}, "neurips": {5.5, 8.1},
	"page":  {7, 9},
	"slide": {10, 5.6, 1.4}, "poster": {16, 20, 2.5},
}

// PageNames lists the pages that have names.
func PageNames() []string { return slices.Sorted(maps.Keys(pages)) }

// PageOf returns the page of a name, or of a width such as 84mm. An empty text gives the default
// page. A page with a scale is laid out smaller, and Encode enlarges the drawing by the scale.
func PageOf(width string) (Page, error) {
	if page, ok := pages[width]; ok {
		scale := cmp.Or(page[2], 1)
		return Page{Width: vg.Length(page[0] * 72 / scale), Height: vg.Length(page[1] * 72 / scale), Scale: scale}, nil
	}
	if width == "" {
		return Page{}, nil
	}
	w, err := vg.ParseLength(width)
	if err != nil || !(w >= minSide && w <= 1440) { // NaN is refused, too.
		return Page{}, fmt.Errorf("a width is one of %s, "+
			"or a number with a unit, such as 3.3in, 84mm or 240pt, of 2 to 20 inches, not %q",
			strings.Join(PageNames(), ", "), width)
	}
	return Page{Width: w}, nil
}

// Looks are the looks that a page may have beside black on white.
var Looks = []string{"dark", "transparent"}

// tight is the greatest height of a row or panel, from least to most, at which the body fits the
// page. The result is most if the body has no limit, and least if the body fits at no height. The
// function height returns the height of the body for a height of its rows or panels.
func (p Page) tight(most, least vg.Length, height func(each vg.Length) vg.Length) vg.Length {
	each := most
	for p.body > 0 && each > least && height(each) > p.body {
		each -= 0.25 // points
	}
	return each
}

// fullWidth is 7.2 inches: two columns of a paper.
const fullWidth = vg.Length(518)

// height is the greatest height of a drawing.
func (p Page) height() vg.Length { return cmp.Or(p.Height, 9*vg.Inch) }

func (p Page) width() vg.Length { return cmp.Or(p.Width, fullWidth) }

// margin is the room on the sides and at the top.
func (p Page) margin() vg.Length {
	if p.Bare {
		return 4
	}
	return margin
}

// low is the margin at the foot.
func (p Page) low() vg.Length { return min(p.margin(), margin-4) }

// right is the margin on the right. The last number of an axis reaches into this margin.
func (p Page) right() vg.Length { return max(p.margin(), 9) }

// inner is the width of the body.
func (p Page) inner() vg.Length { return p.width() - p.margin() - p.right() }

// across returns how many panels stand side by side, and the width that each panel then has. There
// are as many panels as the body has room for at a least width, but not more than most.
func (p Page) across(least, gap vg.Length, most int) (n int, width vg.Length) {
	n = max(1, min(most, int((p.inner()+gap)/(least+gap))))
	return n, (p.inner()+gap)/vg.Length(n) - gap
}
