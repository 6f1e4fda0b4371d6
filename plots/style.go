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

// palette are the colours of categories that are no domains, from dark to light: the hues of
// Okabe-Ito at lightnesses that stay apart in grey print.
var palette = []color.NRGBA{
	{0x00, 0x50, 0x8a, 0xff}, {0xc4, 0x45, 0x0c, 0xff}, {0x00, 0x9e, 0x73, 0xff},
	{0xc9, 0x8a, 0xb0, 0xff}, {0xea, 0xb0, 0x3c, 0xff}, {0xa5, 0xda, 0xf5, 0xff},
}

// fade gives a colour an opacity.
func fade(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// textStyle is the style of text in the typeface in use, with a size in points.
func textStyle(size float64, c color.Color, bold bool) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: house.variant, Size: vg.Points(size)}
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return text.Style{Color: c, Font: f, Handler: text.Plain{Fonts: faces}}
}

// lineStyle is the style of a line, with a width in points.
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

// clean makes text fit to draw: control characters become spaces, runes without a glyph in the
// house font become question marks, and blanks are single. All formats get the same text and so the
// same layout.
func clean(s string) string {
	face := faces.Lookup(textStyle(labelSize, ink, false).Font, labelSize).Face
	var buf sfnt.Buffer
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.IsSpace(r) {
			return ' '
		}
		if g, err := face.GlyphIndex(&buf, r); err != nil || g == 0 || r > 0xffff {
			return '?' // The PDF library draws no runes above 0xffff.
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return strings.Join(strings.Fields(s), " ")
}

// wrap cleans text and breaks it into lines of a width: at blanks, and within words that are wider
// than a line. Text that needs more than the given number of lines ends with an ellipsis. An
// empty text gives one empty line.
func wrap(sty text.Style, s string, width vg.Length, most int) (lines []string) {
	words := strings.Fields(clean(s))
	line := ""
	for len(words) > 0 {
		joined := strings.TrimSpace(line + " " + words[0])
		switch {
		case sty.Width(joined) <= width:
			line, words = joined, words[1:]
		case line != "":
			lines, line = append(lines, line), ""
		default: // The word is wider than a line.
			at := breakable(sty, words[0], width)
			lines, words[0] = append(lines, words[0][:at]), words[0][at:]
		}
		if len(lines) == most {
			last := []rune(lines[most-1])
			for len(last) > 0 && sty.Width(string(last)+"…") > width {
				last = last[:len(last)-1]
			}
			lines[most-1] = strings.TrimRight(string(last), " ,;.") + "…"
			return lines
		}
	}
	return append(lines, line)
}

// breakable is the number of bytes of a word that fit a line: up to a hyphen, slash, underscore or
// full stop if there is one, and one rune at least.
func breakable(sty text.Style, word string, width vg.Length) int {
	runes := []rune(word)
	n := max(1, sort.Search(len(runes), func(n int) bool { return sty.Width(string(runes[:n+1])) > width }))
	// A hyphen that begins the word stays with the letters after it.
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

// write draws lines of text below a point. xalign is draw.XLeft (0: the text begins at the point),
// draw.XCenter or draw.XRight. write returns the height of the lines.
func write(c draw.Canvas, sty text.Style, lines []string, at vg.Point, xalign text.XAlignment) vg.Length {
	sty.XAlign, sty.YAlign = xalign, -1 // -1 is draw.YTop
	step := leading(sty)
	for i, l := range lines {
		c.FillText(sty, point(at.X, at.Y-vg.Length(i)*step), l)
	}
	return vg.Length(len(lines)) * step
}

// leading is the distance between the base lines of two lines.
func leading(sty text.Style) vg.Length { return sty.Font.Size * 1.2 }

// middle draws one line of text with its capitals centred on the height of a point. gonum's own
// alignment also counts the room for accents and descenders, so that digits beside a marker look
// low.
func middle(c draw.Canvas, sty text.Style, at vg.Point, s string) {
	const capHeight = 0.72 // of Liberation Sans, in em
	size := sty.Font.Size
	// FillText puts the base line at the height of the point plus size less Ascent. The base line
	// belongs half a capital below the point.
	sty.YAlign = draw.YBottom
	at.Y += sty.FontExtents().Ascent - size - size*capHeight/2
	c.FillText(sty, at, s)
}

// onPatch writes one line of centred text on translucent paper, so that lines behind the text do
// not cross it.
func onPatch(c draw.Canvas, sty text.Style, at vg.Point, s string) {
	w, h := sty.Width(s)/2+1, sty.Font.Size*0.45
	c.FillPolygon(fade(paper, 0xd0), rect(at.X-w, at.Y-h, at.X+w, at.Y+h))
	middle(c, sty, at, s)
}
