package ggsql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
)

// A Plot says how the rows of a SELECT are drawn.
type Plot struct {
	Layers  []Layer // with the mappings of VISUALISE
	Scales  map[string]Scale
	Facet   Facet
	Project string // cartesian or polar
	Setting map[string]Value
	Labels  map[string]string
}

// A Layer is marks of one form: of rows, by DRAW, or at values, by PLACE.
type Layer struct {
	Form      string
	Mapping   map[string]Value // by aesthetic
	Setting   map[string]Value
	Partition []string
	At        int // byte of the file
}

// A Scale says what an aesthetic reaches over, becomes and is called.
type Scale struct {
	From, To []Value
	Via      string
	Renaming map[string]string
	Setting  map[string]Value
	At       int
}

// A Facet cuts the rows into panels by a column; none without one.
type Facet struct {
	Column  Value
	Setting map[string]Value
}

// A Value is a column, or a text, a number, null or a list of them.
type Value struct {
	Column string
	Text   string
	Number float64
	List   []Value
	Kind   string // column, text, number, null, true, false or list
	At     int
}

// What is supported.
var (
	Layers     = []string{"point", "line", "path", "segment", "rule", "range", "bar", "text", "tile", "area", "ribbon", "violin"}
	positions  = []string{"x", "y", "xmin", "xmax", "ymin", "ymax", "xend", "yend"}
	aesthetics = append([]string{"label", "colour", "color", "stroke", "fill", "size", "linewidth", "slope"}, positions...)
	settings   = append([]string{"linetype", "opacity", "hinge", "hjust", "offset", "fontsize", "fontweight", "format", "width"}, aesthetics...)
	labels     = append([]string{"title", "subtitle", "caption"}, aesthetics...)
	clauses    = []string{"DRAW", "PLACE", "SCALE", "FACET", "PROJECT", "LABEL"}
)

// parser reads the clauses of a file. After the first fault it reads the end of the file only.
type parser struct {
	f      *File
	tokens []token
	err    error
}

// Plot reads the clauses after the SELECT; nil for a file without, unless its rows are cards.
func (f *File) Plot() (*Plot, error) {
	if f.Cards {
		return &Plot{Labels: map[string]string{"title": f.Shows}}, nil
	}
	if f.end == len(f.Text) {
		return nil, nil
	}
	tokens, err := f.lex(f.end)
	if err != nil {
		return nil, err
	}
	p := &parser{f: f, tokens: tokens[1:]}
	plot := p.plot()
	return plot, p.err
}

func (p *parser) next() token {
	t := p.tokens[0]
	if t.kind != end {
		p.tokens = p.tokens[1:]
	}
	return t
}

// take reads a word or sign if it is next.
func (p *parser) take(raw string) bool {
	if p.err == nil && strings.EqualFold(p.tokens[0].raw, raw) && p.tokens[0].kind != text {
		p.next()
		return true
	}
	return false
}

// fault keeps the first fault, and ends the reading.
func (p *parser) fault(at int, hint, format string, args ...any) {
	if p.err == nil {
		p.err = data.WithHint(p.f.Fault(at, format, args...), "%s", hint)
		p.tokens = p.tokens[len(p.tokens)-1:]
	}
}

// one reads a word that is one of several.
func (p *parser) one(what string, of []string) string {
	t := p.next()
	for _, o := range of {
		if strings.EqualFold(o, t.value()) {
			return o
		}
	}
	p.fault(t.at, spelling.Meant("supported are: "+strings.Join(of, ", "), of, t.raw), "there is no %s %q here", what, t.raw)
	return ""
}

func (p *parser) expect(raw string) {
	if t := p.tokens[0]; !p.take(raw) {
		p.fault(t.at, "sql/figures/README.md says what is supported", "%q where %s belongs", t.raw, raw)
	}
}

