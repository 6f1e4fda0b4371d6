package data

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data/files"
)

// listings is how often a reader lists a table again because another process removed or replaced a
// file that it was about to read.
const listings = 10

// eachFile passes every file that list names to read, in order. read reports whether to continue.
// If a file is missing when read opens it, the unit of the file was removed or replaced since the
// listing. Then the files are listed again, and the files that were not read yet are read. If the
// file is missing, read must return an error that satisfies errors.Is(err, fs.ErrNotExist) before
// it has used a row.
func eachFile(l *Lake, list func() ([]string, error), read func(name string) (bool, error)) error {
	seen := map[string]bool{}
	for range listings {
		names, err := list()
		if err != nil {
			return err
		}
		gone := false
		for _, name := range names {
			if seen[name] {
				continue
			}
			more, err := read(name)
			if gone = errors.Is(err, fs.ErrNotExist); gone {
				break
			}
			if err != nil || !more {
				return err
			}
			seen[name] = true
		}
		if !gone {
			return nil
		}
	}
	return errRemovedWhileRead(l)
}

func errRemovedWhileRead(l *Lake) error {
	return Errorf("wait for the command that removes them, and try again",
		"%s: units are removed faster than the lake can be read", l.dir)
}

// Files lists the files of a table, one for each unit, by their names in the lake and in the order
// of these names. A file with a name that no unit's file can have is left out.
func (l *Lake) Files(table AnyTable) ([]string, error) {
	names, err := l.store.List(table.Name())
	return slices.DeleteFunc(names, func(name string) bool {
		stem, parquet := strings.CutSuffix(path.Base(name), ".parquet")
		return !parquet || !stemPattern.MatchString(stem)
	}), err
}

// readFooter reads the footer of a file of the lake: its schema, statistics, metadata and sizes. It
// closes the file, so no rows can be read from the result.
func readFooter(l *Lake, name string) (*parquet.File, error) {
	f, err := l.store.Open(name)
	if err != nil {
		return nil, err
	}
	pf, err := openParquet(l, f, name)
	return pf, errors.Join(err, f.Close())
}

// openParquet reads the footer of an open file of the lake, so that its rows can be read.
func openParquet(l *Lake, f files.File, name string) (*parquet.File, error) {
	pf, err := parseFooter(f, f.Size())
	if err != nil {
		return nil, Errorf(damagedFileHint, "%s: %w", l.Path(name), err)
	}
	return pf, nil
}
