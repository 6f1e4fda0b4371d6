package data

import (
	"errors"
	"fmt"
	"iter"

	"github.com/parquet-go/parquet-go"
)

// ErrDuplicateKey is wrapped by the error of committing rows whose keys another unit of the lake already holds.
var ErrDuplicateKey = errors.New("the lake already holds rows of the same key")

// collisions looks for rows that this unit and another unit of the table have in common, so that no mean ever counts
// an observation twice. Files whose key columns do not overlap are told apart by their statistics and not read.
func collisions[T any](l *Lake, table Table[T], temp, final string) error {
	if table.name == Calls.name {
		return nil // Its keys are spread evenly, so every file would be read; a run asks for no recorded call.
	}
	names, err := l.Files(table)
	if err != nil {
		return err
	}
	mine, err := keyBounds(l, table, temp)
	if err != nil {
		return err
	}
	for _, other := range names {
		if other == final {
			continue
		}
		theirs, err := keyBounds(l, table, other)
		if err == nil && !overlap(mine, theirs) {
			continue
		}
		var row T
		found := false
		if err == nil {
			row, found, err = commonKey(table, scanFile[T](l, temp), scanFile[T](l, other))
		}
		if err != nil && l.damaged(unitOf(other)) {
			continue // It is compared when it is made again.
		}
		if err != nil {
			return err
		}
		if found {
			return WithHint(fmt.Errorf("%w: %s in %s", ErrDuplicateKey, keyText(table, row), l.Path(other)),
				"the rows were loaded under another name before: remove that unit with: captionlake remove %s", unitOf(other))
		}
	}
	return nil
}

// damaged reports whether the files of a unit are no longer those of its last execution.
func (l *Lake) damaged(stem string) bool {
	runs, err := l.unitRuns(stem)
	if err != nil || len(runs) == 0 {
		return false
	}
	sound, err := l.wroteFiles(runs[len(runs)-1])
	return err == nil && !sound
}

// unitOf is the unit's name in the name of one of its files.
func unitOf(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			return name[i+1 : len(name)-len(".parquet")]
		}
	}
	return name
}

// commonKey walks two sorted files side by side to their first common key.
func commonKey[T any](table Table[T], a, b iter.Seq2[T, error]) (common T, found bool, err error) {
	x, y := newMergeSource(a), newMergeSource(b)
	defer x.stop()
	defer y.stop()
	okX, err := x.advance()
	if err != nil {
		return common, false, err
	}
	okY, err := y.advance()
	for err == nil && okX && okY {
		switch c := table.compare(&x.row, &y.row); {
		case c == 0:
			return x.row, true, nil
		case c < 0:
			okX, err = x.advance()
		default:
			okY, err = y.advance()
		}
	}
	return common, false, err
}

// bounds are the smallest and the largest value of a key column in a file.
type bounds struct {
	min, max parquet.Value
	compare  func(a, b parquet.Value) int
}

// keyBounds reads the bounds of every key column from a file's statistics; a column without them has null bounds.
func keyBounds[T any](l *Lake, table Table[T], name string) (columns []bounds, err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := openParquet(l, f, name)
	if err != nil {
		return nil, err
	}
	for _, key := range table.Key() {
		leaf, ok := pf.Schema().Lookup(key)
		if !ok {
			return nil, fmt.Errorf("%s: no column %s", l.Path(name), key)
		}
		columns = append(columns, columnBounds(pf, leaf))
	}
	return columns, nil
}

func columnBounds(pf *parquet.File, leaf parquet.LeafColumn) bounds {
	kind := leaf.Node.Type()
	b := bounds{compare: kind.Compare}
	for _, group := range pf.Metadata().RowGroups {
		statistics := group.Columns[leaf.ColumnIndex].MetaData.Statistics
		if statistics.MinValue == nil || statistics.MaxValue == nil {
			return bounds{}
		}
		low, high := kind.Kind().Value(statistics.MinValue), kind.Kind().Value(statistics.MaxValue)
		if b.min.IsNull() || kind.Compare(low, b.min) < 0 {
			b.min = low
		}
		if b.max.IsNull() || kind.Compare(high, b.max) > 0 {
			b.max = high
		}
	}
	return b
}

// overlap reports whether two files may share a key: their bounds overlap in every column. Null bounds overlap with
// everything.
func overlap(a, b []bounds) bool {
	for i := range a {
		if a[i].min.IsNull() || b[i].min.IsNull() {
			continue
		}
		if a[i].compare(a[i].max, b[i].min) < 0 || a[i].compare(b[i].max, a[i].min) < 0 {
			return false
		}
	}
	return true
}
