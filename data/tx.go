package data

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data/files"
)

// A Tx collects the files of one unit until Commit publishes them together.
type Tx struct {
	unitHeader
	writers []*tableWriter
	extra   []move          // pictures, and the file of the unit's executions
	staged  map[string]bool // paths of the pictures in extra
	earlier []Run           // executions in another lake that this unit is joined from
	written bool            // WriteOut has closed the writers
	done    bool            // the unit was committed or aborted
	release func()          // releases the lock of the unit, unless the caller holds it
}

// Begin starts a unit, and keeps other processes from writing the unit until Commit or Abort. Abort
// after Commit does nothing. If another process is writing the unit, the error wraps ErrLocked.
func (l *Lake) Begin(u Unit) (*Tx, error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	switch u.Provenance {
	case ProvenancePublished, ProvenanceMeasured, ProvenanceSimulated:
	default:
		return nil, fmt.Errorf("unit %s %s: provenance %q is not one of published, measured, simulated", u.Stage,
			u.Name, u.Provenance)
	}
	release, err := l.Hold(u.FileStem())
	if err != nil {
		return nil, err
	}
	return &Tx{unitHeader: unitHeader{lake: l, unit: u, stem: u.FileStem(), started: l.now()}, release: release}, nil
}

// SetDetail replaces the unit's detail, for work with a detail known only at its end.
func (tx *Tx) SetDetail(detail string) { tx.unit.Detail = detail }

// SetFingerprint replaces the unit's fingerprint, for work with inputs known only at its end. Call
// it before Commit.
func (tx *Tx) SetFingerprint(fingerprint string) { tx.unit.Fingerprint = fingerprint }

// Until makes WriteOut fail if ctx ends while WriteOut merges sorted files.
func (tx *Tx) Until(ctx context.Context) { tx.until = ctx }

// AddPicture stages a picture under its digest and returns its path in the lake. Adding the same
// bytes again costs nothing. format is the file's ending without the dot.
func (tx *Tx) AddPicture(content []byte, format string) (path string, err error) {
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:]) + "." + format
	path = PicturesFolder + "/" + name
	if !picturePattern.MatchString(path) {
		return "", fmt.Errorf("store picture: %q is not the ending of a picture's name", format)
	}
	if tx.staged[path] {
		return path, nil
	}
	if size, err := files.Size(tx.lake.store, path); err == nil && size == int64(len(content)) {
		return path, nil // The lake has the picture. A picture of another size is damaged and written again.
	}
	temp := tx.lake.Temp(tx.stem + "." + name)
	if err := files.Write(tx.lake.store, temp, content); err != nil {
		return "", fmt.Errorf("store picture %s: %w", name, err)
	}
	tx.extra = append(tx.extra, move{temp, path})
	if tx.staged == nil {
		tx.staged = map[string]bool{}
	}
	tx.staged[path] = true
	return path, nil
}

// WriteOut writes the unit's tables to temporary files and makes them durable, so that Commit only
// has to publish them. WriteOut of several units may run at once; Commit may not. Write no rows
// after WriteOut, and abort the unit if WriteOut returns an error.
func (tx *Tx) WriteOut() error {
	if tx.done {
		return errEnded
	}
	if tx.written {
		return nil
	}
	tx.written = true
	// A unit is simulated if all rows of all its tables are simulated.
	notSimulated := func(w *tableWriter) bool { return !w.simulated() }
	if len(tx.writers) > 0 && !slices.ContainsFunc(tx.writers, notSimulated) {
		tx.unit.Provenance = ProvenanceSimulated
	}
	errs := make([]error, len(tx.writers)) // the error of each writer
	var group sync.WaitGroup
	var merging sync.Mutex // held while a large table is merged: one at a time
	for i, w := range tx.writers {
		group.Go(func() {
			if len(w.spilled) > 0 { // The table is large, and merging its temporary files takes memory.
				merging.Lock()
				defer merging.Unlock()
			}
			if err := w.close(); err != nil {
				errs[i] = fmt.Errorf("table %s: %w", w.table.name, err)
			}
		})
	}
	group.Wait()
	return cmp.Or(errs...)
}

// Try finds any error that would keep the unit from being committed, and then aborts the unit.
func (tx *Tx) Try() error {
	defer tx.Abort()
	if err := tx.WriteOut(); err != nil {
		return err
	}
	return tx.collides()
}

// Commit publishes the unit's files together. Before the commit record is on disk, the lake has no
// new file of the unit. Once the record is on disk, the lake has all new files, also after a crash.
// Files of the unit's earlier execution are replaced, or removed if the unit no longer writes their
// table.
func (tx *Tx) Commit() error {
	if tx.done {
		return errEnded
	}
	defer tx.Abort()
	record, err := tx.stage()
	if err != nil {
		return err
	}
	err = commitUnit(tx.lake, tx.stem, record, func() error {
		err := tx.collides()
		// From here on, the record of the commit may be on disk. So Abort must not delete files.
		tx.done = err == nil
		return err
	})
	if err != nil && tx.done {
		return Errorf("free some room or repair the disk, and run the same command again", "commit %s: %w", tx.stem,
			err)
	}
	return err
}

var errEnded = errors.New("the unit has ended")

