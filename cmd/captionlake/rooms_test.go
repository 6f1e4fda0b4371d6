package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// module is the path that our own imports begin with.
const module = "github.com/captionlake/captionlake/"

// mayImport says which rooms each room may import, besides packages of its own.
var mayImport = map[string][]string{
	"data":      {},
	"ingest":    {"data"},
	"stages":    {"data"},
	"sql":       {},
	"analytics": {"data", "sql"},
	"plots":     {"data", "sql"},
	"cmd":       {"data", "ingest", "stages", "sql", "analytics", "plots"},
}

// TestRooms holds the imports of every file, tests aside, against the house: arrows run one way, and DuckDB is linked by
// analytics alone.
func TestRooms(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasSuffix(d.Name(), "test") { // helpers of tests
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		room, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		allowed, known := mayImport[room]
		if !known {
			t.Errorf("%s: %s is no room of the house", name, room)
		}
		seen[room] = true
		for _, spec := range file.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			if strings.Contains(imported, "duckdb") && room != "analytics" {
				t.Errorf("%s links DuckDB", name)
			}
			ours, isOurs := strings.CutPrefix(imported, module)
			other, _, _ := strings.Cut(ours, "/")
			if isOurs && other != room && !slices.Contains(allowed, other) {
				t.Errorf("%s: %s may not import %s", name, room, other)
			}
		}
		return nil
	})
	must.Succeed(t, err)
	for room := range mayImport {
		if !seen[room] {
			t.Errorf("the room %s has no file", room)
		}
	}
	// The top level is fixed, but for what tools expect at a root.
	entries, err := os.ReadDir(root)
	must.Succeed(t, err)
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !seen[e.Name()] && e.Name() != "lake" {
			t.Errorf("the top level has the folder %s, which is no room", e.Name())
		}
	}
}
