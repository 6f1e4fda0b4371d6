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
	accent   = color.NRGBA{0xb3, 0x47, 0x00, 0xff}
	alarm    = color.NRGBA{0xb0, 0x00, 0x20, 0xff}
)

// palette is the qualitative palette for series that are neither models nor domains, from dark to
// light: the hues of Okabe-Ito at lightnesses that stay apart in grey print.
var palette = []color.NRGBA{
	{0x00, 0x50, 0x8a, 0xff}, {0xc4, 0x45, 0x0c, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xc9, 0x8a, 0xb0, 0xff}, {0xea, 0xb0,
		0x3c, 0xff}, {0xa5, 0xda, 0xf5, 0xff},
}

func fade(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// textStyle is the house type: Liberation Sans unless another typeface is in use.
func textStyle(size float64, c color.Color, bold bool) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: house.Load().variant, Size: vg.Points(size)}
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return text.Style{Color: c, Font: f, Handler: text.Plain{Fonts: faces}}
}

func lineStyle(c color.Color, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width}
}

// newPlot returns a gonum plot in the house style, without title, labels and legend.
func newPlot() *plot.Plot {
	p := plot.New()
	p.TextHandler = text.Plain{Fonts: faces}
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle = lineStyle(frameInk, hairline)
		a.Tick.LineStyle = lineStyle(frameInk, hairline)
		a.Tick.Length = 3
		a.Padding = 2
		for size, of := range map[float64]*text.Style{smallSize: &a.Tick.Label, labelSize: &a.Label.TextStyle} {
			sty := textStyle(size, softInk, false)
			of.Color, of.Font, of.Handler = sty.Color, sty.Font, sty.Handler
		}
	}
	return p
}

// clean makes text fit to draw: control characters become spaces, runes that the house font has no
// glyph for become a question mark, and blanks are single. All formats get the same text and so the same layout.
func clean(s string) string {
	face := faces.Lookup(textStyle(labelSize, ink, false).Font, labelSize).Face
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

// wrap cleans text and breaks it at blanks into lines of a width, and words that are wider after a
// hyphen or a slash, or else anywhere. After the last line that there may be it ends with an ellipsis.
func wrap(sty text.Style, s string, width vg.Length, lines int) (out []string) {
	words := strings.Fields(clean(s))
	line := ""
	for i := 0; i < len(words); i++ {
		joined := strings.TrimSpace(line + " " + words[i])
		switch {
		case sty.Width(joined) <= width:
			line = joined
		case line != "":
			out, line = append(out, line), ""
			i--
		default: // one word
			at := breakable(sty, words[i], width)
			out, words[i] = append(out, words[i][:at]), words[i][at:]
			i--
		}
		if len(out) == lines {
			last := []rune(out[lines-1])
			for len(last) > 0 && sty.Width(string(last)+"…") > width {
				last = last[:len(last)-1]
			}
			out[lines-1] = strings.TrimRight(string(last), " ,;.") + "…"
			return out
		}
	}
	return append(out, line)
}

// breakable is the byte at which a word that is wider than a line is broken.
func breakable(sty text.Style, word string, width vg.Length) int {
	runes := []rune(word)
	n := max(1, sort.Search(len(runes), func(n int) bool { return sty.Width(string(runes[:n+1])) > width }))
	if at := strings.LastIndexAny(string(runes[:n]), "-/_.") + 1; at > 1 {
		return at
	}
	return len(string(runes[:n]))
}

// widest is the width of the widest of several lines.
func widest(sty text.Style, lines []string) (width vg.Length) {
	for _, l := range lines {
		width = max(width, sty.Width(l))
	}
	return width
}

// write draws lines of text with the first line's box starting at the anchor; xalign is -1 (text
// ends at x), -0.5 (centred) or 0. It returns the height used.
func write(c draw.Canvas, sty text.Style, lines []string, at vg.Point, xalign text.XAlignment) vg.Length {
	sty.XAlign, sty.YAlign = xalign, -1
	step := leading(sty)
	for i, l := range lines {
		c.FillText(sty, point(at.X, at.Y-vg.Length(i)*step), l)
	}
	return vg.Length(len(lines)) * step
}

// leading is the distance of the base lines of a paragraph.
func leading(sty text.Style) vg.Length { return sty.Font.Size * 1.2 }

// middle draws one line of text with its capitals centred on a height. The alignment that gonum
// calls centred includes the room for accents and descenders. It leaves digits visibly low beside a
// marker.
func middle(c draw.Canvas, sty text.Style, at vg.Point, s string) {
	const capHeight = 0.72 // of Liberation Sans, in em
	size := sty.Font.Size
	sty.YAlign = draw.YBottom
	at.Y += sty.FontExtents().Ascent - size - size*capHeight/2
	c.FillText(sty, at, s)
}

// onPatch writes one line of centred text on translucent paper, so that lines behind the text do not
// cross it.
func onPatch(c draw.Canvas, sty text.Style, at vg.Point, s string) {
	w, h := sty.Width(s)/2+1, sty.Font.Size*0.45
	c.FillPolygon(fade(paper, 0xd0), rect(at.X-w, at.Y-h, at.X+w, at.Y+h))
	middle(c, sty, at, s)
}
