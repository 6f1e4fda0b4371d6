package site

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/data"
	lakefiles "github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/sql"
)

// evil is a name that would be markup, script, LaTeX and orders to a terminal where it is not shown
// as text.
const evil = "<img src=x onerror=alert(1)><script>document.title='hit'</script>'\"&{{.}}\\input{x} " +
	"\x1b[31mred\u202egnp.js"

// fakeSource holds marts, and rows of SELECTs by the names of their files.
type fakeSource struct {
	t           testing.TB
	marts, rows map[string]*rows.Rows
}

func (s fakeSource) Marts(context.Context, []string) ([]sql.Mart, error) {
	var out []sql.Mart
	for _, name := range slices.Sorted(maps.Keys(s.marts)) {
		mart := sql.Mart{Name: name, What: "what " + name + " is " + evil, Source: "a <paper>",
			Fingerprint: data.Fingerprint(name), ToolVersion: "1", Inputs: "answers=1 captionqa_gap=2",
			Rows: int64(s.marts[name].Len()), SQL: "-- what: " + name + "\nselect '</code><script>'"}
		for _, column := range s.marts[name].Columns() {
			mart.Columns = append(mart.Columns,
				sql.MartColumn{Name: column, Type: "DOUBLE", Unit: "percent", What: "meaning of " + column + " " + evil})
		}
		out = append(out, mart)
	}
	return out, nil
}

func (s fakeSource) Rows(_ context.Context, name, _ string, _ ...string) (*rows.Rows, error) {
	if found := s.rows[name]; found != nil {
		return found, nil
	}
	return laketest.Rows(s.t, "none", []string{"provenance"}), nil
}

func (fakeSource) Images(context.Context) ([]data.Image, error) { return nil, nil }
func (fakeSource) Open(string) (lakefiles.File, error)          { return nil, fs.ErrNotExist }
func (fakeSource) Samples(context.Context, string, string, int, int, func(arrow.RecordBatch) error) error {
	return nil
}

// small is a lake with printed scores of two captioners, measured ones of one that has an evil
// name, and simulated ones: the marts and rows of testdata.
func small(t testing.TB) fakeSource {
	t.Helper()
	s := fakeSource{t, map[string]*rows.Rows{}, map[string]*rows.Rows{}}
	for _, path := range must.Get(filepath.Glob("testdata/*.txtar"))(t) {
		for _, f := range must.Get(txtar.ParseFile(path))(t).Files {
			var columns []string
			var all [][]any
			d := json.NewDecoder(bytes.NewReader(f.Data))
			for must.Succeed(t, d.Decode(&columns)); d.More(); {
				var row []any
				must.Succeed(t, d.Decode(&row))
				all = append(all, row)
			}
			of := s.marts
			if strings.Contains(f.Name, "/") {
				of = s.rows
			}
			of[f.Name] = laketest.Rows(t, f.Name, columns, all...)
		}
	}
	for _, mart := range []string{"captionqa_ranks", "captionqa_differences", "boards"} {
		s.marts[mart] = laketest.Rows(t, mart, nil)
	}
	for _, f := range must.Get(ggsql.All())(t) {
		for _, mart := range f.Reads {
			if s.marts[mart] == nil && f.Form == "page" {
				s.marts[mart] = laketest.Rows(t, mart, []string{"domain", "bank", "provenance"})
			}
		}
		found := s.rows[f.Rows()]
		for _, c := range f.Columns {
			for _, column := range []string{c.Name, c.Across} {
				if found != nil && column != "" && !found.Has(column) {
					found = found.Set(column, func(int, any) any { return nil })
				}
			}
		}
		s.rows[f.Rows()] = found
	}
	return s
}

// around is a site with the report that it is around.
type around struct {
	*Site
	report *report.Report
}

// said is what the site says above its pages.
func said() string { return "12 answers count in no result " + evil }

// built is the site of the small lake; drawing its figures takes seconds, so tests share it.
var built = sync.OnceValues(func() (around, error) {
	s := small(quiet{})
	r, err := report.Build(context.Background(), s, report.Options{})
	if err != nil {
		return around{}, err
	}
	site, err := Build(context.Background(), s, r, Options{Links: []Link{{"sql/", "SQL"}}, Note: said})
	return around{site, r}, err
})

// quiet is a test for work that no test owns.
type quiet struct{ testing.TB }

func (quiet) Helper()           {}
func (quiet) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func smallSite(t *testing.T) around {
	t.Helper()
	s := must.Get(built())(t)
	return s
}
