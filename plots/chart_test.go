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

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// column is a column of a paper of two columns.
var column = Page{Width: 237.6, Bare: true} // 3.3 inches

// table builds a table or fails the test.
func table(t testing.TB, name string, columns []string, rows ...[]any) *Table {
	t.Helper()
	out := must.Get(NewTable(name, columns...))(t)
	for _, r := range rows {
		must.Succeed(t, out.Append(r...))
	}
	return out
}

// page wraps a plot in a drawing as figures do.
func page(title string, p *plot.Plot) *Drawing {
	return &Drawing{Title: title, Subtitle: "Rows made for a test.", Source: "a generator with a fixed seed", Provenance: []string{"simulated"},
		Page: Page{Width: 360}, Height: 200, Body: func(c draw.Canvas) { p.Draw(c) }}
}

// scored are rows of captioners in parts, of two panels each.
func scored(t *testing.T, captioners ...string) *Table {
	t.Helper()
	out := table(t, "files/mine", []string{"captioner", "captioner_name", "part", "panel", "score", "low", "high", "prompt", "provenance"})
	for i, c := range captioners {
		for k, part := range []string{"Spatial", "Textual Elements in Image", "Functional and Semantic Understanding", "Scene"} {
			for p, panel := range []string{"Overall", "Natural"} {
				s := 40 + 9*float64(i) + 3*float64(k) + float64(p)
				must.Succeed(t, out.Append(fmt.Sprint("id-", i), c, part, panel, s, s-2, s+2, "Simple", "simulated"))
			}
		}
	}
	return out
}

// drawn draws rows as clauses say.
func drawn(t *testing.T, clauses string, rows *Table, on Page) (*Drawing, error) {
	t.Helper()
	f := must.Get(ggsql.Parse("mine.sql", "", "-- shows: Mine\n-- one: prompt\n\nselect * from t\n\n"+clauses+"\nLABEL title => 'Mine'\n"))(t)
	figure := must.Get(FileFigure(f))(t)
	named := *rows
	named.name = f.Rows()
	if on.Kinds == nil {
		on.Kinds = []string{"simulated"}
	}
	return figure.Draw(Tables{f.Rows(): &named}, on)
}

