package ggsql

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// The words of the clauses that are supported.
var (
	Layers = []string{"point", "line", "path", "segment", "rule", "range", "bar", "text", "tile", "area",
		"ribbon", "violin", "histogram", "density", "boxplot", "smooth"}
	positions  = []string{"x", "y", "xmin", "xmax", "ymin", "ymax", "xend", "yend"}
	colours    = []string{"colour", "color", "stroke", "fill"}
	aesthetics = slices.Concat(positions, colours, []string{"label", "size", "slope", "radius", "angle"})
	settings   = append([]string{
		"linewidth", "linetype", "opacity", "hinge", "hjust", "offset", "fontsize", "fontweight", "format", "width",
		"bins", "binwidth", "bandwidth", "adjust", "method", "position",
	}, aesthetics...)
	labels  = []string{"title", "subtitle", "x", "y"}
	clauses = []string{"DRAW", "PLACE", "SCALE", "FACET", "PROJECT", "LABEL"}
)

// needs are the aesthetics without which a layer cannot be drawn. Layers that are not listed need x
// and y.
var needs = map[string]string{
	"segment": "x y xend yend", "rule": "x, or y", "range": "y xmin xmax, or x ymin ymax", "text": "x y label",
	"ribbon": "x ymin ymax", "histogram": "x", "density": "x",
}

// A form is a condition on a value, in words and as a test.
type form struct {
	words string
	fits  func(Value) bool
}

// forms are the forms of settings. Every setting that is not listed here is a place.
var forms = map[string]form{
	"linewidth": positive, "fontsize": positive, "size": positive, "width": positive, "binwidth": positive,
	"bandwidth": positive, "adjust": positive,
	"bins":   number("a whole number from 2", func(n float64) bool { return n >= 2 && n == math.Trunc(n) }),
	"method": words("ols"), "position": words("stack", "dodge"),
	"slope":      number("a number", func(float64) bool { return true }),
	"opacity":    number("a number from 0 to 1", func(n float64) bool { return n >= 0 && n <= 1 }),
	"hinge":      {"null, as intervals have no caps", func(v Value) bool { return v.Kind == "null" }},
	"linetype":   words("solid", "dashed", "dotted"),
	"hjust":      words("left", "centre", "right"),
	"fontweight": words("normal", "bold"),
	"format":     written, "label": written,
	"colour": hex, "stroke": hex, "fill": hex,
	"offset": {"two numbers of points, such as [4, 0]",
		func(v Value) bool { return len(v.List) == 2 && v.all("number") }},
	"ncol": number("a whole number from 1", func(n float64) bool { return n >= 1 && n == math.Trunc(n) }),
	"free": {"'x', 'y' or ['x', 'y']", func(v Value) bool {
		return words("x", "y").fits(v) ||
			v.all("text") && !slices.ContainsFunc(v.List, func(v Value) bool { return !words("x", "y").fits(v) })
	}},
	"ratio":   number("1, for square panels", func(n float64) bool { return n == 1 }),
	"reverse": {"true or false", func(v Value) bool { return v.Kind == "true" || v.Kind == "false" }},
}

var (
	positive = number("a number above 0", func(n float64) bool { return n > 0 })
	written  = form{"a text, such as 'score, %'", func(v Value) bool { return v.Kind == "text" }}
	hex      = form{"a colour, such as '#b34700'",
		func(v Value) bool { return v.Kind == "text" && hexColour.MatchString(v.Text) }}
	place = form{"a number or a category, such as 0 or 'Simple'",
		func(v Value) bool { return v.Kind == "number" || v.Kind == "text" }}
	mapped = form{"a column, a text, a number or null",
		func(v Value) bool { return v.Column != "" || v.Kind == "null" || place.fits(v) }}
)

var hexColour = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// number is the form of a number that passes a test.
func number(words string, fits func(float64) bool) form {
	return form{words, func(v Value) bool { return v.Kind == "number" && fits(v.Number) }}
}

// words is the form of one of a few texts.
func words(of ...string) form {
	return form{"one of '" + strings.Join(of, "', '") + "'",
		func(v Value) bool { return v.Kind == "text" && slices.Contains(of, v.Text) }}
}

// all reports whether a value is a list that is not empty and has only values of some kinds.
func (v Value) all(kinds ...string) bool {
	return len(v.List) > 0 &&
		!slices.ContainsFunc(v.List, func(v Value) bool { return !slices.Contains(kinds, v.Kind) })
}

// palettes are scales of colours by the names that ggsql has for them.
var palettes = map[string]string{
	"viridis": "#440154 #3b528b #21918c #5ec962 #fde725", "magma": "#000004 #51127c #b73779 #fc8961 #fcfdbf",
	"cividis": "#00224e #414d6b #7c7b78 #bbaf71 #fee838", "blues": "#f7fbff #c6dbef #6baed6 #2171b5 #08306b",
	"rdbu": "#67001f #d6604d #f7f7f7 #4393c3 #053061",
}
