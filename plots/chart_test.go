package plots

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"

	"gonum.org/v1/plot/vg"
)

// column is a column of a paper of two columns.
var column = Page{Width: 237.6, Bare: true} // 3.3 inches

// page wraps a plot in a drawing as figures do.
func page(title string, p *plot.Plot) *Drawing {
	return &Drawing{Title: title, Subtitle: "Rows made for a test.", Source: "a generator with a fixed seed",
		Page: Page{Width: 360, Kinds: []string{"simulated"}}, Height: 200, Body: func(c draw.Canvas) { p.Draw(c) }}
}

// scored are rows of captioners in parts, of two panels each.
func scored(t *testing.T, captioners ...string) *rows.Rows {
	t.Helper()
	var out [][]any
	for i, c := range captioners {
		for k, part := range []string{"Spatial", "Textual Elements in Image",
			"Functional and Semantic Understanding", "Scene"} {
			for p, panel := range []string{"Overall", "Natural"} {
				s := 40 + 9*float64(i) + 3*float64(k) + float64(p)
				out = append(out, []any{fmt.Sprint("id-", i), c, part, panel, s, s - 2, s + 2, "Simple", "simulated"})
			}
		}
	}
	return laketest.Rows(t, "files/mine",
		[]string{"captioner", "captioner_name", "part", "panel", "score", "low", "high", "prompt",
			"provenance"}, out...)
}

// drawn draws rows as clauses say.
func drawn(t *testing.T, clauses string, rows *rows.Rows, on Page) (*Drawing, error) {
	t.Helper()
	f := must.Get(ggsql.Parse("mine.sql", "",
		"-- shows: Mine\n-- one: prompt\n\nselect * from t\n\n"+clauses+"\nLABEL title => 'Mine'\n"))(t)
	named := rows.Read()
	named.Name = f.Rows()
	if on.Kinds == nil {
		on.Kinds = []string{"simulated"}
	}
	return Draw(f, named, on)
}

// words are the texts of a drawing.
func words(t *testing.T, d *Drawing) (out []string) {
	t.Helper()
	for _, l := range traced(d).labels {
		out = append(out, l.text)
	}
	return out
}

// charts are all forms of charts.
var charts = map[string]string{
	"rows": `VISUALISE captioner_name AS y, score AS x
DRAW range MAPPING low AS xmin, high AS xmax
DRAW point
FACET panel`,
	"own rows": `VISUALISE part AS y, score AS x
DRAW bar
FACET panel SETTING free => 'y', ncol => 2`,
	"tiles": `VISUALISE captioner_name AS y, part AS x
DRAW tile MAPPING score AS fill
FACET panel`,
	"radar": `VISUALISE part AS x, score AS y, captioner_name AS stroke
DRAW line PARTITION BY captioner
PROJECT y, x TO polar
FACET panel`,
	"violins": `VISUALISE panel AS x, score AS y, panel AS fill
DRAW violin`,
	"scatter": `VISUALISE low AS x, high AS y
DRAW point
FACET panel`,
	"bars": `VISUALISE panel AS x, score AS y, captioner_name AS fill
DRAW bar`,
	"slopes": `VISUALISE panel AS x, score AS y
DRAW line PARTITION BY captioner, part
SCALE y SETTING reverse => true`,
	"logarithm": `VISUALISE low AS x, high AS y
DRAW line PARTITION BY captioner
SCALE x VIA log10`,
}

