package data

import (
	"bufio"
	"errors"
	"fmt"
	"iter"
	"path"

	"github.com/captionlake/captionlake/data/journal"
)

// A Repair says what was done to a damaged journal.
type Repair struct {
	Unit  string `json:"unit"`
	Kept  int    `json:"kept"`  // lines that pass their checksum
	Cut   int    `json:"cut"`   // lines that fail their checksum
	Bytes int64  `json:"bytes"` // size of the lines that were cut out, which are kept in a copy
}

// RepairJournals makes every damaged journal of the lake readable. It cuts out the lines that fail
// their checksum and keeps a copy of these lines beside the journal. The requests with replies in
// these lines are then pending again. Sound journals stay as they are and are not reported. A
// journal that another process is writing is left alone. The lake must be open for writing.
func RepairJournals(l *Lake) ([]Repair, error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	units, err := l.Journals()
	if err != nil {
		return nil, err
	}
	var all []Repair
	for _, unit := range units {
		release, err := l.Hold(unit)
		if errors.Is(err, ErrLocked) {
			l.Tell(fmt.Sprintf("the journal is left alone: %v", err))
			continue
		}
		if err != nil {
			return all, err
		}
		r, err := repairJournal(l, unit)
		release()
		if err != nil {
			return all, err
		}
		if r.Cut > 0 {
			all = append(all, r)
		}
	}
	return all, nil
}

// repairJournal counts the damaged lines of a journal. If there are any, it sets these lines aside
// and rewrites the journal without them.
func repairJournal(l *Lake, unit string) (r Repair, err error) {
	name := journalDir + "/" + unit + journalSuffix
	f, err := l.store.Open(name)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r.Unit = unit
	var damaged []journal.Range
	sound := journal.Lines(f, f.Size(), l.Path(name), func(_ int, at journal.Range) error {
		damaged = append(damaged, at)
		r.Cut, r.Bytes = r.Cut+1, r.Bytes+at.To-at.From
		return nil
	})
	for _, err := range sound {
		if err != nil {
			return r, err
		}
		r.Kept++
	}
	if r.Cut == 0 {
		return r, nil
	}
	if err := setAside(l, name, f, damaged, "its disk has damaged it"); err != nil {
		return r, err
	}
	// Lines leaves out a damaged line if this function returns no error.
	skip := func(int, journal.Range) error { return nil }
	return r, rewriteJournal(l, name, journal.Lines(f, f.Size(), l.Path(name), skip))
}

// rewriteJournal replaces a journal by one with the given lines, atomically.
func rewriteJournal(l *Lake, name string, lines iter.Seq2[[]byte, error]) error {
	temp := l.Temp(path.Base(name))
	file, err := l.store.Create(temp)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<20) // 1 MB
	for line, lineErr := range lines {
		if err = lineErr; err == nil {
			_, err = w.Write(line)
		}
		if err != nil {
			break
		}
	}
	if err = errors.Join(err, w.Flush(), file.Close()); err != nil {
		return errors.Join(err, l.store.Remove(temp))
	}
	return l.store.Move(temp, name)
}
