package ggsql

import (
	"cmp"
	"fmt"
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
	Facet   Value            // the column that cuts the rows into panels; the zero value without FACET
	Project string           // cartesian or polar; cartesian when empty
	Setting map[string]Value // of FACET and PROJECT
	Labels  map[string]string
}

// A Layer draws marks of one form: a mark for each row (DRAW), or one at given values (PLACE).
type Layer struct {
	Form      string           // one of Layers
	Mapping   map[string]Value // columns and constants, by aesthetic
	Setting   map[string]Value
	Filter    []Condition // for rows that are drawn
	Partition []Value     // columns
	At        int         // byte of the file
}

// A Condition compares a column with a number or a text.
type Condition struct {
	Column, Value Value
	Sign          string
}

// A Scale says how the values of an aesthetic are shown.
type Scale struct {
	From     []Value           // the two ends of the numbers, or the categories in their order
	To       []Value           // colours
	Via      string            // log10, or empty
	Renaming map[string]string // names to print, by category; * is for all other categories
	Setting  map[string]Value
	At       int // byte of the file
}

// A Value is the name of a column, or a constant.
type Value struct {
	Kind   string // column, text, number, null, true, false or list; empty for a value that is missing
	Column string
	Text   string // as in the file, without quotes; empty for null, true and false
	Number float64
	List   []Value
	At     int // byte of the file
}

// parser reads the clauses of a file. After the first fault only the end of the file is left to
// read.
type parser struct {
	f      *File
	tokens []token // that are left to read; the last token is the end of the file
	err    error   // the first fault
}

// Plot reads the clauses after the SELECT. A file without clauses has no plot (nil), unless it
// shows cards.
func (f *File) Plot() (*Plot, error) {
	if f.Cards {
		return &Plot{}, nil
	}
	if f.end == len(f.Text) {
		return nil, nil
	}
	p := &parser{f: f, tokens: f.clauses}
	plot := p.plot()
	return plot, p.err
}

// next reads a token. The end of the file can be read again and again.
func (p *parser) next() token {
	t := p.tokens[0]
	if t.kind != end {
		p.tokens = p.tokens[1:]
	}
	return t
}

// take reports whether the next token is the word or sign raw. If it is, take reads the token.
func (p *parser) take(raw string) bool {
	if strings.EqualFold(p.tokens[0].raw, raw) && p.tokens[0].kind != text {
		p.next()
		return true
	}
	return false
}

// fault keeps the first fault, and skips to the end of the file. The hint may be empty.
func (p *parser) fault(at int, hint, format string, args ...any) {
	if p.err == nil {
		if p.err = p.f.Fault(at, format, args...); hint != "" {
			p.err = data.WithHint(p.err, "%s", hint)
		}
		p.tokens = p.tokens[len(p.tokens)-1:]
	}
}

// one reads one of several words, in any case of letters. what names the words in the fault.
func (p *parser) one(what string, words []string) string {
	t := p.next()
	i := slices.IndexFunc(words, func(word string) bool { return strings.EqualFold(word, t.value()) })
	if i < 0 {
		p.fault(t.at, spelling.Meant("supported are: "+strings.Join(words, ", "), words, t.raw),
			"there is no %s %q here", what, t.raw)
		return ""
	}
	return words[i]
}

// list reads parts with commas between them.
func (p *parser) list(part func()) {
	for more := true; more; more = p.take(",") {
		part()
	}
}

// expect reads a word or sign that must be next.
func (p *parser) expect(raw string) {
	if t := p.tokens[0]; !p.take(raw) {
		p.fault(t.at, "sql/figures/README.md says what is supported", "%q where %s belongs", t.raw, raw)
	}
}