// Every form of chart has its labels on the page and apart, in full width and in a column of a
// paper; the same rows give the same bytes; names from outside, which are not to be trusted, become
// text.
func TestCharts(t *testing.T) {
	hostile := []string{"<script>alert(1)</script><text ", "a\x00\x1b[31m\r\nb", strings.Repeat("very long ", 100),
		"模型-7B", "]]>&amp;\"'"}
	for name, clauses := range charts {
		for _, captioners := range [][]string{{"GPT-5", "Qwen3-VL 8B", "Unheard-of"}, hostile} {
			for _, on := range []Page{{}, column} {
				d := must.Get(drawn(t, clauses, scored(t, captioners...), on))(t)
				if err := d.Check(); err != nil {
					t.Errorf("%s, %v points wide: %v", name, on.width(), err)
				}
				if !slices.Contains(words(t, d), "SIMULATED – NOT MEASURED") {
					t.Errorf("%s does not say that its rows are simulated", name)
				}
				for _, format := range Formats {
					once := must.Get(d.Encode(format))(t)
					again := must.Get(d.Encode(format))(t)
					expect.Equal(t, once, again, name, format)
					switch format {
					case "svg":
						if wellFormed(t, once); bytes.Contains(once, []byte("<script")) {
							t.Error("a name became an element of the SVG")
						}
					case "pdf":
						if !bytes.HasPrefix(once, []byte("%PDF-")) ||
							!bytes.Contains(once, []byte("D:20000101000000")) {
							t.Errorf("%s is not a PDF with the fixed date", name)
						}
					case "png":
						must.Get(png.Decode(bytes.NewReader(once)))(t)
					}
				}
			}
		}
	}
}

// Points are at the ticks of their values, 2.3 left of where their circles begin, in the order of
// their rows.
func TestPointsAreAtTheirValues(t *testing.T) {
	for y, want := range map[string]string{
		"name": "M159.19,78A2.3 M33.077,64A2.3 M285.3,50A2.3 M30.777,41L30.777,38 >20< M156.89,41L156.89,38 >40< " +
			"M283,41L283,38 >60<",
		"v": ">20< >40< >60< M38.768,35.82L38.768,38.82 M157.63,35.82L157.63,38.82 M276.49,35.82L276.49,38.82 >20< >40< " +
			">60< M23.731,47.84L26.731,47.84 " +
			"M23.731,132.46L26.731,132.46 M23.731,217.07L26.731,217.07 M159.93,132.46A2.3 M41.068,47.84A2.3 M278.79,217.07A2.3",
	} {
		rows := laketest.Rows(t, "x", []string{"name", "v", "prompt", "provenance"},
			[]any{"A", 40, "", "measured"}, []any{"B", 20, "", "measured"}, []any{"C", 60, "", "measured"})
		svg := must.Get(must.Get(drawn(t, "VISUALISE v AS x, "+y+" AS y\nDRAW point", rows,
			Page{Width: 300}))(t).Encode("svg"))(t)
		var found bool
		for _, part := range strings.Fields(want) {
			if _, svg, found = bytes.Cut(svg, []byte(part)); !found {
				t.Errorf("over %s there is no %s", y, part)
			}
		}
	}
}

// read are the marks of the first layer that clauses make of rows.
func read(t *testing.T, clauses string, of *rows.Rows) ([]mark, error) {
	t.Helper()
	f := must.Get(ggsql.Parse("mine.sql", "", "select * from t\n"+clauses))(t)
	c := &chart{File: f, Plot: must.Get(f.Plot())(t), rows: of, ids: make([]string, of.Len())}
	err := c.read()
	return c.layers[0].marks, err
}

