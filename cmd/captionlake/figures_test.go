package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/sql"
)

// dot is a point of an SVG: its right end and its radius.
var dot = regexp.MustCompile(`M([\d.]+),([\d.]+)A2.3,2.3`)

// The points of every figure of sql/figures lie where its SELECT has them: read back from the SVG, page and value differ by one scale.
func TestFiguresDrawTheirRows(t *testing.T) {
	lake, err := data.Open(demoLake(t))
	must.Succeed(t, err)
	defer lake.Close()
	files, err := ggsql.All(sql.Shown())
	must.Succeed(t, err)
	drawn := 0
	for _, f := range files {
		plot, err := f.Plot()
		must.Succeed(t, err)
		if plot == nil {
			continue
		}
		query, err := f.Select(nil)
		must.Succeed(t, err)
		var rows bytes.Buffer
		_, err = analytics.Query(t.Context(), lake, query, analytics.QueryOptions{Format: "json", Rows: -1}, &rows)
		must.Succeed(t, f.Located(err))
		all, err := plots.ReadJSON(f.Rows(), rows.Bytes())
		must.Succeed(t, err)
		for _, kind := range data.Provenances() {
			ts := plots.Tables{f.Rows(): all}.Only(kind)
			if len(ts) == 0 || all.Len() == 0 {
				continue
			}
			figure, err := plots.FileFigure(f)
			must.Succeed(t, err)
			d, err := figure.Draw(ts, plots.Page{})
			must.Succeed(t, err)
			picture, err := d.Encode("svg")
			must.Succeed(t, err)
			drawn++
			var places [2][]float64
			for _, m := range dot.FindAllStringSubmatch(string(picture), -1) {
				for k := range places {
					at, err := strconv.ParseFloat(m[k+1], 64)
					must.Succeed(t, err)
					places[k] = append(places[k], at)
				}
			}
			for k, axis := range []string{"x", "y"} {
				if err := oneScale(ts[f.Rows()], f, plot, axis, places[k]); err != nil {
					t.Errorf("%s, %s rows: %v", f.Name, kind, err)
				}
			}
		}
	}
	if drawn < 10 {
		t.Errorf("%d figures are drawn", drawn)
	}
}

// ggsql itself executes the clauses of each figure on the rows of its SELECT.
func TestGgsqlExecutesFigures(t *testing.T) {
	laketest.Slow(t, "installs ggsql from PyPI")
	lake, err := data.Open(demoLake(t))
	must.Succeed(t, err)
	defer lake.Close()
	files, err := ggsql.All(sql.Shown())
	must.Succeed(t, err)
	folder, figures := t.TempDir(), 0
	for _, f := range files {
		clauses := f.Clauses()
		if clauses == "" {
			continue
		}
		query, err := f.Select(nil)
		must.Succeed(t, err)
		var rows bytes.Buffer
		_, err = analytics.Query(t.Context(), lake, query, analytics.QueryOptions{Format: "json", Rows: -1}, &rows)
		must.Succeed(t, err)
		if rows.Len() > len("[]\n") {
			figures++
			must.Succeed(t, os.WriteFile(filepath.Join(folder, f.Name+".sql"), []byte(clauses), 0o666))
			must.Succeed(t, os.WriteFile(filepath.Join(folder, f.Name+".json"), rows.Bytes(), 0o666))
		}
	}
	script, err := filepath.Abs(filepath.Join("testdata", "figures_ggsql.py"))
	must.Succeed(t, err)
	if refused := runScript(t, script, folder); refused != "" || figures < 30 {
		t.Errorf("of %d figures ggsql refuses:\n%s", figures, refused)
	}
}

// oneScale holds the places of points, panel by panel, against the numbers of the rows.
func oneScale(t *plots.Table, f *ggsql.File, plot *ggsql.Plot, axis string, places []float64) error {
	columns := t.Columns()
	cell := func(row int, column string) any {
		if k := slices.Index(columns, column); k >= 0 {
			return t.Row(row)[k]
		}
		return ""
	}
	var panels []any
	for i := range t.Len() {
		if v := cell(i, plot.Facet.Column.Column); !slices.Contains(panels, v) {
			panels = append(panels, v)
		}
	}
	for _, panel := range panels {
		var values []float64
		for _, l := range plot.Layers {
			for i := range t.Len() {
				n, ok := cell(i, l.Mapping[axis].Column).(float64)
				if l.Form == "point" && ok && cell(i, plot.Facet.Column.Column) == panel && (f.One == "" || cell(i, f.One) == "Simple") {
					if plot.Scales[axis].Via == "log10" {
						n = math.Log10(n)
					}
					values = append(values, n)
				}
			}
		}
		if len(values) == 0 {
			continue // an axis of categories
		}
		if len(places) < len(values) {
			return fmt.Errorf("%d points for %d values in %v", len(places), len(values), panel)
		}
		least, most := slices.Index(values, slices.Min(values)), slices.Index(values, slices.Max(values))
		scale := (places[most] - places[least]) / max(values[most]-values[least], 1e-9)
		for i, v := range values {
			if want := places[least] + (v-values[least])*scale; math.Abs(places[i]-want) > 0.02 {
				return fmt.Errorf("%v of %v is drawn at %.2f on %s, and belongs to %.2f", v, panel, places[i], axis, want)
			}
		}
		places = places[len(values):]
	}
	return nil
}
