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

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// The document compiles, with tables of every shape and with hostile names.
func TestDocumentCompiles(t *testing.T) {
	laketest.Slow(t, "runs pdflatex")
	program, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not installed")
	}
	r := build(t, small(t), Options{})
	r.files = slices.DeleteFunc(r.files, func(f File) bool { return f.Name == documentName })
	prose := &Grid{Name: "prose", Title: "Sentences", Columns: []Column{{ID: "a", Head: "Where", Decimals: -1}, {ID: "b", Head: "What", Decimals: -1, Prose: true}, {ID: "c", Head: "Value", Decimals: 2}}}
	prose.Sections = []Section{{Head: strings.Repeat("A heading that is longer than the table is wide ", 6)}}
	for range 60 {
		prose.Sections[0].Rows = append(prose.Sections[0].Rows, []Cell{{Text: evil}, {Text: strings.Repeat("sentence after sentence ", 20) + strings.Repeat("x", 80)}, {Value: num(1), Low: num(0.5), High: num(3)}})
	}
	prose.settle()
	for _, g := range []*Grid{prose, smallGrid(), longGrid(120, 2), longGrid(7, 30), longGrid(90, 9)} {
		g.Name += strconv.Itoa(len(r.files))
		r.files = append(r.files, File{Name: "tables/" + g.Name + ".tex", Content: []byte(g.LaTeX("simulated"))})
	}
	dir := cmp.Or(os.Getenv("PLOTS_OUT"), t.TempDir())
	for _, f := range append(r.files, File{Name: documentName, Content: r.document()}) {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Succeed(t, os.WriteFile(path, f.Content, 0o644))
	}
	run := exec.CommandContext(t.Context(), program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", documentName)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out[max(0, len(out)-3000):])
	}
}