// Bars and areas of one place stand on each other, in the order of their names or of their scale,
// and hang from zero below it. At A the bars of e, h and m, 10, 30 and 20, end at 10, 40 and 60; at
// B h ends at 5, e at -15 and m at -15 - 25 = -40.
func TestStacks(t *testing.T) {
	rows := laketest.Rows(t, "x", []string{"spot", "at", "part", "share", "least"},
		[]any{"A", 1, "e", 10, 1}, []any{"A", 1, "m", 20, 2}, []any{"A", 1, "h", 30, 3},
		[]any{"B", 2, "h", 5, 4}, []any{"B", 2, "e", -15, 5}, []any{"B", 2, "m", -25, 6})
	for clauses, want := range map[string]string{
		"spot AS x, share AS y, part AS fill\nDRAW " +
			"bar": "[0 10] [40 60] [10 40] [0 5] [0 -15] [-15 -40]",
		"spot AS y, share AS x, part AS fill\nDRAW " +
			"bar": "[0 10] [40 60] [10 40] [0 5] [0 -15] [-15 -40]",
		"spot AS x, share AS y, part AS fill\nDRAW bar\nSCALE fill FROM ['m', 'h', " +
			"'e']": "[50 60] [0 20] [20 50] [0 5] [-25 -40] [0 -25]",
		"at AS x, least AS y, part AS fill\nDRAW area": "[0 1] [4 6] [1 4] [5 9] [0 5] [9 15]",
	} {
		marks, err := read(t, "VISUALISE "+clauses, rows)
		must.Succeed(t, err)
		value, got := "y", []string{}
		if strings.Contains(clauses, "share AS x") {
			value = "x"
		}
		for _, m := range marks {
			got = append(got, fmt.Sprint([]float64{m.at[value+"min"], m.at[value+"max"]}))
		}
		expect.Equal(t, strings.Join(got, " "), want, clauses)
	}
	_, err := read(t, "VISUALISE at AS x, least AS y, part AS fill\nDRAW area",
		rows.Pick(func(i int) bool { return i != 4 }))
	refused(t, err, "mine.sql:3:1: areas that stand on each other have one row at each place of the X axis")
	_, err = read(t, "VISUALISE spot AS x, least AS y\nDRAW bar\nSCALE y VIA log10", rows)
	refused(t, err, "mine.sql:4:1: a layer bar begins at 0, which an axis VIA log10 does not have")
}

// Upright bars are apart, whether their places are names or numbers.
func TestBarsAreApart(t *testing.T) {
	for place, want := range map[string]string{"name": "[-0.35 0.35] [0.65 1.35] [1.65 2.35]",
		"at": "[0.65 1.35] [2.65 3.35] [1.65 2.35]"} {
		rows := laketest.Rows(t, "x", []string{"name", "at", "n"}, []any{"A", 1, 3}, []any{"B", 3, 2}, []any{"C", 2, 1})
		marks, err := read(t, "VISUALISE "+place+" AS x, n AS y\nDRAW bar", rows)
		must.Succeed(t, err)
		var got []string
		for _, m := range marks {
			got = append(got, fmt.Sprintf("[%.2f %.2f]", m.at["xmin"], m.at["xmax"]))
		}
		expect.Equal(t, strings.Join(got, " "), want, place)
	}
}

// A has the points (1, 10) and (2, 20), B (1, 5) and C (3, 7): names stand at 3, behind each last
// point.
func TestNamesOfLines(t *testing.T) {
	rows := laketest.Rows(t, "x", []string{"name", "at", "n"},
		[]any{"A", 2, 20}, []any{"A", 1, 10}, []any{"B", 1, 5}, []any{"C", 3, 7})
	marks, err := read(t, "VISUALISE at AS x, n AS y\n"+
		"DRAW text MAPPING name AS label SETTING hjust => 'left' PARTITION BY name\nDRAW line PARTITION BY name", rows)
	must.Succeed(t, err)
	var got []string
	for _, m := range marks {
		got = append(got, fmt.Sprint(m.label, m.at["x"], m.at["y"]))
	}
	expect.Equal(t, strings.Join(got, ", "), "A3 20, B3 5, C3 7")
}

// Two captioners of one name are told apart by their ids. Of the prompts the first row's is drawn.
func TestNamesOfCaptioners(t *testing.T) {
	rows := scored(t, "Same", "Same", "Other", "Long").Set("prompt", func(i int, before any) any {
		if i >= 24 {
			return "Long"
		}
		return before
	})
	got := words(t, must.Get(drawn(t, charts["rows"], rows, Page{}))(t))
	for word, want := range map[string]bool{"id-0": true, "id-1": true, "Same": false, "Other": true, "Long": false} {
		if slices.Contains(got, word) != want {
			t.Errorf("two captioners of one name are written %v", got)
		}
	}
}

