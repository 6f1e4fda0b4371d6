package data

import (
	"io/fs"
	"sync"

	"github.com/parquet-go/parquet-go"
)

// knownBounds remembers the key bounds of the lake's files while this process writes to it. A
// commit therefore reads only the footers of files that are new to it.
type knownBounds struct {
	mu    sync.Mutex
	files map[string]knownFile // by name
}

// A knownFile is a file's identity at the time when its bounds were read.
type knownFile struct {
	fs.FileInfo
	bounds *keyBounds
}

// keyBounds are the bounds of every key column in a file.
type keyBounds struct{ columns []bounds }

// bounds are the smallest and the largest value of a column in a file; null if the file has no
// statistics.
type bounds struct {
	min, max parquet.Value
	compare  func(a, b parquet.Value) int
}

// overlap reports whether two files may share a key: their bounds overlap in every column. Null
// bounds overlap with everything.
func (k *keyBounds) overlap(o *keyBounds) bool {
	for i, a := range k.columns {
		if !a.overlap(o.columns[i]) {
			return false
		}
	}
	return true
}

func (b bounds) overlap(o bounds) bool {
	return b.min.IsNull() || o.min.IsNull() || b.compare(b.max, o.min) >= 0 && b.compare(o.max, b.min) >= 0
}

func columnBounds(pf *parquet.File, leaf parquet.LeafColumn) (b bounds) {
	kind := leaf.Node.Type()
	b = bounds{compare: kind.Compare}
	// They are parts of the footer, which is much larger.
	defer func() { b.min, b.max = b.min.Clone(), b.max.Clone() }()
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
