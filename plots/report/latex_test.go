package report

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

// The document compiles, with tables of every shape and with hostile names.
func TestDocumentCompiles(t *testing.T) {
	laketest.Slow(t, "runs pdflatex")
	program, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not installed")
	}
	r := build(t, small(t), Options{})
	r.Files = slices.DeleteFunc(r.Files, func(f File) bool { return f.Name == documentName })
	prose := &Grid{Name: "prose", Title: "Sentences",
		Columns: []sql.Column{{Name: "a", Head: "Where"}, {Name: "b", Head: "What", Prose: true},
			{Name: "c", Head: "Value", Decimals: new(2)}}}
	prose.Sections = []Section{{Head: strings.Repeat("A heading that is longer than the table is wide ", 6)}}
	for range 60 {
		prose.Sections[0].Rows = append(prose.Sections[0].Rows,
			[]Cell{{Text: evil}, {Text: strings.Repeat("sentence after sentence ", 20) + strings.Repeat("x", 80)},
				{Value: num(1), Low: num(0.5), High: num(3)}})
	}
	for _, g := range []*Grid{prose, smallGrid(), longGrid(120, 2), longGrid(7, 30), longGrid(90, 9)} {
		g.print()
		g.Name += strconv.Itoa(len(r.Files))
		r.Files = append(r.Files, File{Name: "tables/" + g.Name + ".tex", Content: []byte(must.Get(g.LaTeX())(t))})
	}
	dir := cmp.Or(os.Getenv("PLOTS_OUT"), t.TempDir())
	for _, f := range append(r.Files, File{Name: documentName, Content: []byte(must.Get(r.document())(t))}) {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Write(t, path, f.Content)
	}
	run := exec.CommandContext(t.Context(), program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape",
		documentName)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out[max(0, len(out)-3000):])
	}
}

// A mart's base tables include the base tables of the marts that it is built from.
func TestBaseTables(t *testing.T) {
	marts := map[string]sql.Mart{
		"sums":  {Name: "sums", Inputs: "answers=1 questions=2"},
		"board": {Name: "board", Inputs: "sums=3 published=4 answers=1"},
		"alone": {Name: "alone"},
	}
	for mart, want := range map[string][]string{"board": {"answers", "published", "questions"},
		"sums": {"answers", "questions"}, "alone": nil} {
		expect.Equal(t, baseTables(mart, marts), want, mart)
	}
}

// The document of all tables takes in each .tex file of the report once, and nothing else.
func TestDocumentOfAllTables(t *testing.T) {
	r := build(t, small(t), Options{})
	document := content(t, r, documentName)
	for _, f := range r.Files {
		if strings.HasSuffix(f.Name, ".tex") && f.Name != documentName &&
			strings.Count(document, "\\input{"+f.Name+"}\\clearpage\n") != 1 {
			t.Errorf("the document does not take in %s once", f.Name)
		}
	}
	// A letter that pdfLaTeX lacks gets a stand-in; the report's names have one.
	expect.Contains(t, document, "  \\unlessknown{6A21}{模}\n", "\\unlessknown{FFFD}{\uFFFD}")
	expect.Lacks(t, document, "unlessknown{00E9}")
	if n := strings.Count(document, "\\input{"); n != strings.Count(document, "\\input{tables/")+strings.Count(document,
		"\\input{figures/") || n == 0 {
		t.Errorf("the document takes in %d files", n)
	}
}
