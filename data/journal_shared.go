package data

import (
	"errors"
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

// TakeShared moves a unit's rows out of the journal that earlier releases kept for several units: it passes the rows for which mine is
// true to keep, which must make them durable, and then removes them. A crash in between leaves rows in both journals; their keys tell.
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
	_, err = l.rewriteJournal(name, func(yield func([]byte, error) bool) {
		for payload, err := range l.payloads(name) {
			var row T
			if err == nil {
				row, err = decodeRow[T](payload)
			}
			if (err != nil || !mine(row)) && (!yield(payload, err) || err != nil) {
				return
			}
		}
	})
	return err
}
