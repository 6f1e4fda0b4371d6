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

// A keyCheck looks for keys that a unit shares with another unit of the table, so that no mean ever
// counts an observation twice. Another unit's file is skipped if its statistics rule out common
// keys, or if it was compared before.
type keyCheck struct {
	table    *table
	temp     string              // the unit's file now
	final    string              // the file's name after the commit
	mine     *keyBounds          // bounds of the unit's own keys; nil before the first comparison
	compared map[*keyBounds]bool // other units' files without common keys, by their bounds
}

// A keyedFile is a file of a table with the bounds of its keys. The bounds are nil if they cannot
// be read, and the file is then compared in any case.
type keyedFile struct {
	name string
	keys *keyBounds
}

// keyedFiles lists the files of a table that are compared. Files of calls are never compared. The
// keys of calls are digests, so bounds would rule out no file, and a run asks for no recorded call.
func keyedFiles(l *Lake, t *table) (all []keyedFile, err error) {
	if t == Calls.table {
		return nil, nil
	}
	names, err := l.Files(t)
	for _, name := range names {
		keys, err := keyBoundsOf(l, t, name)
		// If the file is missing, another process has removed it since the listing. After any other error
		// keys is nil, so the file is compared.
		if !errors.Is(err, fs.ErrNotExist) {
			all = append(all, keyedFile{name, keys})
		}
	}
	return all, err
}

// checkKeys makes all checks. The files of each table are listed once.
func checkKeys(l *Lake, checks []*keyCheck) error {
	files := map[*table][]keyedFile{}
	for _, c := range checks {
		if _, listed := files[c.table]; !listed {
			all, err := keyedFiles(l, c.table)
			if err != nil {
				return err
			}
			files[c.table] = all
		}
		if err := c.compare(l, files[c.table]); err != nil {
			return fmt.Errorf("table %s: %w", c.table.name, err)
		}
	}
	return nil
}

// compare looks for the unit's keys in the other files of the table.
func (c *keyCheck) compare(l *Lake, files []keyedFile) (err error) {
	if c.mine == nil { // This is the first comparison.
		c.compared = map[*keyBounds]bool{}
		if c.mine, err = readBounds(l, c.table, c.temp); err != nil {
			return err
		}
	}
	for _, f := range files {
		needless := f.keys != nil && (c.compared[f.keys] || !c.mine.overlap(f.keys))
		if f.name == c.final || needless {
			continue
		}
		key, err := c.table.commonKey(fileOf{l, c.temp}, fileOf{l, f.name})
		if errors.Is(err, fs.ErrNotExist) || err != nil && damaged(l, unitOf(f.name)) {
			continue // The other unit was removed, or it is damaged and is compared when it is made again.
		}
		if err != nil {
			return err
		}
		if key != "" {
			return WithHint(fmt.Errorf("%w: %s in %s", ErrDuplicateKey, key, l.Path(f.name)),
				"the rows were loaded under another name before: "+
					"remove that unit with: captionlake --lake %s remove %s", l.dir, unitOf(f.name))
		}
		c.compared[f.keys] = true
	}
	return nil
}

// commonKey is the first key that two files share, as a text for people; empty if they share none.
func (t *table) commonKey(a, b fileOf) (key string, err error) {
	err = t.sideBySide(a, b, func(ours, theirs parquet.Row) (bool, error) {
		if ours != nil && theirs != nil {
			key = t.keyOf(ours)
		}
		return key == "", nil // The first common key ends the comparison.
	})
	return key, err
}

// keyBoundsOf are the key bounds of a file of the lake. It returns the same pointer until the file
// changes, because keyCheck.compared finds the file by this pointer.
func keyBoundsOf(l *Lake, t *table, name string) (*keyBounds, error) {
	info, err := l.root.Stat(name)
	if err != nil {
		return nil, err
	}
	l.bounds.mu.Lock()
	defer l.bounds.mu.Unlock()
	known, ok := l.bounds.files[name]
	if ok && os.SameFile(known.FileInfo, info) && known.ModTime().Equal(info.ModTime()) {
		return known.bounds, nil
	}
	read, err := readBounds(l, t, name)
	if err != nil {
		return nil, err
	}
	if l.bounds.files == nil {
		l.bounds.files = map[string]knownFile{}
	}
	l.bounds.files[name] = knownFile{info, read}
	return read, nil
}

// damaged reports whether a unit's files differ from the files that its last execution wrote. It
// reports false if the files or their record cannot be read, because then nothing is known.
func damaged(l *Lake, stem string) bool {
	runs, err := unitRuns(l, stem)
	last := current(runs)
	if err != nil || last == nil {
		return false
	}
	sound, err := wroteFiles(l, *last)
	return err == nil && !sound
}

// readBounds reads the bounds of the key columns from a file's statistics.
func readBounds(l *Lake, t *table, name string) (*keyBounds, error) {
	footer, err := readFooter(l, name)
	if err != nil {
		return nil, err
	}
	k := &keyBounds{}
	for _, key := range t.key {
		leaf, ok := footer.Schema().Lookup(key)
		if !ok {
			return nil, fmt.Errorf("%s: no column %s", l.Path(name), key)
		}
		k.columns = append(k.columns, columnBounds(footer, leaf))
	}
	return k, nil
}
