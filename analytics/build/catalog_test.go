package build

import (
	database "database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/dictionary"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

// answersHeader is the first line of a file of answers.
const answersHeader = "protocol,reader,evidence,captioner,prompt,question_id,image_id,domain,category,options," +
	"offers_cannot,outcome,score,provenance\n"

// fourDomains is a captioner with one correct answer in each domain.
func fourDomains() *txtar.Archive {
	return txtar.Parse([]byte("-- in/answers.csv --\n" + answersHeader +
		`p,r,caption,m,Simple,q1,i1,Natural,c,4,true,correct,1,simulated
p,r,caption,m,Simple,q2,i2,Document,c,4,true,correct,1,simulated
p,r,caption,m,Simple,q3,i3,E-commerce,c,4,true,correct,1,simulated
p,r,caption,m,Simple,q4,i4,Embodied AI,c,4,true,correct,1,simulated
`))
}

// catalogOpensAnywhere opens the lake's DuckDB file as the plain shell does: in the lake,
// elsewhere, after moving the lake, and attached to another session.
func catalogOpensAnywhere(t *testing.T, lake *data.Lake) {
	const query = `select (select count(*) from answers) + (select count(*) from captionqa_ranks) + (select count(*)
		from votes)
		+ (select count(*) from answers_wide) + (select count(*) from leaderboard('simple')) + (select count(*)
		from hardest(5))
		+ (select count(*) from versus('m', 'm')) + (select count(*) from gap('m')) + (select count(*)
		from spent()) + (select max_over(1, true)) as n`
	open := func(folder, file, setup string) string {
		t.Helper()
		t.Chdir(folder)
		e := plainDuckDB(t, file)
		if setup != "" {
			must.Succeed(t, e.Exec(t.Context(), setup))
		}
		_, rows, err := e.Strings(t.Context(), query)
		return fmt.Sprint(err, rows)
	}
	parent, name := filepath.Split(lake.Dir())
	elsewhere := t.TempDir()
	attach := func(folder string) string {
		return "attach " + sql.Quote(filepath.Join(folder, CatalogFile)) + " as lake (read_only); use lake"
	}
	check := func(what, got string) {
		t.Helper()
		// two answers, six rows of a mart, two rows of answers_wide, one and two rows of macros, and a
		// macro of figures
		expect.Equal(t, got, "<nil> [[14]]", what)
	}
	check("in the lake", open(lake.Dir(), CatalogFile, ""))
	check("beside the lake", open(parent, filepath.Join(name, CatalogFile), ""))
	check("elsewhere", open(elsewhere, filepath.Join(lake.Dir(), CatalogFile), ""))
	check("attached in the lake", open(lake.Dir(), "", attach(lake.Dir())))
	check("attached elsewhere with the variable",
		open(elsewhere, "", "set variable captionlake = "+sql.Quote(lake.Dir()+"/")+"; "+attach(lake.Dir())))
	expect.Contains(t, open(elsewhere, "", attach(lake.Dir())), "No files found")
	moved := filepath.Join(elsewhere, "moved")
	copyLake(t, lake.Dir(), moved)
	must.Succeed(t, os.Rename(lake.Path("answers"), lake.Path("hidden")))
	defer func() { must.Succeed(t, os.Rename(lake.Path("hidden"), lake.Path("answers"))) }()
	check("moved", open(elsewhere, filepath.Join("moved", CatalogFile), ""))
	check("moved, in the lake", open(moved, CatalogFile, ""))
}

// TestAwkwardFolder has a lake in a folder whose name holds pattern characters, signs of addresses,
// quotes and a space.
func TestAwkwardFolder(t *testing.T) {
	laketest.Slow(t, "builds all marts in folders with awkward names")
	lake := laketest.At(t, filepath.Join(t.TempDir(), `it's [1] a*lake? "50%" #2; x`))
	addRows(t, lake, data.Answers, "a", answer("m", "Natural", "q1"))
	for _, state := range []string{StateBuilt, StateUnchanged} {
		reports, err := Analyze(t.Context(), lake, Options{})
		if main := reportOf(reports, "captionqa_ranks"); err != nil || main.State != state || main.Rows != 2 {
			t.Fatalf("%+v %v", reports, err)
		}
	}
	expect.Equal(t, asked(t, lake, "csv", "select count(*) as n from answers"), "n\n1\n")
	if got := asked(t, lake, "parquet", "select 1 as n"); !strings.HasPrefix(got, "PAR1") {
		t.Errorf("parquet: %q", got)
	}
	t.Chdir(lake.Dir()) // DuckDB takes the ? for the end of a longer name.
	e := plainDuckDB(t, CatalogFile)
	expect.Equal(t, selected(t, e, "select captioner from captionqa_ranks")[0][0], "m")
}

// plainDuckDB opens a database as a shell would, without any of our settings.
func plainDuckDB(t *testing.T, file string) *engine.Engine {
	t.Helper()
	db := must.Get(database.Open("duckdb", file))(t)
	t.Cleanup(func() { _ = db.Close() })
	e := &engine.Engine{Conn: must.Get(db.Conn(t.Context()))(t)}
	t.Cleanup(func() { must.Succeed(t, e.Close()) })
	return e
}

func copyLake(t *testing.T, from, to string) {
	t.Helper()
	must.Succeed(t, os.CopyFS(to, os.DirFS(from)))
}

// TestCatalogIsMadeWhenItDiffers looks at when the DuckDB file is written: not after units were
// added or removed, but after a table got its first rows, or somebody changed the file.
func TestCatalogIsMadeWhenItDiffers(t *testing.T) {
	lake := laketest.New(t)
	for _, step := range []struct {
		name string
		do   func()
		made bool
	}{
		{"first", func() {}, true},
		{"again", func() {}, false},
		{"first rows", func() { addRows(t, lake, data.Models, "one", data.Model{ModelID: "m-1"}) }, true},
		{"more rows", func() { addRows(t, lake, data.Models, "two", data.Model{ModelID: "m-2"}) }, false},
		{"fewer rows", func() { must.Succeed(t, lake.Remove(stem("models", "one"))) }, false},
		{"another file", func() {
			must.Write(t, lake.Path(CatalogFile), "")
		}, true},
		{"a session's log", func() {
			must.Write(t, lake.Path(CatalogFile+".wal"), "")
		}, true},
	} {
		step.do()
		if catalogIsCurrent(lake,
			catalogStatements(must.Get(engine.Relations(lake, "", sqlmodel.CatalogNames()))(t),
				must.Get(sqlmodel.ShortcutsOver(lake))(t))) == step.made {
			t.Errorf("%s: the file is made: %v, want %v", step.name, !step.made, step.made)
		}
		must.Succeed(t, WriteCatalog(t.Context(), lake, engine.Options{}))
	}
}

// catalogComments counts the comments of the lake's DuckDB file.
func catalogComments(t *testing.T, lake *data.Lake) {
	e := plainDuckDB(t, lake.Path(CatalogFile))
	models := sqlmodel.All()
	docs := must.Get(dictionary.Tables())(t)
	want := len(data.Tables()) + len(models)
	columns := 1 // current of runs
	macros := 0
	for _, s := range sqlmodel.Shortcuts() {
		if s.IsMacro() {
			macros++
			continue
		}
		want++
		columns += len(s.Columns)
		for _, m := range sqlmodel.Named([]string{s.Like}) {
			columns += len(m.Columns)
		}
	}
	for _, d := range docs {
		columns += len(d.Columns)
		if !slices.ContainsFunc(d.Columns, func(c dictionary.Column) bool { return c.Name == sqlmodel.UnitColumn }) {
			columns++ // the unit
		}
	}
	for _, m := range models {
		columns += len(m.Columns)
	}
	for _, c := range []struct {
		query string
		want  int
	}{
		{"select count(*) from duckdb_views() where not internal and comment <> ''", want},
		{"select count(*) from duckdb_columns() where not internal and comment <> ''", columns},
		{"select count(*) from duckdb_functions() where not internal and comment like 'Shortcut: %'", macros},
	} {
		expect.Equal(t, selected(t, e, c.query)[0][0], fmt.Sprint(c.want), c.query)
	}
	rows := selected(t, e,
		"select comment from duckdb_columns() where table_name = 'captionqa_ranks' and column_name = 'rank'")
	if len(rows) != 1 || !strings.HasSuffix(rows[0][0], "(rank)") {
		t.Errorf("comment of a mart's column: %v", rows)
	}
}

// TestAnalyzedLake looks at one lake in several ways, because computing all marts takes seconds.
func TestAnalyzedLake(t *testing.T) {
	lake := laketest.New(t)
	addRows(t, lake, data.Answers, "a", answer("m", "Natural", "q1"), answer("m", "Document", "q2"))
	reports, err := Analyze(t.Context(), lake, Options{})
	must.Succeed(t, err)
	must.Equal(t, len(reports), len(sqlmodel.All()))
	for name, test := range map[string]func(*testing.T, *data.Lake){
		"reader": readerOfMarts, "comments": catalogComments, "catalog": catalogOpensAnywhere,
	} {
		t.Run(name, func(t *testing.T) { test(t, lake) })
	}
}

// A reader of an analyzed lake lists the marts with the fingerprint of their run, and gives their
// rows typed and in the order of the file.
func readerOfMarts(t *testing.T, lake *data.Lake) {
	r := must.Get(ask.OpenReader(t.Context(), lake, engine.Options{}))(t)
	defer r.Close()
	marts, err := r.Marts(t.Context(), sql.Names())
	must.Succeed(t, err)
	models := sqlmodel.All()
	expect.Equal(t, len(marts), len(models))
	i := slices.IndexFunc(marts, func(m sql.Mart) bool { return m.Name == "captionqa_scores" })
	if i < 0 {
		t.Fatal("captionqa_scores is not listed")
	}
	if m := marts[i]; m.Rows != 5 || len(m.Fingerprint) != 64 || m.ToolVersion != data.Version || m.What == "" ||
		m.Source == "" || m.Inputs == "" {
		t.Errorf("captionqa_scores is listed as %+v", m)
	}
	scores := must.Get(r.Rows(t.Context(), "captionqa_scores", "from captionqa_scores"))(t)
	numbers := scores.Numbers("score")
	if domains := scores.Text("domain"); fmt.Sprint(domains) != "[Document Natural Document Natural Document, "+
		"Natural]" || !numbers[0].Valid || scores.Err != nil {
		t.Errorf("domains %v, scores %v, %v", domains, numbers, scores.Err)
	}
}
