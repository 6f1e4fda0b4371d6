package plots

import (
	"image/color"
	"sort"
	"strings"
	"unicode"

	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of the house style, in points.
const (
	titleSize    = 12
	subtitleSize = 8.5
	labelSize    = 8
	smallSize    = 7
	tinySize     = 6.3
	margin       = vg.Length(14)
	hairline     = vg.Length(0.5)
)

// Inks of the house style. Grey text keeps a contrast of at least 4.5 to 1 on white.
var (
	ink      = color.NRGBA{0x1a, 0x1a, 0x1a, 0xff}
	softInk  = color.NRGBA{0x59, 0x59, 0x59, 0xff}
	gridInk  = color.NRGBA{0xdd, 0xdd, 0xdd, 0xff}
	frameInk = color.NRGBA{0x99, 0x99, 0x99, 0xff}
	paper    = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	alarm    = color.NRGBA{0xb0, 0x00, 0x20, 0xff}
)

// palette is the qualitative palette for series that are neither models nor domains, from dark to light: the hues of Okabe-Ito at
// lightnesses that stay apart in grey print.
var palette = []color.NRGBA{
	{0x00, 0x50, 0x8a, 0xff}, {0xc4, 0x45, 0x0c, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xc9, 0x8a, 0xb0, 0xff}, {0xea, 0xb0, 0x3c, 0xff}, {0xa5, 0xda, 0xf5, 0xff},
}

func fade(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// textStyle is the house type: Liberation Sans unless another typeface is in use.
func textStyle(size float64, c color.Color, bold bool) text.Style {
	t := house.Load()
	f := font.From(t.font, vg.Points(size))
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return text.Style{Color: c, Font: f, Handler: text.Plain{Fonts: t.cache}}
}

func lineStyle(c color.Color, width vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: dashes}
}

// newPlot returns a gonum plot in the house style, without title, labels and legend.
func newPlot() *plot.Plot {
	p := plot.New()
	p.TextHandler = text.Plain{Fonts: house.Load().cache}
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle = lineStyle(frameInk, hairline)
		a.Tick.LineStyle = lineStyle(frameInk, hairline)
		a.Tick.Length = 3
		a.Padding = 2
		align, valign := a.Tick.Label.XAlign, a.Tick.Label.YAlign
		a.Tick.Label = textStyle(smallSize, softInk, false)
		a.Tick.Label.XAlign, a.Tick.Label.YAlign = align, valign
		align, valign, turn := a.Label.TextStyle.XAlign, a.Label.TextStyle.YAlign, a.Label.TextStyle.Rotation
		a.Label.TextStyle = textStyle(labelSize, softInk, false)
		a.Label.TextStyle.XAlign, a.Label.TextStyle.YAlign, a.Label.TextStyle.Rotation = align, valign, turn
	}
	return p
}

// clean makes text fit to draw: control characters become spaces, runes that the house font has no glyph for become a question mark,
// and blanks are single. All formats get the same text and so the same layout.
func clean(s string) string {
	t := house.Load()
	face := t.cache.Lookup(t.font, labelSize).Face
	var buf sfnt.Buffer
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.IsSpace(r) {
			return ' '
		}
		if g, err := face.GlyphIndex(&buf, r); err != nil || g == 0 || r > 0xffff {
			return '?' // the PDF library has no fonts past the basic plane
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return strings.Join(strings.Fields(s), " ")
}

// fit cleans text and cuts it to a width, an ellipsis marking the cut. It is cut in the middle: names of models begin with those of their
// makers and end with what tells them apart.
func fit(sty text.Style, s string, width vg.Length) string {
	return cut(sty, s, width, func(runes []rune, n int) (head, tail []rune) { return runes[:n/2], runes[len(runes)-(n-n/2):] })
}

// cutEnd is fit for sentences, which lose their end.
func cutEnd(sty text.Style, s string, width vg.Length) string {
	return cut(sty, s, width, func(runes []rune, n int) (head, tail []rune) { return runes[:n], nil })
}

// cut cleans text and keeps as many of its runes as fit into a width, those that a function chooses.
func cut(sty text.Style, s string, width vg.Length, keep func(runes []rune, n int) (head, tail []rune)) string {
	s = clean(s)
	if sty.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	short := func(n int) string {
		head, tail := keep(runes, n)
		return strings.TrimSpace(string(head)) + "…" + strings.TrimSpace(string(tail))
	}
	// Fewer runes are narrower, so the most that fit are found by halving: names can be long.
	if n := sort.Search(len(runes), func(n int) bool { return sty.Width(short(n+1)) > width }); n > 0 {
		return short(n)
	}
	return "…"
}

// wrap cleans text and breaks it at blanks into at most lines lines of a width; what does not fit is cut with an ellipsis.
func wrap(sty text.Style, s string, width vg.Length, lines int) []string {
	words := strings.Fields(clean(s))
	var out []string
	for len(words) > 0 {
		n := 1
		for n < len(words) && sty.Width(strings.Join(words[:n+1], " ")) <= width {
			n++
		}
		if len(out) == lines-1 {
			n = len(words)
		}
		out = append(out, cutEnd(sty, strings.Join(words[:n], " "), width))
		words = words[n:]
	}
	return out
}

// write draws lines of text with the first line's box starting at the anchor; xalign is -1 (text ends at x), -0.5 (centred) or 0. It returns the height used.
func write(c draw.Canvas, sty text.Style, lines []string, at vg.Point, xalign text.XAlignment) vg.Length {
	sty.XAlign, sty.YAlign = xalign, -1
	step := leading(sty)
	for i, l := range lines {
		c.FillText(sty, vg.Point{X: at.X, Y: at.Y - vg.Length(i)*step}, l)
	}
	return vg.Length(len(lines)) * step
}

// leading is the distance of the base lines of a paragraph.
func leading(sty text.Style) vg.Length { return sty.Font.Size * 1.2 }

// middle draws one line of text whose capitals are centred on a height. The alignment that gonum calls centred centres the line with
// the room for accents and descenders, which leaves digits visibly low beside a marker.
func middle(c draw.Canvas, sty text.Style, at vg.Point, s string) {
	const capHeight = 0.72 // of Liberation Sans, in em
	size := sty.Font.Size
	sty.YAlign = draw.YBottom
	at.Y += sty.FontExtents().Ascent - size - size*capHeight/2
	c.FillText(sty, at, s)
}

// patch lays translucent paper under one line of centred text, so that lines behind it do not cross it.
func patch(c draw.Canvas, sty text.Style, at vg.Point, s string) {
	w, h := sty.Width(s)/2+1, sty.Font.Size*0.45
	c.FillPolygon(fade(paper, 0xd0), rect(at.X-w, at.Y-h, at.X+w, at.Y+h))
}
