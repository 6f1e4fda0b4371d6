package data

import (
	"errors"
	"io"
	"io/fs"
	"strings"
)

// CommittedByOthers lists the units that other processes have committed, in the order of their
// commits. It reads the list of commits from an offset on, and also returns the offset of the
// list's end. The list begins anew when a process opens the lake for writing and no other writer
// has it open.
func (l *Lake) CommittedByOthers(from int64) (units []string, to int64, err error) {
	info, err := l.root.Stat(commitList)
	// A unit is listed before it is committed. So if the list has not grown, there is no commit to
	// wait for.
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() <= from {
		return nil, from, nil
	}
	// The list is read after the end of a commit in progress, when all listed units can be read.
	err = errors.Join(err, l.BetweenCommits(func() error {
		list, err := l.store.Open(commitList)
		if err != nil {
			return err
		}
		more := list.Size() - from
		if more > mostListed {
			return errors.Join(list.Close(), Errorf("delete it while no command writes to the lake",
				"%s has %d bytes, which no lake's has", l.Path(commitList), list.Size()))
		}
		fresh, err := io.ReadAll(io.NewSectionReader(list, from, more))
		to = from + int64(len(fresh))
		for line := range strings.Lines(string(fresh)) {
			by, stem, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			own := l.session != nil && by == l.session.id
			if !own && stemPattern.MatchString(stem) { // Empty and torn lines do not match.
				units = append(units, stem)
			}
		}
		return errors.Join(err, list.Close())
	}))
	return units, to, err
}
