package analytics

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// A file that an earlier version wrote lacks the columns that were added since: they are null, and every other query
// works as before.
func TestFilesOfAnEarlierVersionLackColumns(t *testing.T) {
	lake := laketest.New(t)
	var out bytes.Buffer
	for table, columns := range map[string]string{"captions": "'a' as image_id, 'm' as captioner", "marts": "'Simple' as prompt, 'm' as captioner"} {
		name := table + "/old.parquet"
		if table == "marts" {
			name = martFile("captionqa_main")
		}
		if err := lake.PutFile(table+"/made", nil); err != nil { // Makes the folder.
			t.Fatal(err)
		}
		query := "copy (select " + columns + ") to '" + lake.Path(name) + "' (format parquet)"
		if _, err := Query(t.Context(), lake, query, QueryOptions{AllowOutside: true, Format: "csv"}, &out); err != nil {
			t.Fatal(err)
		}
	}
	out.Reset()
	query := "select image_id, captions.captioner, words, overall from captions cross join captionqa_main"
	if _, err := Query(t.Context(), lake, query, QueryOptions{Format: "csv"}, &out); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "image_id,captioner,words,overall\na,m,,\n"; strings.ReplaceAll(got, "\r", "") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Views give a renamed column under its old name too, with those of its interval; the file of the mart has the new names alone.
func TestOldNamesOfColumns(t *testing.T) {
	m, err := ParseModel("m.sql", strings.NewReplacer("[p, q r], ", "", "select 1;", "select 'p' as a, 50.0 as x, 2 as x_se, ['a'] as l, 3 as n, 'no' as o;").Replace(goodModel))
	must.Succeed(t, err)
	lake := laketest.New(t)
	if _, err := Build(t.Context(), lake, []Model{m}, RunOptions{}); err != nil {
		t.Fatal(err)
	}
	e := testEngine(t, engineConfig{folders: []string{lake.Dir()}})
	must.Succeed(t, e.createViews(t.Context(), quote(lake.Dir()+"/"), []relation{martRelation(m)}))
	_, rows, err := e.strings(t.Context(), "select x = y and x_se = y_se and x_low = y_low and x_high = y_high from m", 0)
	if err != nil || rows[0][0] != "true" {
		t.Error(rows, err)
	}
	columns, _, err := e.strings(t.Context(), "select * from read_parquet("+quote(lake.Path(martFile("m")))+")", 0)
	if got := strings.Join(columns, " "); err != nil || got != "a x x_se x_low x_high l n o" {
		t.Error(got, err)
	}
}

// Models and shortcuts read columns by the names that they have now: without the old ones, every model can be built.
func TestModelsReadNoOldNames(t *testing.T) {
	e := testEngine(t, engineConfig{})
	loadFixture(t, e, &txtar.Archive{})
	models, err := Models()
	must.Succeed(t, err)
	old := 0
	for _, m := range models {
		m.Columns = slices.Clone(m.Columns)
		for i := range m.Columns {
			if m.Columns[i].Was != "" {
				old++
			}
			m.Columns[i].Was = ""
		}
		buildModel(t, e, m)
	}
	if old == 0 {
		t.Error("no column has an old name: this test and the aliases of views can go")
	}
	must.Succeed(t, e.exec(t.Context(), "alter table runs add column current boolean"))
	for _, s := range Shortcuts() {
		if err := e.exec(t.Context(), s.statement()); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}
