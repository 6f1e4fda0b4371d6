package data

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// The embedded taxonomies are the released ones.
func TestTaxonomiesMatchTheirSources(t *testing.T) {
	t.Parallel()
	released := os.DirFS(must.Shared(t, "captionqa/taxonomy"))
	names := must.Get(fs.Glob(released, "*.json"))(t)
	for _, name := range names {
		var got, want any
		for _, c := range []struct {
			fs   fs.FS
			name string
			into any
		}{{Reference(), "taxonomies/" + name, &got}, {released, name, &want}} {
			content := must.Get(fs.ReadFile(c.fs, c.name))(t)
			must.Succeed(t, json.Unmarshal(content, c.into))
		}
		expect.Equal(t, got, want, name)
	}
}

// The embedded figures are the figures of the tables, as they are printed: of every model, or of
// the whole table where it names none.
func TestPublishedFiguresMatchTheirSources(t *testing.T) {
	t.Parallel()
	tables := os.DirFS(must.Shared(t, "published"))
	names := must.Get(fs.Glob(tables, "*.csv"))(t)
	for _, name := range names {
		var printed, figures []string
		number := func(model, cell string) string {
			if _, err := strconv.ParseFloat(cell, 64); err != nil {
				return ""
			}
			if zero := strings.TrimPrefix(cell, "-"); strings.Trim(zero, "0.") == "" {
				cell = zero // The lake has one zero.
			}
			return model + ": " + cell
		}
		for _, r := range csvRows(t, tables, name) {
			model := strings.TrimSpace(r["model"] + " " + r["size"])
			if _, metrics := r["needs_reference"]; metrics {
				model = r["metric"]
			}
			for column, cell := range r {
				if n := number(model, cell); n != "" && column != "paper_table" {
					printed = append(printed, n)
				}
			}
		}
		for _, r := range csvRows(t, Reference(), "published/"+name) {
			if n := number(r["model"], r["value"]); r["text"] == "" &&
				(r["metric"] != "subcategories" || r["category"] == "") {
				figures = append(figures, n)
			}
		}
		slices.Sort(printed)
		slices.Sort(figures)
		expect.Equal(t, figures, printed, name)
	}
}

func csvRows(t *testing.T, files fs.FS, name string) (rows []map[string]string) {
	t.Helper()
	content := must.Get(fs.ReadFile(files, name))(t)
	records := must.Get(csv.NewReader(bytes.NewReader(content)).ReadAll())(t)
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, column := range records[0] {
			row[column] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}
