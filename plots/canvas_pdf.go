package plots

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"time"

	fpdf "codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/draw"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfCanvas is a vg canvas over the PDF library that gonum's own canvas uses. gonum's canvas cannot
// serve here. gonum's canvas embeds every face under one file name, so that bold text comes out in
// the regular face. gonum's canvas also writes UTF-8 into fonts of a one-byte encoding, darkens
// translucent colours, and takes dates from the clock. pdfCanvas embeds only the used glyphs, so
// that files are several times smaller.
type pdfCanvas struct {
	doc   *fpdf.Fpdf
	w, h  vg.Length
	high  float64         // height of the page in points
	faces map[string]bool // embedded so far, by name
	wide  map[int]bool    // widths of the images so far, in pixels
}

// newPDF returns a canvas of w by h on a page that is larger than the canvas by a scale.
func newPDF(w, h vg.Length, scale float64, title string) *pdfCanvas {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt",
		Size: fpdf.SizeType{Wd: w.Points() * scale, Ht: h.Points() * scale}})
	// The title is in UTF-8 (true).
	doc.SetTitle(title, true)
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // a fixed date, so that equal drawings are equal files
	doc.SetCreationDate(epoch)
	doc.SetModificationDate(epoch)
	doc.SetCatalogSort(true) // Otherwise the order of fonts and images is left to chance.
	doc.AddPage()
	doc.SetLineJoinStyle("round")
	c := &pdfCanvas{doc: doc, w: w, h: h, high: h.Points() * scale, faces: map[string]bool{}, wide: map[int]bool{}}
	doc.TransformBegin()
	c.Scale(scale, scale)
	vg.Initialize(c)
	return c
}

func (c *pdfCanvas) Size() (x, y vg.Length)   { return c.w, c.h }
func (c *pdfCanvas) SetLineWidth(w vg.Length) { c.doc.SetLineWidth(w.Points()) }
func (c *pdfCanvas) Scale(x, y float64)       { c.doc.Transform(fpdf.TransformMatrix{A: x, D: y}) }

// Push keeps the place and the direction in which the canvas draws, and Pop restores both. Colours
// and styles of lines are not kept, because nothing draws with the earlier ones after Pop.
func (c *pdfCanvas) Push() { c.doc.TransformBegin() }
func (c *pdfCanvas) Pop()  { c.doc.TransformEnd() }

// SetColor sets a colour with its own values, not with values multiplied by its opacity.
func (c *pdfCanvas) SetColor(clr color.Color) {
	k := color.NRGBAModel.Convert(clr).(color.NRGBA)
	r, g, b := int(k.R), int(k.G), int(k.B)
	c.doc.SetDrawColor(r, g, b)
	c.doc.SetFillColor(r, g, b)
	c.doc.SetTextColor(r, g, b)
	c.doc.SetAlpha(float64(k.A)/255, "Normal")
}

// Rotate implements [vg.Canvas]. Transform counts from the lower left corner as the canvas does, so
// points for Transform are not mapped by at.
func (c *pdfCanvas) Rotate(r float64) {
	sin, cos := math.Sincos(r)
	c.doc.Transform(fpdf.TransformMatrix{A: cos, B: sin, C: -sin, D: cos})
}

func (c *pdfCanvas) Translate(p vg.Point) {
	c.doc.Transform(fpdf.TransformMatrix{A: 1, D: 1, E: p.X.Points(), F: p.Y.Points()})
}

// SetLineDash sets the lengths of dashes and gaps. The offset is left out, because nothing draws
// with an offset.
func (c *pdfCanvas) SetLineDash(d []vg.Length, _ vg.Length) {
	dash := make([]float64, len(d))
	for i, d := range d {
		dash[i] = d.Points()
	}
	c.doc.SetDashPattern(dash, 0)
}

// at maps a point to the coordinates of the PDF library, which count from the upper left corner.
func (c *pdfCanvas) at(p vg.Point) (x, y float64) { return p.X.Points(), c.high - p.Y.Points() }

func (c *pdfCanvas) Stroke(p vg.Path) {
	if c.doc.GetLineWidth() > 0 { // In PDF a line of width 0 is the thinnest line, not an invisible one.
		c.path(p, "D")
	}
}

func (c *pdfCanvas) Fill(p vg.Path) { c.path(p, "F") }

// path draws a path. The style D of the PDF library draws lines, and the style F fills the path.
func (c *pdfCanvas) path(p vg.Path, style string) {
	for _, e := range p {
		x, y := c.at(e.Pos)
		switch e.Type {
		case vg.MoveComp:
			c.doc.MoveTo(x, y)
		case vg.LineComp:
			c.doc.LineTo(x, y)
		case vg.ArcComp: // a circle; nothing draws other arcs
			r := e.Radius.Points()
			c.doc.ArcTo(x, y, r, r, 0, 0, 360)
		case vg.CloseComp:
			c.doc.ClosePath()
		}
	}
	c.doc.DrawPath(style)
}

// FillString writes a text, and embeds the face before its first text.
func (c *pdfCanvas) FillString(f font.Face, p vg.Point, s string) {
	name := f.Name() // Each face is a family of its own, so the library's styles stay empty.
	if !c.faces[name] {
		var ttf bytes.Buffer
		_, err := f.Face.WriteSourceTo(nil, &ttf)
		c.doc.SetError(err) // The document keeps its first error for write; nil changes nothing.
		c.doc.AddUTF8FontFromBytes(name, "", ttf.Bytes())
		c.faces[name] = true
	}
	c.doc.SetFont(name, "", f.Font.Size.Points())
	x, y := c.at(p)
	c.doc.Text(x, y, s)
}

// DrawImage draws an image upright in a rectangle; rotations are not applied to images. The library
// writes images in the order of their widths and leaves the order of equal widths to chance, so
// each image is scaled to a width of its own.
func (c *pdfCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	wide := img.Bounds().Dx()
	for c.wide[wide] {
		wide++
	}
	c.wide[wide] = true
	scaled := image.NewNRGBA(image.Rect(0, 0, wide, img.Bounds().Dy()))
	draw.ApproxBiLinear.Scale(scaled, scaled.Bounds(), img, img.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	c.doc.SetError(png.Encode(&b, scaled))
	name, options := fmt.Sprint("image ", wide), fpdf.ImageOptions{ImageType: "png"}
	c.doc.RegisterImageOptionsReader(name, options, &b)
	x, y := c.at(point(r.Min.X, r.Max.Y))
	// The image moves no text (false) and is no link (0, "").
	c.doc.ImageOptions(name, x, y, r.Size().X.Points(), r.Size().Y.Points(), false, options, 0, "")
}

// write ends the document and writes it. The error is the first one since newPDF, such as of a font
// or an image that cannot be read.
func (c *pdfCanvas) write(w io.Writer) error {
	c.doc.TransformEnd() // begun by newPDF
	return c.doc.Output(w)
}
