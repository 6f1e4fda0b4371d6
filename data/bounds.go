package data

import (
	"io/fs"
	"sync"

	"github.com/parquet-go/parquet-go"
)

// knownBounds remembers the key bounds of the lake's files while this process writes to the lake.
// So a commit reads only the footers of files that this process has not read before.
type knownBounds struct {
	mu    sync.Mutex
	files map[string]knownFile // by name
}

// A knownFile has the bounds of a file, and the file's identity when the bounds were read.
type knownFile struct {
	fs.FileInfo
	bounds *keyBounds
}

// keyBounds are the bounds of every key column in a file.
type keyBounds struct{ columns []bounds }

// bounds are the smallest and the largest value of a column in a file. Both are null if the file
// has no statistics.
type bounds struct {
	min, max parquet.Value
	compare  func(a, b parquet.Value) int // compares values of the column; nil without statistics
}

// overlap reports whether two files may share a key: their bounds overlap in every key column.
func (k *keyBounds) overlap(o *keyBounds) bool {
	for i, a := range k.columns {
		if !a.overlap(o.columns[i]) {
			return false
		}
	}
	return true
}

// overlap reports whether two columns may share a value. Null bounds overlap with all bounds. The
// compare of b is used, so o may have none: mayHold makes such bounds from a text.
func (b bounds) overlap(o bounds) bool {
	return b.min.IsNull() || o.min.IsNull() || b.compare(b.max, o.min) >= 0 && b.compare(o.max, b.min) >= 0
}

// columnBounds are the bounds of a column over all row groups of a file. The bounds are null if one
// row group has no statistics.
func columnBounds(pf *parquet.File, leaf parquet.LeafColumn) bounds {
	columnType := leaf.Node.Type()
	b := bounds{compare: columnType.Compare}
	for _, group := range pf.Metadata().RowGroups {
		statistics := group.Columns[leaf.ColumnIndex].MetaData.Statistics
		if statistics.MinValue == nil || statistics.MaxValue == nil {
			return bounds{}
		}
		low, high := columnType.Kind().Value(statistics.MinValue), columnType.Kind().Value(statistics.MaxValue)
		// Cloned values do not keep the whole footer in memory.
		if b.min.IsNull() || columnType.Compare(low, b.min) < 0 {
			b.min = low.Clone()
		}
		if b.max.IsNull() || columnType.Compare(high, b.max) > 0 {
			b.max = high.Clone()
		}
	}
	return b
}