// A bare page is as wide as asked for, says neither title nor source, and still says that rows are
// simulated.
func TestBarePage(t *testing.T) {
	d := must.Get(drawn(t, charts["rows"], scored(t, "A", "B"), column))(t)
	if w, h := d.Size(); w != column.Width || h <= d.Height {
		t.Errorf("the page measures %v by %v, the body is %v high", w, h, d.Height)
	}
	if got := words(t, d); slices.Contains(got, "Mine") || !slices.Contains(got, "SIMULATED – NOT MEASURED") {
		t.Errorf("the page says %q", got)
	}
	if title, caption := d.Caption(); title != "Mine" || !strings.Contains(caption, "95% intervals") ||
		!strings.Contains(caption, "SIMULATED") {
		t.Errorf("the caption is %q, %q", title, caption)
	}
}

// What cannot be drawn says why; what has too little to draw is an ErrNone, so that a report goes
// on without it.
func TestChartRefusals(t *testing.T) {
	_, err := drawn(t, "VISUALISE accuracy AS x, part AS y\nDRAW point", scored(t, "A"), Page{})
	refused(t, err, "mine.sql:6:11: the SELECT has no column accuracy; it has captioner")
	bare := laketest.Rows(t, "x", []string{"part", "score", "prompt"}, []any{"a", 1, "Simple"})
	d := must.Get(drawn(t, "VISUALISE score AS x, part AS y\nDRAW point", bare, Page{}))(t)
	if _, caption := d.Caption(); !strings.Contains(caption, "SIMULATED") {
		t.Errorf("the caption is %q; the rows are stamped as what the lake's are, not as a column says", caption)
	}
	odd := scored(t, "A").Set("score", func(i int, before any) any {
		if i == 2 {
			return math.NaN()
		}
		return before
	})
	_, err = drawn(t, charts["rows"], odd, Page{})
	refused(t, err, "column score, row 3: NaN cannot be drawn")
	for clauses, fault := range map[string]string{
		"DRAW point FILTER score > 'x'":                                 "mine.sql:7:27: FILTER compares 40 with x",
		"DRAW point\nPLACE text SETTING x => 9, y => 'z', label => 'z'": "mine.sql:8:33: the axis y has no category \"z\"",
		"DRAW histogram SETTING binwidth => 0.000001":                   "mine.sql:7:1: a histogram has at most 10000 bins",
	} {
		_, err := drawn(t, "VISUALISE score AS x, part AS y\n"+clauses, scored(t, "A"), Page{})
		refused(t, err, fault)
	}
	row := func(part string, score any) []any {
		return []any{"a", "A", part, "panel", score, nil, nil, "Simple", "measured"}
	}
	for name, some := range map[string][][]any{"no row": nil, "no value": {row("p", nil)},
		"two axes": {row("p", 1), row("q", 2)}} {
		of := laketest.Rows(t, "x", scored(t).Columns(), some...)
		if _, err := drawn(t, charts["radar"], of, Page{}); !errors.Is(err, rows.ErrNone) {
			t.Errorf("%s gives %v, want an ErrNone", name, err)
		}
	}
}

// Names of places that have no room beside each other stand in two lines in turn.
func TestNamesOfPlacesHaveRoom(t *testing.T) {
	for room, want := range map[vg.Length]string{300: "Short|Simple|Hinted", 90: "Short|\nSimple|Hinted"} {
		p, c := newPlot(), &chart{x: []string{"Short", "Simple", "Hinted"}, Plot: &ggsql.Plot{}}
		c.axis(&p.X, "x", 0, room)
		var names []string
		for _, tick := range p.X.Tick.Marker.Ticks(0, 3) {
			names = append(names, tick.Label)
		}
		expect.Equal(t, strings.Join(names, "|"), want, room)
	}
	left := ggsql.Layer{Form: "text", Setting: map[string]ggsql.Value{"hjust": {Text: "left"}}}
	c := &chart{panels: []string{"P", "Q"}, layers: []layer{{left, []mark{{panel: 1, label: "a name in Q"}}}}}
	expect.Between(t, c.namesBeside(), 70, 100)
}

