package plots

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

// A Typeface is the type that drawings are set in.
type Typeface struct {
	variant  font.Variant
	likeness string // fonts of the same metrics, for SVG on machines that do not have the font
}

// faces are the Liberation faces. They come with gonum/plot, so that drawings do not depend on the
// fonts that a machine has installed. Sans has the widths of Arial and Helvetica. Serif has the
// widths of Times, and mono has the widths of Courier.
var faces = font.NewCache(liberation.Collection())

// bundled are the typefaces by their names in [Typefaces].
var bundled = map[string]*Typeface{
	"sans":  {"Sans", "Arimo,Arial,Helvetica,sans-serif"},
	"serif": {"Serif", "Tinos,'Times New Roman',Times,serif"},
	"mono":  {"Mono", "Cousine,'Courier New',Courier,monospace"},
}

// house is the typeface in use.
var house = bundled["sans"]

// Typefaces are the typefaces that drawings can be set in.
var Typefaces = []string{"sans", "serif", "mono"}

// UseTypeface sets all later drawings of the process in one of [Typefaces], and returns a function
// that restores the earlier typeface. Nothing may be drawn during either call.
func UseTypeface(name string) (restore func()) {
	before := house
	house = bundled[name]
	return func() { house = before }
}
