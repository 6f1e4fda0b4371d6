package ggsql

import (
	"cmp"
	"maps"
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
	Facet   Value            // the column that cuts the rows into panels; the zero value without one
	Project string           // cartesian or polar
	Setting map[string]Value // of FACET and PROJECT
	Labels  map[string]string
}

// A Layer is marks of one form: of rows, by DRAW, or at values, by PLACE.
type Layer struct {
	Form      string
	Mapping   map[string]Value // by aesthetic
	Setting   map[string]Value
	Filter    []Condition
	Partition []Value // columns
	At        int     // byte of the file
}

// A Condition compares a column with a number or a text.
type Condition struct {
	Column, Value Value
	Sign          string
}

// A Scale is the range of an aesthetic, the values that it becomes, and their names.
type Scale struct {
	From, To []Value
	Via      string
	Renaming map[string]string
	Setting  map[string]Value
	At       int
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
	p := &parser{f: f, tokens: f.clauses}
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
		if p.err = p.f.Fault(at, format, args...); hint != "" {
			p.err = data.WithHint(p.err, "%s", hint)
		}
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
	p.fault(t.at, spelling.Meant("supported are: "+strings.Join(of, ", "), of, t.raw), "there is no %s %q here",
		what, t.raw)
	return ""
}

// list reads the parts of a list between commas.
func (p *parser) list(part func()) {
	for more := true; more && p.err == nil; more = p.take(",") {
		part()
	}
}

func (p *parser) expect(raw string) {
	if t := p.tokens[0]; !p.take(raw) {
		p.fault(t.at, "sql/figures/README.md says what is supported", "%q where %s belongs", t.raw, raw)
	}
}

func (p *parser) plot() *Plot {
	plot := &Plot{Scales: map[string]Scale{}, Labels: map[string]string{}, Setting: map[string]Value{},
		Project: "cartesian"}
	all := map[string]Value{}
	if p.tokens[0].kind == word && !slices.ContainsFunc(clauses, p.tokens[0].is) {
		all = p.mapping()
	}
	seen := map[string]bool{}
	for p.err == nil && p.tokens[0].kind != end && !p.take(";") {
		at := p.tokens[0].at
		switch clause := p.one("clause", clauses); clause {
		case "DRAW", "PLACE":
			l := p.layer(clause, at, all)
			plot.Layers = append(plot.Layers, l)
			counted := map[string]string{"histogram": "count", "density": "density"}[l.Form]
			plot.Labels["y"] = cmp.Or(plot.Labels["y"], counted)
		case "SCALE":
			aesthetic := spelled(p.one("aesthetic to scale",
				append([]string{"x", "y", "radius", "angle", "panel"}, colours...)))
			p.once(seen, clause+" "+aesthetic, at)
			plot.Scales[aesthetic] = p.scale(aesthetic, at)
		case "FACET":
			p.once(seen, clause, at)
			plot.Facet = p.column()
			maps.Copy(plot.Setting, p.settings([]string{"free", "ncol"}))
		case "PROJECT":
			p.once(seen, clause, at)
			if !p.tokens[0].is("TO") {
				p.expect("y")
				p.expect(",")
				p.expect("x")
			}
			p.expect("TO")
			plot.Project = p.one("projection", []string{"cartesian", "polar"})
			maps.Copy(plot.Setting, p.settings([]string{"ratio"}))
		case "LABEL":
			p.list(func() {
				at := p.tokens[0].at
				name := p.one("label", labels)
				p.once(seen, "LABEL "+name, at)
				p.expect("=>")
				if v := p.value(); v.Kind != "null" { // y => null is no title
					plot.Labels[name] = p.fitting("LABEL "+name, v, written).Text
				}
			})
		}
	}
	if t := p.tokens[0]; t.kind != end {
		p.fault(t.at, "a figure is one SELECT with its clauses", "there is more after the semicolon")
	}
	if len(plot.Layers) == 0 {
		p.fault(p.tokens[0].at, "add one, such as: DRAW point", "there is no layer to draw")
	}
	return plot
}

// once refuses a name that is written twice.
func (p *parser) once(seen map[string]bool, what string, at int) {
	if seen[what] {
		p.fault(at, "keep one", "%s is there twice", what)
	}
	seen[what] = true
}

