package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"
)

// A Part is a file of JSON lines with a part of an object: the elements of the member Name, or,
// without a name, the rest of the object.
type Part struct{ Name, Path string }

// Split writes the object of a file as JSON lines into a folder: a part for each member that is a
// list of rows, and a part without a name, with all other members as one object. With entries there
// is only the part without a name, and it has an object of key and value for each member. Split
// reads in pieces, so the object may be larger than memory.
func (t *Table) Split(dir string, entries bool, fault FaultFunc) (parts []Part, err error) {
	part := func(name string, write func(io.Writer) error) error {
		parts = append(parts, Part{name, filepath.Join(dir, fmt.Sprintf("part-%d.jsonl", len(parts)))})
		f, err := os.Create(parts[len(parts)-1].Path)
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		return errors.Join(write(w), w.Flush(), f.Close())
	}
	err = t.read(func(r *bufio.Reader) error {
		j := newLog(r, fault, jsontext.AllowDuplicateNames(true))
		return part("", func(rest io.Writer) error {
			separator := "{" // before the first member of the rest; before each later member a comma
			err := j.each(func(name string, _ Pos) error {
				if _, isRows := t.Member(name); isRows && !entries {
					return part(name, func(w io.Writer) error {
						return j.each(func(string, Pos) error { return j.copy(w, "", "\n") })
					})
				}
				key, err := jsontext.AppendQuote(nil, name)
				if err != nil {
					return err
				}
				if entries {
					return j.copy(rest, `{"key":`+string(key)+`,"value":`, "}\n")
				}
				before := separator + string(key) + ":"
				separator = ","
				return j.copy(rest, before, "")
			})
			if err == nil && !entries { // The last member is made up: DuckDB skips an object without members.
				_, err = fmt.Fprintln(rest, separator+`"":null}`)
			}
			return err
		})
	})
	return parts, err
}
