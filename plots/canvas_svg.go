package plots

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// svgCanvas is gonum's SVG canvas with two additions: a title and a description for readers who do
// not see the drawing, and fonts of the same widths for machines without the house font. (Embedding
// the house font would put 400 kB into every file.)
type svgCanvas struct {
	*vgsvg.Canvas
	title, about  string
	width, height vg.Length // as shown, which may be larger than drawn
}

// write writes the document. gonum escapes the texts in it, so that the replaced parts are never
// parts of a text.
func (c *svgCanvas) write(w io.Writer) error {
	var b bytes.Buffer
	if _, err := c.Canvas.WriteTo(&b); err != nil {
		return err
	}
	family := "Liberation " + string(house.variant)
	out := strings.ReplaceAll(b.String(), `style="font-family:`+family+`;`,
		`style="font-family:'`+family+`',`+house.likeness+`;font-kerning:none;`)
	at := svgRoot.FindStringSubmatchIndex(out)
	// The tag begins at at[0] and ends at at[1]; its size, which is replaced, ends at at[2].
	_, err := fmt.Fprintf(w, "%s<svg width=\"%gpt\" height=\"%gpt\" role=\"img\"%s\n<title>%s</title>\n<desc>%s</desc>%s",
		out[:at[0]], c.width.Points(), c.height.Points(), out[at[2]:at[1]],
		html.EscapeString(c.title), html.EscapeString(c.about), out[at[1]:])
	return err
}

// svgRoot is the tag that begins an SVG of gonum, and its part after the size.
var svgRoot = regexp.MustCompile(`<svg width="[^"]*" height="[^"]*"([^>]*>)`)
