package data

import (
	"errors"
	"fmt"
	"io/fs"
)

// listings is how often a reader lists a table anew because a file that it was to read has been removed meanwhile, by another
// process that removes or replaces units.
const listings = 10

// eachFile hands every file that list names to read, in their order. A file that is gone by then belongs to a unit that was
// removed meanwhile: the files are listed again, and those that replace it are read, too. read reports
// whether to go on; its error of a file that is gone satisfies errors.Is(err, fs.ErrNotExist) and comes before anything
// was read of it.
func (l *Lake) eachFile(list func() ([]string, error), read func(name string) (bool, error)) error {
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
	return l.errRestless()
}

func (l *Lake) errRestless() error {
	return WithHint(fmt.Errorf("%s: units are removed faster than the lake can be read", l.dir), "wait for the command that removes them, and try again")
}
