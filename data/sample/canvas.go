package sample

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"math"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
)

// style names a face of the one type family that all pictures use.
type style int

const (
	regular style = iota
	bold
	italic
)

type faceKey struct {
	style style
	size  float64
}

// label is a piece of text on a canvas with the rectangle it covers, kept so that tests can find clipped or overlapping text.
type label struct {
	text           string
	x0, y0, x1, y1 float64
}

// canvas draws one frame. The first error, such as a font that cannot be parsed, is kept and returned by png.
type canvas struct {
	dc     *gg.Context
	w, h   float64
	faces  map[faceKey]font.Face
	labels []label
	err    error
}

func newCanvas(w, h int) *canvas {
	return &canvas{dc: gg.NewContext(w, h), w: float64(w), h: float64(h), faces: map[faceKey]font.Face{}}
}

func (c *canvas) png() ([]byte, error) {
	if c.err != nil {
		return nil, c.err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, c.dc.Image()); err != nil {
		return nil, fmt.Errorf("encode PNG: %w", err)
	}
	return b.Bytes(), nil
}

// rgb returns the opaque colour 0xRRGGBB.
func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// fade returns the colour with the opacity a, 0 to 1.
func fade(c color.NRGBA, a float64) color.NRGBA {
	c.A = uint8(math.Round(255 * a))
	return c
}

// mix returns the colour at the share t of the way from a to b.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	m := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + t*(float64(y)-float64(x)))) }
	return color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 255}
}

func darker(c color.NRGBA, t float64) color.NRGBA  { return mix(c, rgb(0x1d2430), t) }
func lighter(c color.NRGBA, t float64) color.NRGBA { return mix(c, rgb(0xffffff), t) }

var (
	ink   = rgb(0x2b3440)
	muted = rgb(0x6b7684)
	paper = rgb(0xfbfaf7)
	snow  = rgb(0xffffff)
	black = rgb(0x000000)
)

// paints are the colours that facts may name. They lie far enough apart that nobody takes one for another.
var paints = map[string]color.NRGBA{
	"red": rgb(0xd64538), "orange": rgb(0xec8a32), "yellow": rgb(0xf4c53d), "green": rgb(0x4c9a5a), "blue": rgb(0x3d7cc2),
	"purple": rgb(0x8457b0), "pink": rgb(0xe986ae), "brown": rgb(0x8a5c3c), "white": rgb(0xf8f6f0), "grey": rgb(0x8f979f), "black": rgb(0x30353c),
}

