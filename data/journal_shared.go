package data

import (
	"errors"
	"io/fs"
	"iter"
)

// Earlier releases shortened the names of journals, so that units whose names begin alike shared one. Whose row such a
// journal holds only the unit's plan can tell: each unit takes its own over, and the others' stay.

// sharedJournal is the name of the journal that earlier releases gave a unit; it is empty when that is today's name.
func sharedJournal(unit string) string {
	if short := slug(unit); short != unit && journalPattern.MatchString(short) {
		return journalDir + "/" + short + journalSuffix
	}
	return ""
}

// SharedJournalRows streams the rows of the journal that earlier releases kept for a unit and, perhaps, for others whose
// names begin alike. There are none when there is no such journal.
func SharedJournalRows[T any](l *Lake, unit string) iter.Seq2[T, error] {
	if name := sharedJournal(unit); name != "" {
		return replay[T](l, name)
	}
	return func(func(T, error) bool) {}
}

// TakeShared hands the unit's own rows, which mine tells, of the journal that earlier releases kept for several units to keep, which
// makes them durable in the unit's own. A crash in between leaves rows in both, which their keys tell.
func TakeShared[T any](l *Lake, keep func(...T) error, unit string, mine func(T) bool) error {
	name := sharedJournal(unit)
	if name == "" {
		return nil
	}
	// One unit after the other: each writes the journal anew. What another process has yet to leave there stays for the next run.
	release, err := l.Hold(slug(unit))
	if errors.Is(err, ErrLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	defer release()
	if _, err := l.readyJournal(name); err != nil {
		return err
	}
	var taken []T
	others := 0
	for row, err := range replay[T](l, name) {
		if err != nil {
			return err
		}
		if !mine(row) {
			others++
			continue
		}
		if taken = append(taken, row); len(taken) == readBatch {
			if err := keep(taken...); err != nil {
				return err
			}
			taken = taken[:0]
		}
	}
	if len(taken) > 0 {
		if err := keep(taken...); err != nil {
			return err
		}
	}
	if others == 0 {
		return l.store.Remove(name)
	}
	return l.keepRows(name, func(payload []byte) (bool, error) {
		row, err := decodeRow[T](payload)
		return err == nil && !mine(row), err
	})
}

// keepRows writes a journal anew with the records that keep is true of.
func (l *Lake) keepRows(name string, keep func(payload []byte) (bool, error)) error {
	f, err := l.store.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	kept := func(yield func([]byte, error) bool) {
		for payload, err := range newRecordReader(f, l.Path(name)).records() {
			stays := err != nil
			if err == nil {
				stays, err = keep(payload)
			}
			if (stays || err != nil) && (!yield(payload, err) || err != nil) {
				return
			}
		}
	}
	_, err = l.rewriteJournal(name, kept)
	return errors.Join(err, f.Close())
}