// words are the texts of a drawing.
func words(t *testing.T, d *Drawing) (out []string) {
	t.Helper()
	labels := must.Get(d.Labels())(t)
	for _, l := range labels {
		out = append(out, l.Text)
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
	"slopes": `VISUALISE panel AS x, score AS y
DRAW line PARTITION BY captioner, part
SCALE y SETTING reverse => true`,
	"logarithm": `VISUALISE low AS x, high AS y
DRAW line PARTITION BY captioner
SCALE x VIA log10`,
}

// Every form of chart has its labels on the page and apart, in full width and in a column of a paper; the same rows give the same bytes;
// names from outside, which are not to be trusted, become text.
func TestCharts(t *testing.T) {
	hostile := []string{"<script>alert(1)</script><text ", "a\x00\x1b[31m\r\nb", strings.Repeat("very long ", 100), "模型-7B", "]]>&amp;\"'"}
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
					if !bytes.Equal(once, again) {
						t.Errorf("%s: two renderings as %s differ", name, format)
					}
					switch format {
					case "svg":
						if wellFormed(t, once); bytes.Contains(once, []byte("<script")) {
							t.Error("a name became an element of the SVG")
						}
					case "pdf":
						if !bytes.HasPrefix(once, []byte("%PDF-")) || !bytes.Contains(once, []byte("D:20000101000000")) {
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

// Points are at the ticks of their values, 2.3 left of where their circles begin, in the order of their rows.
func TestPointsAreAtTheirValues(t *testing.T) {
	for y, want := range map[string]string{
		"name": "M159.19,78A2.3 M33.077,64A2.3 M285.3,50A2.3 M30.777,41L30.777,38 >20< M156.89,41L156.89,38 >40< M283,41L283,38 >60<",
		"v": ">20< >40< >60< M38.768,35.82L38.768,38.82 M157.63,35.82L157.63,38.82 M276.49,35.82L276.49,38.82 >20< >40< >60< M23.731,47.84L26.731,47.84 " +
			"M23.731,132.46L26.731,132.46 M23.731,217.07L26.731,217.07 M159.93,132.46A2.3 M41.068,47.84A2.3 M278.79,217.07A2.3",
	} {
		rows := table(t, "x", []string{"name", "v", "prompt", "provenance"},
			[]any{"A", 40, "", "measured"}, []any{"B", 20, "", "measured"}, []any{"C", 60, "", "measured"})
		svg := must.Get(must.Get(drawn(t, "VISUALISE v AS x, "+y+" AS y\nDRAW point", rows, Page{Width: 300}))(t).Encode("svg"))(t)
		var found bool
		for _, part := range strings.Fields(want) {
			if _, svg, found = bytes.Cut(svg, []byte(part)); !found {
				t.Errorf("over %s there is no %s", y, part)
			}
		}
	}
}

// Two captioners of one name are told apart by their ids. Of the prompts that of the first row is drawn.
func TestNamesOfCaptioners(t *testing.T) {
	rows := scored(t, "Same", "Same", "Other", "Long")
	for _, row := range rows.rows[24:] {
		row[7] = "Long"
	}
	got := words(t, must.Get(drawn(t, charts["rows"], rows, Page{}))(t))
	for word, want := range map[string]bool{"id-0": true, "id-1": true, "Same": false, "Other": true, "Long": false} {
		if slices.Contains(got, word) != want {
			t.Errorf("two captioners of one name are written %v", got)
		}
	}
}

// A bare page is as wide as asked for, says neither title nor source, and still says that rows are simulated.
func TestBarePage(t *testing.T) {
	d := must.Get(drawn(t, charts["rows"], scored(t, "A", "B"), column))(t)
	if w, h := d.Size(); w != column.Width || h <= d.Height {
		t.Errorf("the page measures %v by %v, the body is %v high", w, h, d.Height)
	}
	if got := words(t, d); slices.Contains(got, "Mine") || !slices.Contains(got, "SIMULATED – NOT MEASURED") {
		t.Errorf("the page says %q", got)
	}
	if title, caption := d.Caption(); title != "Mine" || !strings.Contains(caption, "95% intervals") || !strings.Contains(caption, "SIMULATED") {
		t.Errorf("the caption is %q, %q", title, caption)
	}
}

// What cannot be drawn says why; what has too little to draw is an ErrNoRows, so that a report goes on without it.
func TestChartRefusals(t *testing.T) {
	_, err := drawn(t, "VISUALISE accuracy AS x, part AS y\nDRAW point", scored(t, "A"), Page{})
	refused(t, err, "mine.sql:6:11: the SELECT has no column accuracy; it has captioner")
	bare := table(t, "x", []string{"part", "score", "prompt"}, []any{"a", 1, "Simple"})
	d := must.Get(drawn(t, "VISUALISE score AS x, part AS y\nDRAW point", bare, Page{}))(t)
	if _, caption := d.Caption(); !strings.Contains(caption, "SIMULATED") {
		t.Errorf("the caption is %q; the rows are stamped as what the lake's are, not as a column says", caption)
	}
	odd := scored(t, "A")
	odd.rows[2][4] = math.NaN()
	_, err = drawn(t, charts["rows"], odd, Page{})
	refused(t, err, "column score, row 3: NaN cannot be drawn")
	row := func(part string, score any) []any {
		return []any{"a", "A", part, "panel", score, nil, nil, "Simple", "measured"}
	}
	for name, rows := range map[string][][]any{"no row": nil, "no value": {row("p", nil)}, "two axes": {row("p", 1), row("q", 2)}} {
		of := table(t, "x", scored(t).Columns(), rows...)
		if _, err := drawn(t, charts["radar"], of, Page{}); !errors.Is(err, ErrNoRows) {
			t.Errorf("%s gives %v, want an ErrNoRows", name, err)
		}
	}
}

// A logarithmic axis of one value is drawn; one of a zero, which it had endlessly many marks for, is refused.
func TestLogarithmicAxes(t *testing.T) {
	for value, fault := range map[float64]string{1: "", 0: "mine.sql:8:1: 0 has no place on an axis VIA log10", -3: "mine.sql:8:1: -3 has no place"} {
		rows := table(t, "x", []string{"x", "prompt", "provenance"}, []any{value, "Simple", "measured"})
		d, err := drawn(t, "VISUALISE x AS x, x AS y\nDRAW point\nSCALE x VIA log10", rows, Page{})
		if fault != "" {
			refused(t, err, fault)
			continue
		}
		must.Succeed(t, err)
		must.Get(d.Encode("svg"))(t)
	}
}

// A card has its picture, or says that there is none, and its paragraphs. A picture that cannot be read is an error.
func TestCards(t *testing.T) {
	f := must.Get(ggsql.Parse("cards.sql", "", "-- shows: Examples\n-- cards: true\n\nselect * from t\n"))(t)
	figure, err := FileFigure(f)
	must.Succeed(t, err)
	rows := table(t, f.Rows(), []string{"image_id", "heading", "lines", "marked", "foot", "domain", "provenance"},
		[]any{"a", "What is on the table?", []any{"A. a lamp", "B. a cup"}, 1, "Hardest: 0 of 24 captioners right", "Natural", "measured"},
		[]any{"b", "A caption", []any{strings.Repeat("word ", 300)}, nil, "8 of 14 questions right", "Own", "measured"})
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
		d := must.Get(figure.Draw(Tables{f.Rows(): rows}, on))(t)
		if err := d.Check(); err != nil {
			t.Error(err)
		}
		got := words(t, d)
		for _, want := range []string{"B. a cup", "no picture"} {
			if !slices.Contains(got, want) {
				t.Errorf("%q is not on the cards: %q", want, got)
			}
		}
	}
	must.Succeed(t, rows.Append("broken", "x", nil, nil, "x", "Natural", "measured"))
	_, err = figure.Draw(Tables{f.Rows(): rows}, Page{Pictures: pictures, Kinds: []string{"measured"}})
	refused(t, err, "picture of broken: unexpected EOF")
}
