package ingest

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data"
)

// The columns of a bank are read with parquet-go, level by level, and not with arrow-go's pqarrow, which would make the
// nested lists: arrow-go does not compare the checksums of pages, so that a changed byte would become another text.

// withParquet opens a Parquet file. The library panics on some damaged files; that comes back as an error.
func withParquet(s Source, use func(*parquet.File) error) (err error) {
	f, err := s.Open()
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errDamaged, r)
		}
		err = errors.Join(err, f.Close())
	}()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	at, ok := f.(io.ReaderAt)
	if !ok {
		return fmt.Errorf("%s: cannot be read out of order, as Parquet needs", s.Path)
	}
	file, err := data.OpenParquet(at, info.Size())
	if err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return use(file)
}

var errDamaged = errors.New("the Parquet data is damaged")

// A nestedColumn is one leaf of a Parquet schema, with what its levels mean.
type nestedColumn struct {
	name  string // as a message names it, such as questions.choices
	index int
	kind  parquet.Kind
	lists []int // for every list around the leaf, outermost first: the definition level from which an element of it exists
}

// findNested finds a leaf by the names of its fields, through lists in any of the forms that Parquet writers use
// (three-level with element or item, two-level, or repeated fields), and through optional and required nodes alike.
func findNested(schema *parquet.Schema, names ...string) (nestedColumn, bool) {
	column := nestedColumn{name: strings.Join(names, ".")}
	var node parquet.Node = schema
	level := 0
	var path []string
	enter := func(name string, child parquet.Node) {
		path, node = append(path, name), child
		switch {
		case child.Repeated():
			level++
			column.lists = append(column.lists, level)
		case child.Optional():
			level++
		}
	}
	for len(names) > 0 {
		child, ok := childOf(node, names[0])
		if ok {
			enter(names[0], child)
			names = names[1:]
			continue
		}
		name, only, ok := wrapped(node)
		if !ok {
			return column, false
		}
		enter(name, only)
	}
	for !node.Leaf() {
		name, only, ok := wrapped(node)
		if !ok {
			return column, false
		}
		enter(name, only)
	}
	leaf, ok := schema.Lookup(path...)
	column.index, column.kind = leaf.ColumnIndex, node.Type().Kind()
	return column, ok
}

func childOf(node parquet.Node, name string) (parquet.Node, bool) {
	if node.Leaf() {
		return nil, false
	}
	fields := node.Fields()
	if i := slices.IndexFunc(fields, func(f parquet.Field) bool { return f.Name() == name }); i >= 0 {
		return fields[i], true
	}
	return nil, false
}

// wrapped returns the one child of a node that only makes a list: list, element and what else writers call them.
func wrapped(node parquet.Node) (string, parquet.Node, bool) {
	if node.Leaf() || len(node.Fields()) != 1 {
		return "", nil, false
	}
	child := node.Fields()[0]
	switch child.Name() {
	case "list", "element", "item", "array", "bag", "array_element":
		return child.Name(), child, true
	}
	return child.Name(), child, child.Repeated()
}

// text reports a column that holds no strings.
func (c nestedColumn) text() error {
	if c.kind != parquet.ByteArray && c.kind != parquet.FixedLenByteArray {
		return fmt.Errorf("the column %s holds %s values where strings belong", c.name, c.kind)
	}
	return nil
}

// cells sorts one row's values of a column into lists by their repetition and definition levels, as deep as the column
// is nested: depth 0 gives one value at [0][0], depth 1 a list at [0], depth 2 a list of lists.
func (c nestedColumn) cells(row parquet.Row) [][]parquet.Value {
	var out [][]parquet.Value
	for _, v := range row {
		if v.Column() != c.index {
			continue
		}
		level := v.DefinitionLevel()
		switch len(c.lists) {
		case 0:
			out = append(out, []parquet.Value{v})
		case 1:
			if len(out) == 0 {
				out = append(out, nil)
			}
			if level >= c.lists[0] {
				out[0] = append(out[0], v)
			}
		default:
			if level < c.lists[0] {
				continue
			}
			if v.RepetitionLevel() < 2 || len(out) == 0 {
				out = append(out, nil)
			}
			if level >= c.lists[1] {
				out[len(out)-1] = append(out[len(out)-1], v)
			}
		}
	}
	return out
}
