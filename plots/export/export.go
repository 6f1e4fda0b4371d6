// Package export writes the rows of a SELECT as files for others: submissions to leaderboards and
// records of public stores.
package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// A File is one file of an export, its name with slashes.
type File struct {
	Name  string
	Bytes []byte
}

// A Source answers queries about a lake.
type Source interface {
	// Check refuses a query if rows that it reads are not as they were committed. Without bigToo,
	// Check compares only the sizes of big tables.
	Check(query string, bigToo bool) error
	// Rows returns the rows of a query. Errors call the rows by the name.
	Rows(ctx context.Context, name, query string, kinds ...string) (*rows.Rows, error)
}

// Make returns the files that the rows of some exports become, and notes that the user should know
// about these files. Without rows, Make returns no file and no error.
func Make(ctx context.Context, source Source, exports []*ggsql.File, values map[string]string) (made []File,
	notes []string, err error) {
	for _, f := range exports {
		query, err := query(f, values)
		if err == nil {
			err = source.Check(query, true) // true: big tables are compared by their digests, too
		}
		if err != nil {
			return nil, nil, f.Located(err)
		}
		r, err := source.Rows(ctx, f.Rows(), query)
		if err != nil {
			return nil, nil, f.Located(err)
		}
		if r.Len() == 0 {
			continue
		}
		ofExport, itsNotes, err := files(f, r)
		if err != nil {
			return nil, nil, err
		}
		made, notes = append(made, ofExport...), append(notes, itsNotes...)
	}
	return made, notes, nil
}

// query is the SELECT of an export with its column content as text: as JSON, or as it is where the
// file is written as text.
func query(f *ggsql.File, values map[string]string) (string, error) {
	query, err := f.Select(values)
	content := "to_json(content)::varchar"
	if f.Written == "text" {
		content = "content"
	}
	// The line break ends a comment that may stand at the end of the SELECT.
	return "select * replace (" + content + " as content) from (" + query + "\n)", err
}

// files returns the files that the rows of an export become, by name, and notes that the user
// should know about these files. sql/exports/README.md says what the columns mean.
func files(f *ggsql.File, r *rows.Rows) (made []File, notes []string, err error) {
	contents := map[string][]string{}
	refused, content, note, kinds := r.TextIf("refused"), r.TextOrNone("content"), r.TextIf("note"),
		r.Text("provenance")
	// If a column has a fault, Len is 0, and the fault is returned below.
	for i := range r.Len() {
		switch {
		case kinds[i] == data.ProvenanceSimulated:
			return nil, nil, fmt.Errorf("%s: nothing simulated leaves the lake", f.Name)
		case refused[i] != "":
			return nil, nil, fmt.Errorf("%s: %s", f.Name, refused[i])
		case content[i] != "": // A row without content has only a note.
			name := placeholder.ReplaceAllStringFunc(f.File, func(inBraces string) string {
				return unsafe.ReplaceAllString(r.Text(inBraces[1 : len(inBraces)-1])[i], "_")
			})
			contents[name] = append(contents[name], content[i])
		}
		if note[i] != "" && !slices.Contains(notes, note[i]) {
			notes = append(notes, note[i])
		}
	}
	if r.Err != nil {
		return nil, nil, r.Err
	}
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		text, err := written(f.Written, contents[name])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %s: %w", f.Path, name, err)
		}
		made = append(made, File{name, text})
	}
	return made, notes, nil
}

var (
	placeholder = regexp.MustCompile(`\{\w+\}`)
	unsafe      = regexp.MustCompile(`[^\pL\pN._-]+|^\.+`) // characters that the name of a file should not have
)

// written returns the text of a file. A file in JSON or YAML has one row. This row is the whole
// file.
func written(form string, contents []string) ([]byte, error) {
	var out bytes.Buffer
	if (form == "json" || form == "yaml") && len(contents) != 1 {
		return nil, fmt.Errorf("%d rows for one file; make one of them in the SELECT, with list()", len(contents))
	}
	switch form {
	case "json":
		if err := json.Indent(&out, []byte(contents[0]), "", "  "); err != nil {
			return nil, err
		}
		out.WriteByte('\n')
	case "yaml":
		node, err := ordered(contents[0])
		if err != nil {
			return nil, err
		}
		e := yaml.NewEncoder(&out)
		e.SetIndent(2)
		if err := e.Encode(node); err != nil {
			return nil, err
		}
	case "csv":
		w := csv.NewWriter(&out)
		for i, row := range contents {
			node, err := ordered(row)
			if err != nil {
				return nil, err
			}
			var heads, values []string
			for k := 1; k < len(node.Content); k += 2 { // Content has keys and values in turn.
				heads, values = append(heads, node.Content[k-1].Value), append(values, node.Content[k].Value)
			}
			if i == 0 {
				_ = w.Write(heads) // Flush keeps the error.
			}
			_ = w.Write(values)
		}
		w.Flush()
		return out.Bytes(), w.Error()
	default: // jsonl and text
		out.WriteString(strings.Join(contents, "\n") + "\n")
	}
	return out.Bytes(), nil
}

// ordered reads JSON, which is YAML, and keeps the order of its keys.
func ordered(text string) (*yaml.Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, err
	}
	plain(&document)
	return document.Content[0], nil
}

// plain leaves the style of a node and of all nodes below it to the encoder.
func plain(n *yaml.Node) {
	n.Style = 0
	for _, below := range n.Content {
		plain(below)
	}
}
