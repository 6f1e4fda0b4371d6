package data

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/parquet-go/parquet-go"
)

// ErrDuplicateKey is wrapped by the error of committing rows whose keys another unit of the lake already holds.
var ErrDuplicateKey = errors.New("the lake already holds rows of the same key")

// A collision check looks for rows that this unit and another unit of the table have in common, so that no mean ever counts an observation
// twice. Files whose key columns do not overlap are told apart by their statistics and not read; nor are those that an earlier look has
// compared.
type collisionCheck[T any] struct {
	table Table[T]
	temp  string // the unit's file now
	final string // its name after the commit
	mine  []bounds
	seen  int // states of files that an earlier look has compared
}

func (c *collisionCheck[T]) look(l *Lake) (err error) {
	if c.table.name == Calls.name {
		return nil // Its keys are spread evenly, so every file would be read; a run asks for no recorded call.
	}
	if c.mine == nil {
		if c.mine, err = keyBounds(l, c.table, c.temp); err != nil {
			return err
		}
	}
	others, seen, err := overlapping(l, c.table, c.mine, c.seen)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other.name == c.final {
			continue
		}
		row, found, err := commonKey(c.table, scanFile[T](l, c.temp), present(scanFile[T](l, other.name)))
		if err != nil && l.damaged(unitOf(other.name)) {
			err = nil // It is compared when it is made again.
		}
		if err != nil {
			return err
		}
		if found {
			return WithHint(fmt.Errorf("%w: %s in %s", ErrDuplicateKey, keyText(c.table, row), l.Path(other.name)),
				"the rows were loaded under another name before: remove that unit with: captionlake --lake %s remove %s", l.dir, unitOf(other.name))
		}
	}
	c.seen = seen
	return nil
}

// boundsIndex remembers the bounds of the keys of the lake's files while this process writes to it, so that a commit reads the footers of
// the few files that are new to it rather than those of the whole table, and compares bounds with those of few files. It follows the list of
// commits, where other processes say what they have changed.
type boundsIndex struct {
	mu     sync.Mutex
	tables map[string]*tableIndex
	states int // states of files that were noted
}

// A tableIndex has the files of one table. Most units have one captioner, one reader or one prompt, so most files have a single value in some
// column of the key, and by it those that a new file may have rows in common with are found among all others.
type tableIndex struct {
	files   map[string]*indexedFile // by name
	unread  []*indexedFile          // files whose footers are to be read
	columns []columnIndex           // of the key
	gone    int                     // states in the columns that are no more
}

// A columnIndex has the files by their bounds in a column.
type columnIndex struct {
	single map[string][]*indexedFile // those that have one value, by it
	wide   []*indexedFile            // all others
}

// An indexedFile is one state of a file: when the file is replaced another one takes its place.
type indexedFile struct {
	name   string
	number int // of the state, from 1
	gone   bool
	keys   []bounds // nil until the footer is read
}

// mostGone is how many states that are no more the columns of an index may have, beside as many as there are files.
const mostGone = 100

func (x *boundsIndex) add(t *tableIndex, name string) {
	t.remove(name)
	x.states++
	f := &indexedFile{name: name, number: x.states}
	t.files[name] = f
	t.unread = append(t.unread, f)
}

func (t *tableIndex) remove(name string) {
	if f := t.files[name]; f != nil {
		f.gone = true
		t.gone++
		delete(t.files, name)
	}
}

// place puts a file whose bounds are known into the columns.
func (t *tableIndex) place(f *indexedFile) {
	if t.columns == nil {
		t.columns = make([]columnIndex, len(f.keys))
		for i := range t.columns {
			t.columns[i].single = map[string][]*indexedFile{}
		}
	}
	for i, b := range f.keys {
		c := &t.columns[i]
		if value, ok := b.single(); ok {
			c.single[value] = append(c.single[value], f)
		} else {
			c.wide = append(c.wide, f)
		}
	}
}

// tidy forgets the states that are no more, once they are many.
func (t *tableIndex) tidy() {
	if t.gone <= len(t.files)+mostGone {
		return
	}
	t.columns, t.gone = nil, 0
	for _, f := range t.files {
		if f.keys != nil {
			t.place(f)
		}
	}
}

// candidates are files among which are all that may have a key within bounds: those of the column that leaves the fewest.
func (t *tableIndex) candidates(mine []bounds) []*indexedFile {
	best, fewest := -1, 0
	for i, c := range t.columns {
		value, ok := mine[i].single()
		if n := len(c.single[value]) + len(c.wide); ok && (best < 0 || n < fewest) {
			best, fewest = i, n
		}
	}
	if best < 0 {
		return slices.Collect(maps.Values(t.files))
	}
	value, _ := mine[best].single()
	return slices.Concat(t.columns[best].single[value], t.columns[best].wide)
}

// moved notes that a file has come to its place.
func (x *boundsIndex) moved(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if t := x.tables[path.Dir(name)]; t != nil {
		x.add(t, name)
	}
}

// removed notes that a file is gone.
func (x *boundsIndex) removed(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if t := x.tables[path.Dir(name)]; t != nil {
		t.remove(name)
	}
}

// changed notes that a unit may have other files than before.
func (x *boundsIndex) changed(stem string) {
	for _, table := range tableFolders() {
		x.moved(table + "/" + stem + ".parquet")
	}
}

// overlapping lists the files of a table that may hold a key within bounds, in the order of their names: those of states after the number
// seen. It returns the number of the last state.
func overlapping[T any](l *Lake, table Table[T], mine []bounds, seen int) (found []*indexedFile, last int, err error) {
	x := &l.bounds
	x.mu.Lock()
	defer x.mu.Unlock()
	t := x.tables[table.name]
	if t == nil {
		listed, err := l.Files(table)
		if err != nil {
			return nil, 0, err
		}
		t = &tableIndex{files: make(map[string]*indexedFile, len(listed))}
		for _, name := range listed {
			x.add(t, name)
		}
		if x.tables == nil {
			x.tables = map[string]*tableIndex{}
		}
		x.tables[table.name] = t
	}
	t.tidy()
	unread := t.unread
	t.unread = nil
	for _, f := range unread {
		if f.gone {
			continue
		}
		keys, err := keyBounds(l, table, f.name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			t.remove(f.name)
		case err == nil:
			f.keys = keys
			t.place(f)
		default: // Comparing the rows of a file that cannot be read says why.
			t.unread = append(t.unread, f)
			if f.number > seen {
				found = append(found, f)
			}
		}
	}
	for _, f := range t.candidates(mine) {
		if f.keys != nil && !f.gone && f.number > seen && overlap(mine, f.keys) {
			found = append(found, f)
		}
	}
	slices.SortFunc(found, func(a, b *indexedFile) int { return cmp.Compare(a.name, b.name) })
	return found, x.states, nil
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

// single is the one value that a file has in a column, if it has one.
func (b bounds) single() (string, bool) {
	if b.min.IsNull() || b.compare(b.min, b.max) != 0 {
		return "", false
	}
	return b.min.String(), true
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
