package data

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// What names a benchmark, one of its domains, prompts or protocols is written here and nowhere
// else, and nobody else lists provenances or evidences: a list of one's own would miss what a user
// adds, and a new benchmark.
func TestNamesOfBenchmarksAreWrittenOnce(t *testing.T) {
	t.Parallel()
	where := map[string]string{}
	for _, b := range Benchmarks() {
		where[b.Name], where[b.Title] = "the name of a benchmark", "the title of a benchmark"
		for _, d := range b.DomainNames() {
			where[d] = "a domain"
		}
		for _, p := range b.Prompts {
			where[p] = "a caption prompt"
		}
		for _, p := range b.Protocols {
			where[p] = "a protocol"
		}
	}
	lists := append(Provenances(), captionqa.Evidences()...)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != ".." &&
			(d.Name() == "data" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "testdata")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && where[text] != "" {
					t.Errorf("%s: %s is %s; take it from package data", files.Position(n.Pos()), n.Value, where[text])
				}
			case *ast.CompositeLit:
				listed := 0
				for _, e := range n.Elts {
					if lit, ok := e.(*ast.BasicLit); ok && slices.Contains(lists, strings.Trim(lit.Value, "`\"")) {
						listed++
					}
				}
				if listed > 1 {
					t.Errorf("%s: a list of provenances or evidences; take it from package data",
						files.Position(n.Pos()))
				}
			}
			return true
		})
		return nil
	})
	must.Succeed(t, err)
}

// Every row says where it comes from: as its unit does, unless a rehearsal model had part in it:
// its words are simulated whoever brings them. A unit is simulated when all of its rows are.
func TestRowsHaveProvenance(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	commit := func(name string, captions ...Caption) (rows []Caption, unit string) {
		t.Helper()
		u := Unit{Stage: "test", Name: name, Fingerprint: "f", Provenance: ProvenancePublished}
		writeUnit(t, l, u, Captions, captions...)
		return collect(t, UnitRows(l, Captions, u)), must.Get(unitRuns(l, u.FileStem()))(t)[0].Provenance
	}
	rows, unit := commit("mixed", Caption{ImageID: "a", Captioner: "gpt-4o"},
		Caption{ImageID: "b", Captioner: "gpt-4o", Provenance: ProvenanceMeasured},
		Caption{ImageID: "c", Captioner: "rehearsal-captioner-medium", Provenance: ProvenanceMeasured})
	for i, want := range []string{ProvenancePublished, ProvenanceMeasured, ProvenanceSimulated} {
		expect.Equal(t, rows[i].Provenance, want, i)
	}
	expect.Equal(t, unit, ProvenancePublished, "a unit of mixed rows is")
	_, unit = commit("rehearsed", Caption{ImageID: "d", Captioner: "rehearsal-captioner-medium"})
	expect.Equal(t, unit, ProvenanceSimulated, "a unit of a rehearsal model is")
	tx := must.Get(l.Begin(Unit{Stage: "test", Name: "unknown", Fingerprint: "f", Provenance: ProvenanceMeasured}))(t)
	defer tx.Abort()
	w := must.Get(NewRowWriter(tx, Captions))(t)
	const want = `table captions: a row has the provenance "guessed", which is not one of published, measured, simulated`
	expect.Equal(t, fmt.Sprint(w.Write(Caption{ImageID: "e", Provenance: "guessed"})), want)
}