func (p *parser) plot() *Plot {
	plot := &Plot{Scales: map[string]Scale{}, Labels: map[string]string{}, Project: "cartesian"}
	all := map[string]Value{}
	if p.tokens[0].kind == word && !slices.ContainsFunc(clauses, p.tokens[0].is) {
		all = p.mapping()
	}
	for p.err == nil && p.tokens[0].kind != end && p.tokens[0].raw != ";" {
		at := p.tokens[0].at
		switch clause := p.one("clause", clauses); clause {
		case "DRAW", "PLACE":
			layer := Layer{Form: p.one("layer", Layers), Mapping: map[string]Value{}, At: at}
			for aesthetic, v := range all {
				if clause == "DRAW" {
					layer.Mapping[aesthetic] = v
				}
			}
			if clause == "DRAW" && p.take("MAPPING") {
				for aesthetic, v := range p.mapping() {
					layer.Mapping[aesthetic] = v
				}
			}
			layer.Setting = p.settings(settings)
			if clause == "DRAW" && p.take("PARTITION") {
				p.expect("BY")
				layer.Partition = append(layer.Partition, p.next().value())
				for p.take(",") {
					layer.Partition = append(layer.Partition, p.next().value())
				}
			}
			plot.Layers = append(plot.Layers, layer)
		case "SCALE":
			aesthetic := spelled(p.one("aesthetic", append([]string{"panel"}, aesthetics...)))
			plot.Scales[aesthetic] = p.scale(at)
		case "FACET":
			plot.Facet.Column = p.column()
			plot.Facet.Setting = p.settings([]string{"free", "ncol"})
		case "PROJECT":
			for p.err == nil && !p.tokens[0].is("TO") { // axes: radius, angle
				p.one("axis", []string{"y", "x", ","})
			}
			p.expect("TO")
			plot.Project = p.one("projection", []string{"cartesian", "polar"})
			plot.Setting = p.settings([]string{"ratio", "clip"})
		case "LABEL":
			for more := p.err == nil; more; more = p.take(",") {
				name := spelled(p.one("label", labels))
				p.expect("=>")
				plot.Labels[name] = p.value().Text
			}
		}
	}
	if p.err == nil && len(plot.Layers) == 0 {
		p.fault(p.tokens[0].at, "add one, such as: DRAW point", "there is no layer to draw")
	}
	return plot
}

func (p *parser) scale(at int) Scale {
	s := Scale{At: at, Renaming: map[string]string{}}
	for p.err == nil {
		switch {
		case p.take("FROM"):
			s.From = p.value().List
		case p.take("TO"):
			s.To = p.value().List
		case p.take("VIA"):
			s.Via = p.one("transform", []string{"log10", "linear"})
		case p.take("RENAMING"):
			for more := true; more; more = p.take(",") {
				from := p.next()
				p.expect("=>")
				s.Renaming[from.value()] = p.value().Text
			}
		case p.tokens[0].is("SETTING"):
			s.Setting = p.settings([]string{"reverse"})
		default:
			return s
		}
	}
	return s
}

// mapping reads columns and constants with the aesthetics that they become.
func (p *parser) mapping() map[string]Value {
	out := map[string]Value{}
	for more := true; more && p.err == nil; more = p.take(",") {
		v := p.value()
		aesthetic := v.Column
		if p.take("AS") {
			aesthetic = p.one("aesthetic", aesthetics)
		} else if !slices.Contains(aesthetics, aesthetic) {
			p.fault(v.At, "write: "+v.Column+" AS x", "%s is mapped to nothing", v.Column)
		}
		out[spelled(aesthetic)] = v
	}
	return out
}

// settings reads a subclause SETTING, if it is there.
func (p *parser) settings(known []string) map[string]Value {
	out := map[string]Value{}
	for more := p.take("SETTING"); more && p.err == nil; more = p.take(",") {
		name := spelled(p.one("setting", known))
		p.expect("=>")
		out[name] = p.value()
	}
	return out
}

// spelled is one spelling of an aesthetic.
func spelled(aesthetic string) string {
	if aesthetic == "color" {
		return "colour"
	}
	return aesthetic
}

func (p *parser) column() Value {
	v := p.value()
	if v.Kind != "column" {
		p.fault(v.At, "name one of the SELECT", "a column belongs here")
	}
	return v
}

func (p *parser) value() Value {
	t := p.next()
	v := Value{At: t.at, Kind: "column", Text: t.value()}
	switch {
	case t.kind == text:
		v.Kind = "text"
	case t.kind == number:
		v.Kind = "number"
		v.Number, _ = strconv.ParseFloat(t.raw, 64) // the form of the token is that of a number
	case t.is("null"), t.is("true"), t.is("false"):
		v.Kind, v.Text = strings.ToLower(t.raw), ""
	case t.raw == "[" || t.raw == "(":
		v.Kind = "list"
		for more := true; more && p.err == nil; more = p.take(",") {
			if next := p.tokens[0]; next.raw == "[" || next.raw == "(" {
				p.fault(next.at, "sql/figures/README.md says what is supported", "a list within a list is not supported")
				break
			}
			v.List = append(v.List, p.value())
		}
		p.expect(map[string]string{"[": "]", "(": ")"}[t.raw])
	case t.kind == word || t.kind == quoted:
		v.Column = t.value()
	default:
		p.fault(t.at, "sql/figures/README.md says what is supported", "%q where a value belongs", t.raw)
	}
	return v
}
