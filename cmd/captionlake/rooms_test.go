package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// module is the path that our own imports begin with.
const module = "github.com/captionlake/captionlake/"

// mayImport has the rooms that each room may import, besides its own packages.
var mayImport = map[string][]string{
	"data":      {},
	"ingest":    {"data", "sql"},
	"stages":    {"data"},
	"sql":       {"data"},
	"analytics": {"data", "sql"},
	"plots":     {"data", "sql"},
	"cmd":       {"data", "ingest", "stages", "sql", "analytics", "plots"},
}

// analyticsFloors are the packages of the room analytics. Each may import the packages before it.
var analyticsFloors = []string{"batches", "arena", "statistics", "sqlmodel", "spark", "engine", "build", "ask"}

// TestRooms checks the imports of every file except tests: rooms import each other only in the
// allowed direction, and only analytics links DuckDB.
func TestRooms(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	eachFile(t, ".go", func(file string) {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(filepath.Dir(file), "test") { // helpers of tests
			return
		}
		parsed := must.Get(parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly))(t)
		name := must.Get(filepath.Rel(root, file))(t)
		room, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		allowed, known := mayImport[room]
		if !known {
			t.Errorf("%s: %s is no room of the house", name, room)
		}
		seen[room] = true
		for _, spec := range parsed.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			if strings.Contains(imported, "duckdb") && room != "analytics" {
				t.Errorf("%s links DuckDB", name)
			}
			ours, isOurs := strings.CutPrefix(imported, module)
			other, _, _ := strings.Cut(ours, "/")
			if isOurs && other != room && !slices.Contains(allowed, other) {
				t.Errorf("%s: %s may not import %s", name, room, other)
			}
			if isOurs && other == room && room == "analytics" {
				own, used := slices.Index(analyticsFloors, path.Base(path.Dir(filepath.ToSlash(name)))),
					slices.Index(analyticsFloors, path.Base(ours))
				if own <= used || used < 0 || path.Base(ours) == "build" {
					t.Errorf("%s: %s may not import %s", name, analyticsFloors[max(own, 0)], ours)
				}
			}
		}
	})
	for room := range mayImport {
		if !seen[room] {
			t.Errorf("the room %s has no file", room)
		}
	}
	// The top level has only the rooms and the files that tools expect there.
	for _, e := range must.Get(os.ReadDir(root))(t) {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !seen[e.Name()] && e.Name() != "lake" {
			t.Errorf("the top level has the folder %s, which is no room", e.Name())
		}
	}
}

// TestFilesStack checks the packages that must be trusted most: a file refers only to files below
// it, so that a reader can read the files from the lowest to the highest.
func TestFilesStack(t *testing.T) {
	for _, folder := range []string{"data", "stages/engine"} {
		below := filesBelow(t, filepath.Join("..", "..", folder))
		var visit func(path []string)
		visited := map[string]bool{}
		visit = func(path []string) {
			file := path[len(path)-1]
			for other, name := range below[file] {
				if slices.Contains(path, other) {
					t.Errorf("%s: %s refers to %s of %s, which rests on it", folder, file, name, other)
				} else if !visited[other] {
					visit(append(path, other))
				}
			}
			visited[file] = true
		}
		for file := range below {
			visit([]string{file})
		}
	}
}

// filesBelow returns, for each file of a package, the other files of the package that it refers to,
// with an example of a name.
func filesBelow(t *testing.T, folder string) map[string]map[string]string {
	t.Helper()
	names := must.Get(filepath.Glob(filepath.Join(folder, "*.go")))(t)
	set := token.NewFileSet()
	var sources []*ast.File
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			sources = append(sources, must.Get(parser.ParseFile(set, name, nil, parser.SkipObjectResolution))(t))
		}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	// Definitions in other packages do not matter here.
	checker := types.Config{Importer: importsNothing{}, Error: func(error) {}}
	pkg, _ := checker.Check(folder, set, sources, &info)
	below := map[string]map[string]string{}
	for used, object := range info.Uses {
		_, method := object.(*types.Func)
		if object.Pkg() != pkg || !method && object.Parent() != pkg.Scope() {
			continue
		}
		from, to := filepath.Base(set.Position(used.Pos()).Filename), filepath.Base(set.Position(object.Pos()).Filename)
		if from == to {
			continue
		}
		if below[from] == nil {
			below[from] = map[string]string{}
		}
		below[from][to] = object.Name()
	}
	if len(below) < 5 {
		t.Errorf("%s: references of %d files were found", folder, len(below))
	}
	return below
}

// importsNothing imports packages as empty packages under their usual names.
type importsNothing struct{}

func (importsNothing) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, filepath.Base(path))
	pkg.MarkComplete()
	return pkg, nil
}