// plot reads the mapping after VISUALISE, and then all clauses.
func (p *parser) plot() *Plot {
	plot := &Plot{Scales: map[string]Scale{}, Labels: map[string]string{}, Setting: map[string]Value{}}
	shared := map[string]Value{} // the mapping of all layers
	if p.tokens[0].kind == word && !slices.ContainsFunc(clauses, p.tokens[0].is) {
		shared = p.mapping()
	}
	seen := map[string]bool{}
	for p.tokens[0].kind != end && !p.take(";") {
		at := p.tokens[0].at
		switch clause := p.one("clause", clauses); clause {
		case "DRAW", "PLACE":
			l := p.layer(clause, at, shared)
			plot.Layers = append(plot.Layers, l)
			// A histogram and a density compute their Y values, so no column gives the axis a name.
			counted := map[string]string{"histogram": "count", "density": "density"}[l.Form]
			if !seen["LABEL y"] { // LABEL y, before or after, replaces this label.
				plot.Labels["y"] = cmp.Or(plot.Labels["y"], counted)
			}
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
			if !p.tokens[0].is("TO") { // ggsql lets a file name the axes of radius and angle. Here they are fixed.
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
				v := p.value()
				if v.Kind != "null" { // null leaves the label out.
					p.fitting("LABEL "+name, v, written)
				}
				plot.Labels[name] = v.Text
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

// once refuses a thing that is written twice. seen has the things that were written before.
func (p *parser) once(seen map[string]bool, what string, at int) {
	if seen[what] {
		p.fault(at, "keep one", "%s is there twice", what)
	}
	seen[what] = true
}

// fitting refuses a value of another form than f, and returns the value.
func (p *parser) fitting(what string, v Value, f form) Value {
	if !f.fits(v) {
		p.fault(v.At, "", "%s takes %s", what, f.words)
	}
	return v
}

// layer reads DRAW or PLACE. Each layer of DRAW has the mapping of VISUALISE, and may replace or
// add columns.
func (p *parser) layer(clause string, at int, shared map[string]Value) Layer {
	if t := p.tokens[0]; t.is("errorbar") {
		p.fault(t.at, "write: DRAW range MAPPING low AS ymin, high AS ymax",
			"a layer errorbar is called range, as in ggsql")
	}
	l := Layer{Form: p.one("layer", Layers), Mapping: map[string]Value{}, At: at}
	if clause == "DRAW" {
		maps.Copy(l.Mapping, shared)
		if p.take("MAPPING") {
			maps.Copy(l.Mapping, p.mapping())
		}
	}
	l.Setting = p.settings(settings)
	hasColumn := slices.ContainsFunc(slices.Collect(maps.Values(l.Mapping)),
		func(v Value) bool { return v.Column != "" })
	if l.Form == "rule" && !hasColumn { // Each row would have the same line, so the line is drawn once.
		maps.Copy(l.Setting, l.Mapping)
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
	missing := func(aesthetic string) bool { return l.Mapping[aesthetic].Kind+l.Setting[aesthetic].Kind == "" }
	wants := cmp.Or(needs[l.Form], "x y")
	drawable := false
	for way := range strings.SplitSeq(wants, ", or ") {
		drawable = drawable || !slices.ContainsFunc(strings.Fields(way), missing)
	}
	if !drawable {
		p.fault(at, "map columns to them: "+l.Form+" MAPPING score AS x", "%s needs %s", l.Form, wants)
	}
	return l
}

// scale reads the subclauses of SCALE. FROM and RENAMING are for all aesthetics, TO is for colours,
// and VIA and SETTING are for axes.
func (p *parser) scale(aesthetic string, at int) Scale {
	s := Scale{At: at, Renaming: map[string]string{}}
	axis, colour := aesthetic == "x" || aesthetic == "y", slices.Contains(colours, aesthetic)
	found, renamed := map[string]bool{}, map[string]bool{} // subclauses, and names of RENAMING
	for {
		t := p.tokens[0]
		switch {
		case p.take("FROM"):
			s.From = p.from(aesthetic)
		case colour && p.take("TO"):
			s.To = p.colours()
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
			p.fault(t.at, "SCALE of axes has FROM, VIA, RENAMING, SETTING; of colours FROM, TO, RENAMING; "+
				"of panels FROM, RENAMING", "SCALE %s says nothing that is supported", aesthetic)
		default:
			return s
		}
		p.once(found, strings.ToUpper(t.raw), t.at)
	}
}

// colours reads the name of a palette, or a list of colours.
func (p *parser) colours() (out []Value) {
	if p.tokens[0].kind == word {
		for _, c := range strings.Fields(palettes[p.one("palette", slices.Sorted(maps.Keys(palettes)))]) {
			out = append(out, Value{Text: c})
		}
		return out
	}
	v := p.value()
	if len(v.List) == 0 || slices.ContainsFunc(v.List, func(v Value) bool { return !hex.fits(v) }) {
		p.fault(v.At, "write ['#00508a', '#b34700']", "TO has a list of colours")
	}
	return v.List
}

// signs has the results of cmp.Compare for which a condition with a sign holds. cmp.Compare gets
// the column's value first, and then the condition's value.
var signs = map[string][]int{"<": {-1}, "<=": {-1, 0}, "=": {0}, ">=": {0, 1}, ">": {1}, "<>": {-1, 1}, "!=": {-1, 1}}

// filter reads FILTER, if it is there. The layer has only rows for which all conditions hold.
func (p *parser) filter() (all []Condition) {
	for more := p.take("FILTER"); more; more = p.take("AND") {
		column, sign, value := p.column(), p.next(), Value{}
		if signs[sign.raw] != nil { // Otherwise the value stays missing and is refused.
			value = p.value()
		}
		if !place.fits(value) {
			p.fault(sign.at, "write: FILTER prompt = 'Simple' AND score > 50, "+
				"or a column of the SELECT that is null in other rows",
				"FILTER compares columns with numbers and texts")
		}
		all = append(all, Condition{column, value, sign.raw})
	}
	return all
}

// Holds reports whether the condition is true of a value of its column. As in SQL, no comparison
// with null holds. If one of the two values is a number, a text that is no number is an error.
func (c Condition) Holds(v any) (bool, error) {
	if v == nil {
		return false, nil
	}
	word := fmt.Sprint(v)
	order := cmp.Compare(word, c.Value.Text)
	if _, isNumber := v.(float64); isNumber || c.Value.Kind == "number" {
		of, err := strconv.ParseFloat(word, 64)
		to, toErr := strconv.ParseFloat(c.Value.Text, 64)
		if err != nil || toErr != nil {
			return false, fmt.Errorf("FILTER compares %s with %s, and only one of them is a number", word, c.Value.Text)
		}
		order = cmp.Compare(of, to)
	}
	return slices.Contains(signs[c.Sign], order), nil
}

// from reads FROM of a scale: two numbers (one may be null), or categories in their order.
func (p *parser) from(aesthetic string) []Value {
	v := p.value()
	switch {
	case v.all("text"): // categories
	case aesthetic == "panel" || len(v.List) != 2 || !v.all("number", "null") || v.all("null"):
		p.fault(v.At, "write [0, 100], [0, null] or ['first', 'second']",
			"FROM has two numbers, of which one may be null, or categories")
	case v.all("number") && v.List[0].Number >= v.List[1].Number:
		p.fault(v.At, "write the lower one first; an axis is turned by: SETTING reverse => true",
			"FROM goes from %v to %v", v.List[0].Number, v.List[1].Number)
	}
	return v.List
}

// mapping reads columns and constants, each with the aesthetic that it is mapped to. A column that
// has the name of an aesthetic needs no AS. A constant always needs AS and an aesthetic.
func (p *parser) mapping() map[string]Value {
	out, seen := map[string]Value{}, map[string]bool{}
	p.list(func() {
		written := p.tokens[0].raw
		v := p.fitting("a mapping", p.value(), mapped)
		aesthetic := v.Column
		if p.take("AS") {
			aesthetic = p.one("aesthetic", aesthetics)
		} else if !slices.Contains(aesthetics, aesthetic) {
			p.fault(v.At, "write: "+written+" AS x", "%s is mapped to nothing", written)
		}
		p.once(seen, "a mapping to "+spelled(aesthetic), v.At)
		out[spelled(aesthetic)] = v
	})
	return out
}

// settings reads a subclause SETTING, if it is there. known are the settings that may be in the
// subclause.
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
		form, ok := forms[name]
		if !ok {
			form = place
		}
		out[name] = p.fitting(name, p.value(), form)
	})
	return out
}

// spelled returns the one name that the package has for an aesthetic with two names.
func spelled(aesthetic string) string {
	return cmp.Or(map[string]string{"color": "colour", "radius": "y", "angle": "x"}[aesthetic], aesthetic)
}

// column reads the name of a column.
func (p *parser) column() Value {
	v := p.value()
	if v.Kind != "column" {
		p.fault(v.At, "name one of the SELECT", "a column belongs here")
	}
	return v
}

// value reads a column, a constant, or a list in brackets.
func (p *parser) value() Value {
	t := p.next()
	v := Value{At: t.at, Kind: "column", Text: t.value()}
	switch {
	case t.kind == text:
		v.Kind = "text"
	case t.kind == numeral:
		v.Kind = "number"
		v.Number, _ = strconv.ParseFloat(t.raw, 64) // Each numeral is a number.
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
