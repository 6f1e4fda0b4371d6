package data

import (
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
	"github.com/captionlake/captionlake/data/must"
)

// What names a benchmark, one of its domains, prompts or protocols is written here and nowhere else, and nobody else lists
// provenances or evidences: a list of one's own would miss what a user adds, and a new benchmark.
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
		for _, p := range slices.Concat(b.Protocols, captionqa.ReadingProtocols(captionqa.ProtocolUpstream)) {
			where[p] = "a protocol"
		}
	}
	lists := append(Provenances(), captionqa.Evidences()...)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != ".." && (d.Name() == "data" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "testdata")) {
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
					t.Errorf("%s: a list of provenances or evidences; take it from package data", files.Position(n.Pos()))
				}
			}
			return true
		})
		return nil
	})
	must.Succeed(t, err)
}