// Heads are renamed, a panel without values has the axis of the others, a short logarithmic axis
// and an axis of one value have ticks, and a title that is left out has no line.
func TestWordsOfClauses(t *testing.T) {
	rows := laketest.Rows(t, "x", []string{"name", "panel", "v", "one", "prompt"}, []any{"A", "P", 2.1, 7, ""},
		[]any{"B", "P", 4.9, 7, ""}, []any{"B", "Q", nil, nil, ""})
	for clauses, want := range map[string]string{
		"name AS x, panel AS y\nDRAW tile\nSCALE x RENAMING 'A' => 'first'": "first B P Q",
		"v AS x, name AS y\nDRAW point\nFACET panel SETTING free => 'x'":    "2 3 4 5 P 2 3 4 5 Q A B",
		"v AS x, one AS y\nDRAW point\nSCALE x VIA log10":                   "2.5 3.0 3.5 4.0 4.5 6.0 6.5 7.0 7.5 8.0",
		"v AS x\nDRAW histogram SETTING binwidth => 5\nLABEL y => null":     "0 2 4 6 8 10 0.0 0.2 0.4 0.6 0.8 1.0",
	} {
		got := words(t, must.Get(drawn(t, "VISUALISE "+clauses, rows, Page{Width: 300}))(t))
		expect.Equal(t, strings.Join(got, " "), "Mine SIMULATED – NOT MEASURED "+want, clauses)
	}
	d := page("A title", newPlot())
	_, high := d.Size()
	d.Subtitle = ""
	_, low := d.Size()
	near(t, "the height of a line", float64(high-low), 2+8.5*1.2)
}

// A logarithmic axis of one value is drawn, also with a line that has no place on it; one of a
// zero, which it had endlessly many marks for, is refused.
func TestLogarithmicAxes(t *testing.T) {
	for value, fault := range map[float64]string{1: "", 0: "mine.sql:10:1: 0 has no place on an axis VIA log10",
		-3: "mine.sql:10:1: -3 has no place"} {
		rows := laketest.Rows(t, "x", []string{"x", "prompt", "provenance"}, []any{value, "Simple", "measured"})
		d, err := drawn(t, "VISUALISE\nDRAW rule MAPPING 1 AS y\nDRAW text MAPPING x AS x, x AS y, prompt AS label\n"+
			"DRAW point MAPPING x AS x, x AS y\nSCALE x VIA log10", rows, Page{})
		if fault != "" {
			refused(t, err, fault)
			continue
		}
		must.Succeed(t, err)
		must.Get(d.Encode("svg"))(t)
	}
}

// A card has its picture, or says that there is no picture, and its paragraphs. A picture that
// cannot be read is an error.
func TestCards(t *testing.T) {
	f := must.Get(ggsql.Parse("cards.sql", "", "-- shows: Examples\n-- cards: true\n\nselect * from t\n"))(t)
	columns := []string{"image_id", "heading", "lines", "marked", "foot", "domain", "provenance"}
	rows := laketest.Rows(t, f.Rows(), columns,
		[]any{"a", "What is on the table?", []string{"A. a lamp", "B. a cup"}, 1, "Hardest: 0 of 24 captioners right",
			"Natural", "measured"},
		[]any{"b", "A caption", []string{strings.Repeat("word ", 300)}, nil, "8 of 14 questions right", "Own",
			"measured"})
	pictures := func(id string) (image.Image, error) {
		switch id {
		case "a":
			return image.NewGray(image.Rect(0, 0, 800, 400)), nil
		case "broken":
			return nil, io.ErrUnexpectedEOF
		}
		return nil, nil
	}
	for _, on := range []Page{{}, column} {
		on.Pictures, on.Kinds = pictures, []string{"measured"}
		d := must.Get(Draw(f, rows, on))(t)
		must.Succeed(t, d.Check())
		got := words(t, d)
		for _, want := range []string{"B. a cup", "no picture"} {
			if !slices.Contains(got, want) {
				t.Errorf("%q is not on the cards: %q", want, got)
			}
		}
	}
	broken := laketest.Rows(t, "rows", columns, []any{"broken", "x", []string{}, nil, "x", "Natural", "measured"})
	_, err := Draw(f, broken, Page{Pictures: pictures, Kinds: []string{"measured"}})
	refused(t, err, "picture of broken: unexpected EOF")
}
