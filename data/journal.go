package data

import (
	"errors"
	"iter"
	"os"

	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/journal"
)

// A Journal keeps the rows of a unit in progress as lines of JSON. Every row that Append has
// accepted survives a crash. Once the rows are committed with the unit, the journal is deleted.
type Journal[T any] struct {
	*journal.File[T]
	lake    *Lake
	name    string // of the journal's file in the lake
	release func() // releases the lock of the unit
}

// OpenJournal opens the journal of a unit, by the stem of the unit's files, and creates a missing
// journal. A torn last line is cut off: a copy stays beside the journal, and a notice says so. The
// lake must be open for writing. Other processes cannot write the unit until the journal is closed.
// If another process is writing the unit, the error wraps ErrLocked.
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
		return WithHint(err,
			"free some room or replace the disk, and run the same command again: what came back before is kept")
	}
	return &Journal[T]{journal.New[T](file, name, explain), l, name, release}, nil
}

// appendTo opens a journal's file for appending, without a torn last line.
func appendTo(l *Lake, name string) (*os.File, error) {
	whole := int64(0) // bytes of whole lines
	for line, err := range journalLines(l, name) {
		if err != nil {
			return nil, err
		}
		whole += int64(len(line))
	}
	// The file is open for reading too, because setAside reads the torn line.
	file, err := l.root.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return nil, l.writeError(err)
	}
	info, err := file.Stat()
	if err == nil && info.Size() > whole {
		err = setAside(l, name, file, []journal.Range{{From: whole, To: info.Size()}},
			"its last line is torn, as a crash leaves it")
		if err == nil {
			err = errors.Join(file.Truncate(whole), file.Sync())
		}
	}
	if err == nil { // The name of a new journal must survive a power failure too.
		err = files.SyncFolder(l.root, journalDir)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// JournalRows streams the rows of a unit's journal in the order of their appends. If there is no
// journal, it gives no rows. The lake may be open for reading only, and another process may be
// appending.
func JournalRows[T any](l *Lake, unit string) iter.Seq2[T, error] {
	return JournalRowsFrom[T](l, unit, new(int64))
}

// JournalRowsFrom is JournalRows for the rows after an offset in the journal. It moves the offset
// behind each row, so that the next call streams only rows that were appended since.
func JournalRowsFrom[T any](l *Lake, unit string, from *int64) iter.Seq2[T, error] {
	name, err := journalFile(unit)
	return func(yield func(T, error) bool) {
		var row T
		if err != nil {
			yield(row, err)
			return
		}
		for line, err := range journalLinesFrom(l, name, from) {
			if err == nil {
				row, err = journal.Decode[T](line)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Close closes the journal's file and releases the unit. The file stays in the lake until Delete.
func (j *Journal[T]) Close() error {
	defer j.release()
	return j.File.Close()
}

// Delete closes the journal and deletes its file. Call Delete after the commit of the unit with the
// journal's rows. After a crash between commit and Delete, the rows are in the unit and in the
// journal, and the caller recognises the duplicates by their keys.
func (j *Journal[T]) Delete() error {
	// The lock is released last, so that the next holder of the unit finds no journal.
	return errors.Join(j.lake.store.Remove(j.name), j.Close())
}
