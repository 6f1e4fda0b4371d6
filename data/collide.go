package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/parquet-go/parquet-go"
)

// ErrDuplicateKey is wrapped by the error of committing rows with keys that another unit of the
// lake already holds.
var ErrDuplicateKey = errors.New("the lake already holds rows of the same key")

// A collisionCheck looks for keys that this unit shares with another unit of the table, so that no
// mean ever counts an observation twice. Files are skipped if their statistics rule out common
// keys, or if they were compared before.
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
		if c.mine, err = readBounds(l, c.table, c.temp); err != nil {
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
		theirs, err := keyBoundsOf(l, c.table, name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && (c.compared[theirs] || !c.mine.overlap(theirs)) {
			continue
		}
		key, err := c.table.commonKey(fileOf{l, c.temp}, fileOf{l, name})
		if err != nil && damaged(l, unitOf(name)) {
			err = nil // It is compared when the unit is made again.
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

// commonKey is the first key that two files share, as a text for people; empty if they share none.
func (t *table) commonKey(a, b fileOf) (key string, err error) {
	err = t.sideBySide(a, b, func(ours, theirs parquet.Row) (bool, error) {
		if ours != nil && theirs != nil {
			key = t.keyOf(ours)
		}
		return key == "", nil
	})
	return key, err
}

// keyBoundsOf are the key bounds of a file of the lake. It returns the same pointer as long as the
// file is the same.
func keyBoundsOf(l *Lake, t *table, name string) (*keyBounds, error) {
	info, err := l.root.Stat(name)
	if err != nil {
		return nil, err
	}
	l.bounds.mu.Lock()
	defer l.bounds.mu.Unlock()
	if known, ok := l.bounds.files[name]; ok && os.SameFile(known.FileInfo, info) &&
		known.ModTime().Equal(info.ModTime()) {
		return known.bounds, nil
	}
	read, err := readBounds(l, t, name)
	if err == nil {
		if l.bounds.files == nil {
			l.bounds.files = map[string]knownFile{}
		}
		l.bounds.files[name] = knownFile{info, read}
	}
	return read, err
}

// damaged reports whether a unit's files differ from the files that its last execution wrote.
func damaged(l *Lake, stem string) bool {
	runs, err := unitRuns(l, stem)
	if err != nil || len(runs) == 0 {
		return false
	}
	sound, err := wroteFiles(l, runs[len(runs)-1])
	return err == nil && !sound
}

// readBounds reads the bounds of the key columns from a file's statistics.
func readBounds(l *Lake, t *table, name string) (k *keyBounds, err error) {
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
