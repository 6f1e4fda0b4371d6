package main

import (
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots/ggsql"
)

var (
	sqlBlock   = regexp.MustCompile("(?s)```sql\n(.*?)```")
	sqlCommand = regexp.MustCompile(`captionlake sql .*`)
	pythonSQL  = regexp.MustCompile(`(?s)\bsql\(\s*(?:"""(.*?)"""|"([^"\n]*)")`)
	parameter  = regexp.MustCompile(`\$\w+`)
	sqlComment = regexp.MustCompile(`--[^\n]*`)
	// unbound marks SQL that the demo's lake cannot run: SQL of another engine, over files that the
	// lake does not have, or assembled from parts.
	unbound = regexp.MustCompile(`getvariable|^\s*set |read_json\(|\{`)
)

// sqlOf are the SQL statements of a document, a notebook or a Python file.
func sqlOf(t *testing.T, path string) (statements []string) {
	t.Helper()
	content := must.Read(t, path)
	text := string(content)
	if filepath.Ext(path) == ".ipynb" {
		var notebook struct{ Cells []struct{ Source []string } }
		must.Succeed(t, json.Unmarshal(content, &notebook))
		text = ""
		for _, cell := range notebook.Cells {
			text += strings.Join(cell.Source, "") + "\n"
		}
	}
	var found []string
	for _, m := range sqlBlock.FindAllStringSubmatch(text, -1) {
		if block := m[1]; strings.Contains(block, "VISUALISE") || strings.HasPrefix(block, "-- ") {
			found = append(found, must.Get(must.Get(ggsql.Parse(path, "", block))(t).Select(nil))(t))
		} else {
			found = append(found, strings.Split(block, ";")...)
		}
	}
	for _, command := range sqlCommand.FindAllString(text, -1) {
		words := shellWords(command)
		if last := words[len(words)-1]; strings.Contains(last, " ") {
			found = append(found, last)
		}
	}
	for _, m := range pythonSQL.FindAllStringSubmatch(text, -1) {
		found = append(found, parameter.ReplaceAllString(m[1]+m[2], "'gpt-5'"))
	}
	for _, statement := range found {
		if strings.TrimSpace(sqlComment.ReplaceAllString(statement, "")) != "" && !unbound.MatchString(statement) {
			statements = append(statements, statement)
		}
	}
	return statements
}

// Every SQL statement of documents, notebooks and the Python package names tables and columns that
// exist.
func TestSQLOfDocuments(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	paths := append(documents(t), "REFERENCE.md", filepath.Join(root, "data", "DICTIONARY.md"))
	for _, pattern := range []string{"notebooks/*.ipynb", "python/src/captionlake/*.py"} {
		paths = append(paths, must.Get(filepath.Glob(filepath.Join(root, "analytics", filepath.FromSlash(pattern))))(t)...)
	}
	_, session := demoSession(t)
	found := 0
	for _, path := range paths {
		for _, statement := range sqlOf(t, path) {
			found++
			if _, err := session.Query(t.Context(), "explain "+statement, ask.Options{Format: "csv"},
				io.Discard); err != nil {
				t.Errorf("%s: %s\n%v", path, statement, err)
			}
		}
	}
	if found < 40 {
		t.Errorf("found only %d statements", found)
	}
}
