package data

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/journal"
)

// A Journal keeps the rows of a unit in flight, as lines of JSON: each row that Append has taken survives a crash. Once its rows are
// committed with the unit, the journal is deleted.
type Journal[T any] struct {
	*journal.File[T]
	lake    *Lake
	name    string // of the journal's file in the lake
	release func() // gives the lock of the unit up
}

const (
	journalSuffix = ".jsonl"
	cutSuffix     = ".cut" // of what could not be read of a journal and was set aside
)

// OpenJournal opens the journal of a unit, by the stem of the unit's files, and makes it when it is absent. A torn last line is cut
// off: a copy stays beside the journal, and a notice says so. The lake must be open for writing. Until the journal is closed other
// processes are kept from the unit; the error of a unit that one of them is working on wraps ErrLocked.
func OpenJournal[T any](l *Lake, unit string) (j *Journal[T], err error) {
	name, err := journalFile(unit)
	if err != nil {
		return nil, err
	}
	release, err := l.Hold(unit)
	if err != nil {
		return nil, err
	}
	file, err := appendTo(l, name)
	if err != nil {
		release()
		return nil, err
	}
	explain := func(err error) error {
		return WithHint(err, "free some room or replace the disk, and run the same command again: what came back before is kept")
	}
	return &Journal[T]{journal.New[T](file, name, explain), l, name, release}, nil
}

// appendTo opens a journal's file for appending, without a torn last line.
func appendTo(l *Lake, name string) (*os.File, error) {
	whole := int64(0)
	for line, err := range journalLines(l, name) {
		if err != nil {
			return nil, err
		}
		whole += int64(len(line))
	}
	file, err := l.root.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return nil, l.writeError(err)
	}
	info, err := file.Stat()
	if err == nil && info.Size() > whole {
		err = setAside(l, name, file, []journal.Range{{From: whole, To: info.Size()}}, "its last line is torn, as a crash leaves it")
		if err == nil {
			err = errors.Join(file.Truncate(whole), file.Sync())
		}
	}
	if err == nil {
		err = files.SyncFolder(l.root, journalDir)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// journalFile is the name of a unit's journal. The stem is not shortened: units whose names begin alike have a journal
// each.
func journalFile(unit string) (string, error) {
	if !heldPattern.MatchString(unit) {
		return "", WithHint(fmt.Errorf("%q cannot be the name of a journal", unit), unitsHint)
	}
	return journalDir + "/" + unit + journalSuffix, nil
}

// JournalRows streams the rows of a unit's journal in the order of their appends, none when there is no such journal. The
// lake may be open for reading only, and another process may be appending.
func JournalRows[T any](l *Lake, unit string) iter.Seq2[T, error] {
	name, err := journalFile(unit)
	return func(yield func(T, error) bool) {
		var row T
		if err != nil {
			yield(row, err)
			return
		}
		for line, err := range journalLines(l, name) {
			if err == nil {
				row, err = journal.Decode[T](line)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Journals lists the units with work in flight. An empty journal, which a run leaves that ended before its first reply,
// holds none.
func (l *Lake) Journals() ([]string, error) {
	return journalFiles(l, journalSuffix)
}

// CutOff lists the copies of what could not be read of journals, by their names in the lake's folder journal. Nothing reads the copies;
// they are kept until somebody deletes them.
func CutOff(l *Lake) ([]string, error) {
	return journalFiles(l, cutSuffix)
}

func journalFiles(l *Lake, suffix string) ([]string, error) {
	names, err := l.store.List(journalDir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, n := range names {
		base, ok := strings.CutSuffix(strings.TrimPrefix(n, journalDir+"/"), suffix)
		if !ok {
			continue
		}
		info, err := l.root.Stat(n)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info.Size() > 0 {
			found = append(found, base)
		}
	}
	return found, nil
}

// Close closes the journal's file. Its rows stay until Delete.
func (j *Journal[T]) Close() error {
	defer j.release()
	return j.File.Close()
}

// Delete closes the journal and deletes it. It belongs after the commit of the unit that took its rows: a crash
// between the two leaves rows in both places, which the caller tells by their keys.
func (j *Journal[T]) Delete() error {
	// Before the lock is given up: whoever holds the unit next finds no journal.
	return errors.Join(j.lake.store.Remove(j.name), j.Close())
}