// hues are the names of the paints in a fixed order, the value domain of colour questions.
var hues = []string{"red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "white", "grey", "black"}

func (c *canvas) fill(col color.Color) { c.dc.SetColor(col); c.dc.Fill() }
func (c *canvas) box(x, y, w, h float64, col color.Color) {
	c.dc.DrawRectangle(x, y, w, h)
	c.fill(col)
}
func (c *canvas) rbox(x, y, w, h, r float64, col color.Color) {
	c.dc.DrawRoundedRectangle(x, y, w, h, r)
	c.fill(col)
}
func (c *canvas) disc(x, y, r float64, col color.Color) { c.dc.DrawCircle(x, y, r); c.fill(col) }
func (c *canvas) oval(x, y, rx, ry float64, col color.Color) {
	c.dc.DrawEllipse(x, y, rx, ry)
	c.fill(col)
}

// poly fills the polygon through the points given as x, y pairs.
func (c *canvas) poly(col color.Color, xy ...float64) {
	c.trace(xy)
	c.dc.ClosePath()
	c.fill(col)
}

// line strokes a polyline with round ends through the points given as x, y pairs.
func (c *canvas) line(col color.Color, width float64, xy ...float64) {
	c.trace(xy)
	c.dc.SetColor(col)
	c.dc.SetLineWidth(width)
	c.dc.SetLineCapRound()
	c.dc.SetLineJoinRound()
	c.dc.Stroke()
}

func (c *canvas) trace(xy []float64) {
	c.dc.MoveTo(xy[0], xy[1])
	for i := 2; i+1 < len(xy); i += 2 {
		c.dc.LineTo(xy[i], xy[i+1])
	}
}

// outline strokes the rounded rectangle.
func (c *canvas) outline(x, y, w, h, r, width float64, col color.Color) {
	c.dc.DrawRoundedRectangle(x, y, w, h, r)
	c.dc.SetColor(col)
	c.dc.SetLineWidth(width)
	c.dc.Stroke()
}

// ring strokes a circle, or a part of it between two angles in degrees, clockwise from the right.
func (c *canvas) ring(x, y, r, from, to, width float64, col color.Color) {
	c.dc.NewSubPath()
	c.dc.DrawArc(x, y, r, gg.Radians(from), gg.Radians(to))
	c.dc.SetColor(col)
	c.dc.SetLineWidth(width)
	c.dc.SetLineCapRound()
	c.dc.Stroke()
}

// wedge fills a sector of a circle between two angles in degrees, clockwise from the right.
func (c *canvas) wedge(x, y, r, from, to float64, col color.Color) {
	c.dc.MoveTo(x, y)
	c.dc.DrawArc(x, y, r, gg.Radians(from), gg.Radians(to))
	c.dc.ClosePath()
	c.fill(col)
}

// sky fills a rectangle with a vertical gradient.
func (c *canvas) sky(x, y, w, h float64, top, bottom color.NRGBA) {
	for i := 0.0; i < h; i++ {
		c.box(x, y+i, w, 1, mix(top, bottom, i/h))
	}
}

// glow fills a circle that fades out from its centre.
func (c *canvas) glow(x, y, r float64, col color.NRGBA, strength float64) {
	const steps = 18
	for i := float64(steps); i >= 1; i-- {
		c.disc(x, y, r*i/steps, fade(col, strength/steps))
	}
}

// shadow darkens softly around and below a rounded rectangle that is drawn over it afterwards.
func (c *canvas) shadow(x, y, w, h, r float64) {
	for i := 6.0; i >= 1; i-- {
		c.rbox(x-i, y-i+5, w+2*i, h+2*i, r+i, fade(black, 0.022))
	}
}

// ground darkens softly under something that stands at x, y.
func (c *canvas) ground(x, y, rx, ry float64) {
	for i := 8.0; i >= 1; i-- {
		c.oval(x, y, rx*(0.6+0.06*i), ry*(0.6+0.06*i), fade(black, 0.035))
	}
}

// arrow draws a line with a solid head at its end.
func (c *canvas) arrow(col color.Color, width, x0, y0, x1, y1 float64) {
	a := math.Atan2(y1-y0, x1-x0)
	head := 5 + 2.6*width
	c.line(col, width, x0, y0, x1-head*0.8*math.Cos(a), y1-head*0.8*math.Sin(a))
	c.poly(col, x1, y1,
		x1-head*math.Cos(a)+head*0.5*math.Sin(a), y1-head*math.Sin(a)-head*0.5*math.Cos(a),
		x1-head*math.Cos(a)-head*0.5*math.Sin(a), y1-head*math.Sin(a)+head*0.5*math.Cos(a))
}

// face loads a face, size in pixels.
func (c *canvas) face(s style, size float64) font.Face {
	k := faceKey{s, size}
	if f, ok := c.faces[k]; ok {
		return f
	}
	f, err := gg.LoadFontFaceFromBytes([][]byte{liberationsansregular.TTF, liberationsansbold.TTF, liberationsansitalic.TTF}[s], size)
	if err != nil {
		c.err = fmt.Errorf("load the built-in font: %w", err)
		return nil
	}
	c.faces[k] = f
	return f
}

// text writes s vertically centred on y; ax is 0 when x is its left end, 0.5 its middle, 1 its right end.
func (c *canvas) text(s string, x, y, ax, size float64, st style, col color.Color) {
	w := c.measure(s, size, st)
	if c.err != nil {
		return
	}
	c.dc.SetColor(col)
	left := math.Round(x - ax*w)
	c.dc.DrawString(s, left, math.Round(y+0.35*size))
	c.labels = append(c.labels, label{s, left, y - 0.42*size, left + w, y + 0.52*size})
}

// upright writes s turned by a quarter to the left, centred on x, y.
func (c *canvas) upright(s string, x, y, size float64, st style, col color.Color) {
	w := c.measure(s, size, st)
	if c.err != nil {
		return
	}
	c.dc.Push()
	c.dc.RotateAbout(-math.Pi/2, x, y)
	c.dc.SetColor(col)
	c.dc.DrawString(s, x-w/2, y+0.35*size)
	c.dc.Pop()
	c.labels = append(c.labels, label{s, x - size/2, y - w/2, x + size/2, y + w/2})
}

// measure returns the width of s in pixels and leaves its face selected.
func (c *canvas) measure(s string, size float64, st style) float64 {
	f := c.face(st, size)
	if f == nil {
		return 0
	}
	c.dc.SetFontFace(f)
	w, _ := c.dc.MeasureString(s)
	return w
}