// fitting refuses a value of another form.
func (p *parser) fitting(what string, v Value, f form) Value {
	if !f.fits(v) {
		p.fault(v.At, "", "%s takes %s", what, f.words)
	}
	return v
}

// layer reads DRAW or PLACE. Each layer that DRAW makes has the columns of VISUALISE.
func (p *parser) layer(clause string, at int, all map[string]Value) Layer {
	if t := p.tokens[0]; t.is("errorbar") {
		p.fault(t.at, "write: DRAW range MAPPING low AS ymin, high AS ymax",
			"a layer errorbar is called range, as in ggsql")
	}
	l := Layer{Form: p.one("layer", Layers), Mapping: map[string]Value{}, At: at}
	if clause == "DRAW" {
		maps.Copy(l.Mapping, all)
		if p.take("MAPPING") {
			maps.Copy(l.Mapping, p.mapping())
		}
	}
	l.Setting = p.settings(settings)
	if !slices.ContainsFunc(slices.Collect(maps.Values(l.Mapping)), func(v Value) bool { return v.Column != "" }) &&
		l.Form == "rule" {
		maps.Copy(l.Setting, l.Mapping) // the same line for each row
		l.Mapping = nil
	}
	if clause == "DRAW" {
		l.Filter = p.filter()
		if p.take("PARTITION") {
			p.expect("BY")
			p.list(func() { l.Partition = append(l.Partition, p.column()) })
		}
	}
	if l.Form == "smooth" && l.Setting["method"].Kind == "" {
		p.fault(at, "write: DRAW smooth SETTING method => 'ols'", "smooth draws the line of least squares alone")
	}
	wants := cmp.Or(needs[l.Form], "x y")
	if !slices.ContainsFunc(strings.Split(wants, ", or "), func(way string) bool {
		return !slices.ContainsFunc(strings.Fields(way),
			func(a string) bool { return l.Mapping[a].Kind == "" && l.Setting[a].Kind == "" })
	}) {
		p.fault(at, "map columns to them: "+l.Form+" MAPPING score AS x", "%s needs %s", l.Form, wants)
	}
	return l
}

func (p *parser) scale(aesthetic string, at int) Scale {
	s := Scale{At: at, Renaming: map[string]string{}}
	axis, tone := aesthetic == "x" || aesthetic == "y", slices.Contains(colours, aesthetic)
	found, renamed := map[string]bool{}, map[string]bool{} // clauses, and names of RENAMING
	for p.err == nil {
		t := p.tokens[0]
		switch {
		case p.take("FROM"):
			s.From = p.from(aesthetic)
		case tone && p.take("TO"):
			v := Value{}
			if p.tokens[0].kind == word {
				for _, c := range strings.Fields(palettes[p.one("palette", slices.Sorted(maps.Keys(palettes)))]) {
					v.List = append(v.List, Value{Kind: "text", Text: c})
				}
			} else {
				v = p.value()
			}
			s.To = v.List
			if !v.all("text") || slices.ContainsFunc(v.List, func(v Value) bool { return !hex.fits(v) }) {
				p.fault(v.At, "write ['#00508a', '#b34700']", "TO has a list of colours")
			}
		case axis && p.take("VIA"):
			s.Via = p.one("transform", []string{"log10"})
		case p.take("RENAMING"):
			p.list(func() {
				from := p.next()
				if from.kind != text && from.kind != numeral && from.raw != "*" {
					p.fault(from.at, "write 'Simple' => 'simple', or * => '{:num %.0f}%'",
						"%q where a category or * belongs", from.raw)
				}
				p.once(renamed, from.raw, from.at)
				p.expect("=>")
				s.Renaming[from.value()] = p.fitting("a name", p.value(), written).Text
			})
		case axis && t.is("SETTING"):
			s.Setting = p.settings([]string{"reverse"})
		case len(found) == 0:
			p.fault(t.at, "SCALE of axes has FROM, VIA, RENAMING, SETTING; of colours FROM, TO, RENAMING; of panels FROM, RENAMING",
				"SCALE %s says nothing that is supported", aesthetic)
		default:
			return s
		}
		p.once(found, strings.ToUpper(t.raw), t.at)
	}
	return s
}

