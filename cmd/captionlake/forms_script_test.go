package main

import (
	"database/sql"
	"path/filepath"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2" // writes the files of writtenCommand
	"github.com/rogpeppe/go-internal/testscript"
)

// writtenCommand writes the rows of a SELECT into a file, as DuckDB's copy does with the same
// options. In the SELECT the word FILES stands for the files of a pattern.
func writtenCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: written FILE OPTIONS PATTERN SELECT")
	}
	quoted := func(path string) string { return "'" + filepath.ToSlash(ts.MkAbs(path)) + "'" }
	db, err := sql.Open("duckdb", "")
	ts.Check(err)
	defer db.Close()
	query := strings.ReplaceAll(args[3], "FILES", quoted(args[2]))
	_, err = db.Exec("copy (" + query + ") to " + quoted(args[0]) + " (" + args[1] + ")")
	ts.Check(err)
}
