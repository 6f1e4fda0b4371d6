package data

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/parquet-go/parquet-go"
)

// ErrDuplicateKey is wrapped by the error of committing rows whose keys another unit of the lake already holds.
var ErrDuplicateKey = errors.New("the lake already holds rows of the same key")

// A collisionCheck looks for rows that this unit and another unit of the table have in common, so that no mean ever counts an observation
// twice. Files whose key columns do not overlap are told apart by their statistics and not read; nor are those that an earlier look has
// compared.
type collisionCheck struct {
	table    *table
	temp     string // the unit's file now
	final    string // its name after the commit
	mine     *keyBounds
	compared map[*keyBounds]bool
}

func (c *collisionCheck) look(l *Lake) (err error) {
	if c.table == Calls.table {
		return nil // Its keys are spread evenly, so every file would be read; a run asks for no recorded call.
	}
	if c.mine == nil {
		c.compared = map[*keyBounds]bool{}
		if c.mine, err = l.readBounds(c.table, c.temp); err != nil {
			return err
		}
	}
	names, err := l.Files(c.table)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == c.final {
			continue
		}
		theirs, err := l.keyBounds(c.table, name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && (c.compared[theirs] || !c.mine.overlap(theirs)) {
			continue
		}
		key, err := c.table.commonKey(fileOf{l, c.temp}, fileOf{l, name})
		if err != nil && l.damaged(unitOf(name)) {
			err = nil // It is compared when it is made again.
		}
		if err != nil {
			return err
		}
		if key != "" {
			return WithHint(fmt.Errorf("%w: %s in %s", ErrDuplicateKey, key, l.Path(name)),
				"the rows were loaded under another name before: remove that unit with: captionlake --lake %s remove %s", l.dir, unitOf(name))
		}
		c.compared[theirs] = true
	}
	return nil
}

// commonKey is the first key that two files have in common, for people, or empty.
func (t *table) commonKey(a, b fileOf) (key string, err error) {
	err = t.sideBySide(a, b, func(ours, theirs parquet.Row) (bool, error) {
		if ours != nil && theirs != nil {
			key = t.keyOf(ours)
		}
		return key == "", nil
	})
	return key, err
}

// knownBounds remembers the bounds of the keys of the lake's files while this process writes to it, so that a commit reads the footers of
// the few files that are new to it. It follows the list of commits, where other processes say what they have changed.
type knownBounds struct {
	mu    sync.Mutex
	files map[string]*keyBounds // by name
}

// forget notes that a file has come, was replaced or is gone.
func (k *knownBounds) forget(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.files, name)
}

// changed notes that a unit may have other files than before.
func (k *knownBounds) changed(stem string) {
	for _, table := range tableFolders() {
		k.forget(table + "/" + stem + ".parquet")
	}
}

// keyBounds are the bounds of the key in a file of the lake: the same pointer as long as the file is the same.
func (l *Lake) keyBounds(t *table, name string) (*keyBounds, error) {
	k := &l.bounds
	k.mu.Lock()
	defer k.mu.Unlock()
	if known := k.files[name]; known != nil {
		return known, nil
	}
	read, err := l.readBounds(t, name)
	if err == nil {
		if k.files == nil {
			k.files = map[string]*keyBounds{}
		}
		k.files[name] = read
	}
	return read, err
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
func unitOf(name string) string { return strings.TrimSuffix(path.Base(name), ".parquet") }

// keyBounds are the bounds of every key column in a file.
type keyBounds struct{ columns []bounds }

// bounds are the smallest and the largest value of a column in a file; null without statistics.
type bounds struct {
	min, max parquet.Value
	compare  func(a, b parquet.Value) int
}

// readBounds reads the bounds of the key columns from a file's statistics.
func (l *Lake) readBounds(t *table, name string) (k *keyBounds, err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := openParquet(l, f, name)
	if err != nil {
		return nil, err
	}
	k = &keyBounds{}
	for _, key := range t.key {
		leaf, ok := pf.Schema().Lookup(key)
		if !ok {
			return nil, fmt.Errorf("%s: no column %s", l.Path(name), key)
		}
		k.columns = append(k.columns, columnBounds(pf, leaf))
	}
	return k, nil
}

func columnBounds(pf *parquet.File, leaf parquet.LeafColumn) (b bounds) {
	kind := leaf.Node.Type()
	b = bounds{compare: kind.Compare}
	defer func() { b.min, b.max = b.min.Clone(), b.max.Clone() }() // They are parts of the footer, which is much larger.
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
func (k *keyBounds) overlap(o *keyBounds) bool {
	for i, a := range k.columns {
		b := o.columns[i]
		if !a.min.IsNull() && !b.min.IsNull() && (a.compare(a.max, b.min) < 0 || a.compare(b.max, a.min) < 0) {
			return false
		}
	}
	return true
}