// stage writes all files of the unit to temporary files, the file of its executions too, and
// returns the record of their commit.
func (tx *Tx) stage() (record commitRecord, err error) {
	if err := tx.WriteOut(); err != nil {
		return record, err
	}
	// Common keys are looked for before the commit, when no other process waits. The commit looks
	// again, but only in files that are new since.
	if err := tx.collides(); err != nil {
		return record, err
	}
	// Times have microseconds, as in the file of runs. Execution gets its number below.
	run := Run{
		Stage: tx.unit.Stage, Unit: tx.stem, Protocol: tx.unit.Protocol, Fingerprint: tx.unit.Fingerprint,
		Source: tx.unit.Source, Provenance: tx.unit.Provenance, ToolVersion: Version, Execution: new(int32),
		StartedAt:  tx.started.UTC().Truncate(time.Microsecond),
		FinishedAt: tx.lake.now().UTC().Truncate(time.Microsecond),
		Detail:     tx.unit.Detail, RunID: tx.runID(),
	}
	for _, w := range tx.writers {
		record.Moves = append(record.Moves, move{w.temp, w.final})
		run.Tables = append(run.Tables, w.table.name)
		run.Rows += w.rows
		run.TableBytes, run.TableSHA256 = append(run.TableBytes, w.sum.Bytes), append(run.TableSHA256, w.sum.SHA256)
	}
	// The file of runs has all executions of the unit. This execution gets the next number.
	earlier, err := unitRuns(tx.lake, tx.stem)
	if err != nil {
		return record, err
	}
	earlier = follow(earlier, tx.earlier)
	if last := current(earlier); last != nil {
		*run.Execution = *last.Execution
	}
	*run.Execution++
	runs, err := writeRuns(&tx.unitHeader, append(earlier, run))
	tx.extra = append(tx.extra, runs) // also after an error, so that Abort deletes the file
	record.Moves = append(record.Moves, tx.extra...)
	record.removeBut(tx.stem, run.Tables)
	return record, err
}

// collides returns an error if another unit has rows of the same keys. It reads only files that
// were not compared before.
func (tx *Tx) collides() error { return checkKeys(tx.lake, tx.checks()) }

// checks are the checks of the unit's tables. They remember the files that they have compared.
func (tx *Tx) checks() (all []*keyCheck) {
	for _, w := range tx.writers {
		all = append(all, &w.keyCheck)
	}
	return all
}

// writeRuns stages a unit's file of the table runs.
func writeRuns(h *unitHeader, runs []Run) (move, error) {
	w := newTableWriter(h, Runs.table)
	staged := move{w.temp, w.final}
	for i := range runs {
		if err := w.add(&runs[i]); err != nil {
			return staged, err
		}
	}
	return staged, w.close()
}

// Abort ends the unit without a commit and deletes its temporary files. The tables of the lake are
// unchanged.
func (tx *Tx) Abort() {
	defer tx.release()
	if tx.done {
		return
	}
	tx.done = true
	for _, w := range tx.writers {
		w.abort()
	}
	for _, m := range tx.extra {
		// If this fails, the next writer removes the file.
		_ = tx.lake.store.Remove(m.From)
	}
}

// Rows counts the rows written so far, by table.
func (tx *Tx) Rows() map[string]int {
	counts := make(map[string]int, len(tx.writers))
	for _, w := range tx.writers {
		counts[w.table.name] = int(w.rows)
	}
	return counts
}

// Unit is the unit that the transaction belongs to.
func (tx *Tx) Unit() Unit { return tx.unit }

// NewRowWriter starts writing a unit's file of a table. A unit writes a table at most once.
// tx.Commit finishes the file.
func NewRowWriter[T any](tx *Tx, table Table[T]) (*RowWriter[T], error) {
	w, err := tx.writer(table.table)
	return &RowWriter[T]{w}, err
}

// writer is NewRowWriter without the type parameter.
func (tx *Tx) writer(t *table) (*tableWriter, error) {
	if tx.done {
		return nil, errEnded
	}
	for _, w := range tx.writers {
		if w.table == t {
			return nil, fmt.Errorf("unit %s writes table %s twice", tx.stem, t.name)
		}
	}
	w := newTableWriter(&tx.unitHeader, t)
	tx.writers = append(tx.writers, w)
	return w, nil
}

// commitUnit makes a record durable and carries the record out, unless allowed returns an error. No
// other process commits between the call of allowed and the return of commitUnit. stem is the name
// of the record, which may have files of several units. listCommit is called before the record is
// written, so that completing the commit needs no room on the disk. If the commit fails after
// listCommit, other processes read the listed units once more, which does no harm.
func commitUnit(l *Lake, stem string, record commitRecord, allowed func() error) error {
	content, err := record.encode()
	if err != nil {
		return err
	}
	if _, err := decodeCommit(content, stem); err != nil {
		return err // After a crash, no process would carry out such a record.
	}
	return l.BetweenCommits(func() error {
		if err := allowed(); err != nil {
			return err
		}
		name := journalDir + "/" + stem + commitSuffix
		if err := listCommit(l, record); err != nil {
			return err
		}
		if err := l.PutFile(name, content); err != nil {
			return err
		}
		return completeCommit(l, pendingCommit{name, stem, record})
	})
}