// signs are the comparisons of a value of a column with another value: less, the same or greater.
var signs = map[string][]int{"<": {-1}, "<=": {-1, 0}, "=": {0}, ">=": {0, 1}, ">": {1}, "<>": {-1, 1}, "!=": {-1, 1}}

// filter reads conditions on columns. All of them hold for the rows of a layer.
func (p *parser) filter() (all []Condition) {
	for more := p.take("FILTER"); more && p.err == nil; more = p.take("AND") {
		column, sign, value := p.column(), p.next(), Value{}
		if signs[sign.raw] != nil {
			value = p.value()
		}
		if !place.fits(value) {
			p.fault(sign.at, "write: FILTER prompt = 'Simple' AND score > 50, or a column of the SELECT that is null in other rows",
				"FILTER compares columns with numbers and texts")
		}
		all = append(all, Condition{column, value, sign.raw})
	}
	return all
}

// Holds reports whether the condition is true of a value of its column.
func (c Condition) Holds(v any) bool {
	switch v := v.(type) {
	case float64:
		return slices.Contains(signs[c.Sign], cmp.Compare(v, c.Value.Number))
	case string:
		return slices.Contains(signs[c.Sign], cmp.Compare(v, c.Value.Text))
	}
	return false // as null in SQL
}

// from reads the extent of a scale: two numbers, or categories in their order. One of the two
// numbers may be null.
func (p *parser) from(aesthetic string) []Value {
	v := p.value()
	switch {
	case v.all("text"):
	case aesthetic == "panel" || len(v.List) != 2 || !v.all("number", "null") || v.all("null"):
		p.fault(v.At, "write [0, 100], [0, null] or ['first', 'second']",
			"FROM has two numbers, of which one may be null, or categories")
	case v.all("number") && v.List[0].Number >= v.List[1].Number:
		p.fault(v.At, "write the lower one first; an axis is turned by: SETTING reverse => true",
			"FROM goes from %v to %v",
			v.List[0].Number, v.List[1].Number)
	}
	return v.List
}

// mapping reads columns and constants with the aesthetics that they become.
func (p *parser) mapping() map[string]Value {
	out, seen := map[string]Value{}, map[string]bool{}
	p.list(func() {
		v := p.fitting("a mapping", p.value(), mapped)
		aesthetic := v.Column
		if p.take("AS") {
			aesthetic = p.one("aesthetic", aesthetics)
		} else if !slices.Contains(aesthetics, aesthetic) {
			p.fault(v.At, "write: "+v.Column+" AS x", "%s is mapped to nothing", v.Column)
		}
		p.once(seen, "a mapping to "+spelled(aesthetic), v.At)
		out[spelled(aesthetic)] = v
	})
	return out
}

// settings reads a subclause SETTING, if it is there.
func (p *parser) settings(known []string) map[string]Value {
	out, seen := map[string]Value{}, map[string]bool{}
	if !p.take("SETTING") {
		return out
	}
	p.list(func() {
		at := p.tokens[0].at
		name := spelled(p.one("setting", known))
		p.once(seen, name, at)
		p.expect("=>")
		f, ok := forms[name]
		if !ok {
			f = place
		}
		out[name] = p.fitting(name, p.value(), f)
	})
	return out
}

// spelled is one spelling of an aesthetic.
func spelled(aesthetic string) string {
	return cmp.Or(map[string]string{"color": "colour", "radius": "y", "angle": "x"}[aesthetic], aesthetic)
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
	case t.kind == numeral:
		v.Kind = "number"
		v.Number, _ = strconv.ParseFloat(t.raw, 64) // the token has the form of a number
	case t.is("null"), t.is("true"), t.is("false"):
		v.Kind, v.Text = strings.ToLower(t.raw), ""
	case t.raw == "[" || t.raw == "(":
		v.Kind = "list"
		p.list(func() {
			if next := p.tokens[0]; next.raw == "[" || next.raw == "(" {
				p.fault(next.at, "sql/figures/README.md says what is supported",
					"a list within a list is not supported")
			}
			v.List = append(v.List, p.value())
		})
		p.expect(map[string]string{"[": "]", "(": ")"}[t.raw])
	case t.kind == word || t.kind == quoted:
		v.Column = t.value()
	default:
		p.fault(t.at, "sql/figures/README.md says what is supported", "%q where a value belongs", t.raw)
	}
	return v
}
