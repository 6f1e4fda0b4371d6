package data

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"time"
)

// Where the rows of a unit come from.
const (
	ProvenancePublished = "published" // printed by somebody, taken over as it stands
	ProvenanceMeasured  = "measured"  // computed from what a real model said
	ProvenanceSimulated = "simulated" // made up: the simulator's draws, or replies of rehearsal models
)

// Provenances lists every provenance in the order in which results are shown.
func Provenances() []string {
	return []string{ProvenancePublished, ProvenanceMeasured, ProvenanceSimulated}
}

// Version is the version of captionlake that is written into every file. The build may set it.
var Version = "0.1.0-dev"

// A Unit is one piece of work whose results are committed whole or not at all.
type Unit struct {
	Stage       string // what runs, such as ingest/captions
	Name        string // what it works on, unique within the stage; readable, because file names are made from it
	Protocol    string // protocol, where there is one
	Fingerprint string // digest of inputs and configuration; the same fingerprint means there is nothing to do
	Source      string // what the rows are made from
	Provenance  string // ProvenancePublished, ProvenanceMeasured or ProvenanceSimulated
	Detail      string // JSON of what else is worth keeping in runs
}

// FileStem is the name of the unit's file in each table's folder, without the ending: a readable slug and a short
// digest that keeps units with the same slug apart.
func (u Unit) FileStem() string {
	sum := sha256.Sum256([]byte(u.Stage + "\x00" + u.Name))
	return slug(u.Stage+"-"+u.Name) + "-" + hex.EncodeToString(sum[:4])
}

// slug keeps the letters, digits, dots and dashes of a name that any file system takes, at most 80 of them.
func slug(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.':
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			dash = false
		default:
			dash = true
		}
		if b.Len() >= 80 {
			break
		}
	}
	return strings.Trim(b.String(), ".")
}

// Fingerprint digests what a unit's results depend on: each part is written with its length, so that no two lists of
// parts look alike.
func Fingerprint(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A Tx collects the files of one unit until Commit publishes them together.
type Tx struct {
	lake    *Lake
	unit    Unit
	stem    string
	started time.Time
	writers []*openTable
	extra   []move
	done    bool
}

// openTable is what a Tx needs of a RowWriter whose row type it does not know.
type openTable struct {
	table string
	temp  string
	final string
	rows  *int64
	sum   *FileDigest // of the file, once it is closed
	close func() error
	abort func()
	// collides looks for rows that another unit holds too.
	collides func(temp, final string) error
}

// Done reports whether the unit is committed with the same fingerprint, so that there is nothing to do: one of its
// executions had it and wrote every file that the unit has now. Times play no part, since clocks jump.
func (l *Lake) Done(u Unit) (bool, error) {
	runs, err := l.unitRuns(u.FileStem())
	if err != nil {
		return false, err
	}
	for _, run := range runs {
		if run.Fingerprint != u.Fingerprint {
			continue
		}
		stands, err := l.stands(run)
		if err != nil || stands {
			return stands, err
		}
	}
	return false, nil
}

// stands reports whether the files of a unit are those that an execution wrote, byte for byte. An execution that wrote
// none stands as long as no other has written any.
func (l *Lake) stands(run Run) (bool, error) {
	if run.Execution == nil {
		return l.standsByRunID(run)
	}
	for _, name := range unitFiles(run.Unit) {
		sum, err := l.digestOf(name, false)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		i := slices.Index(run.Tables, path.Dir(name))
		written := i >= 0 && i < len(run.TableSHA256) && i < len(run.TableBytes)
		if there := err == nil; there != written || written && sum != (FileDigest{run.TableBytes[i], run.TableSHA256[i]}) {
			return false, nil
		}
	}
	return true, nil
}

// standsByRunID is stands for executions of versions that recorded no digests: the files name the execution that wrote
// them.
func (l *Lake) standsByRunID(run Run) (bool, error) {
	for _, t := range Tables() {
		if t.Name() == Runs.Name() {
			continue
		}
		writer, err := l.runOf(t.Name() + "/" + run.Unit + ".parquet")
		written := slices.Contains(run.Tables, t.Name())
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if written {
				return false, nil
			}
		case err != nil:
			return false, err
		case !written || writer != run.RunID:
			return false, nil
		}
	}
	return true, nil
}

func (l *Lake) unitRuns(stem string) ([]Run, error) {
	var runs []Run
	for run, err := range scanFile[Run](l, "runs/"+stem+".parquet") {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// Begin starts a unit. The caller ends it with Commit, or with Abort, which after a Commit does nothing.
func (l *Lake) Begin(u Unit) (*Tx, error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	switch u.Provenance {
	case ProvenancePublished, ProvenanceMeasured, ProvenanceSimulated:
	default:
		return nil, fmt.Errorf("unit %s %s: provenance %q is not one of published, measured, simulated", u.Stage, u.Name, u.Provenance)
	}
	return &Tx{lake: l, unit: u, stem: u.FileStem(), started: l.now()}, nil
}

// Unit is the unit that the transaction belongs to.
func (tx *Tx) Unit() Unit { return tx.unit }

// SetDetail replaces the unit's detail, for what is known only when the work is done.
func (tx *Tx) SetDetail(detail string) { tx.unit.Detail = detail }

// SetFingerprint replaces the unit's fingerprint, for work whose inputs are known only when it is done. It must come before
// Commit.
func (tx *Tx) SetFingerprint(fingerprint string) { tx.unit.Fingerprint = fingerprint }

// AddPicture stages a picture under its digest and returns its path in the lake. Adding the same bytes again costs
// nothing. format is the file's ending without the dot.
func (tx *Tx) AddPicture(content []byte, format string) (path string, err error) {
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:]) + "." + format
	path = PicturesFolder + "/" + name
	if !picturePattern.MatchString(path) {
		return "", fmt.Errorf("store picture: %q is not the ending of a picture's name", format)
	}
	if slices.ContainsFunc(tx.extra, func(m move) bool { return m.To == path }) {
		return path, nil
	}
	if f, err := tx.lake.store.Open(path); err == nil {
		same := f.Size() == int64(len(content))
		if err := f.Close(); err != nil {
			return "", err
		}
		if same {
			return path, nil
		}
	}
	temp := journalDir + "/" + tx.stem + "." + name + tempSuffix
	if err := writeFile(tx.lake.store, temp, content); err != nil {
		return "", fmt.Errorf("store picture %s: %w", name, err)
	}
	tx.extra = append(tx.extra, move{temp, path})
	return path, nil
}

// Commit publishes the unit's files together: after it has returned nil, and after any crash from the moment the
// commit record is on disk, the lake holds all of them; before that moment it holds none.
// The unit's files of an earlier execution are replaced, and those of tables it no longer writes are removed.
func (tx *Tx) Commit() (err error) {
	if tx.done {
		return errors.New("the unit has ended")
	}
	defer func() {
		if err != nil {
			tx.Abort()
		}
	}()
	l := tx.lake
	run := Run{
		Stage: tx.unit.Stage, Unit: tx.stem, Protocol: tx.unit.Protocol, Fingerprint: tx.unit.Fingerprint,
		Source: tx.unit.Source, Provenance: tx.unit.Provenance, ToolVersion: Version,
		StartedAt: tx.started.UTC().Truncate(time.Microsecond), FinishedAt: l.now().UTC().Truncate(time.Microsecond),
		Detail: tx.unit.Detail, RunID: tx.runID(),
	}
	var record commitRecord
	for _, w := range tx.writers {
		if err := w.close(); err != nil {
			return fmt.Errorf("table %s: %w", w.table, err)
		}
		if err := w.collides(w.temp, w.final); err != nil {
			return fmt.Errorf("table %s: %w", w.table, err)
		}
		record.Moves = append(record.Moves, move{w.temp, w.final})
		run.Tables = append(run.Tables, w.table)
		run.Rows += *w.rows
		run.TableBytes, run.TableSHA256 = append(run.TableBytes, w.sum.Bytes), append(run.TableSHA256, w.sum.SHA256)
	}
	runMove, err := tx.writeRun(run)
	if err != nil {
		return err
	}
	record.Moves = append(append(record.Moves, tx.extra...), runMove)
	for _, t := range Tables() {
		if t.Name() != Runs.Name() && !slices.Contains(run.Tables, t.Name()) {
			record.Removes = append(record.Removes, t.Name()+"/"+tx.stem+".parquet")
		}
	}
	tx.done = true
	if err := l.commit(tx.stem, record); err != nil {
		return WithHint(fmt.Errorf("commit %s: %w", tx.stem, err), "free some room or repair the disk, and run the same command again")
	}
	return nil
}

// writeRun stages the unit's file of the table runs: its earlier executions and this one.
func (tx *Tx) writeRun(run Run) (move, error) {
	earlier, err := tx.lake.unitRuns(tx.stem)
	if err != nil {
		return move{}, err
	}
	next := int32(1)
	if last := current(earlier); last != nil {
		next = *last.Execution + 1
	}
	run.Execution = &next
	return writeRuns(&Tx{lake: tx.lake, unit: tx.unit, stem: tx.stem, started: tx.started}, append(earlier, run))
}

// writeRuns stages a unit's file of the table runs. The transaction is used for nothing else.
func writeRuns(tx *Tx, runs []Run) (move, error) {
	w, err := NewRowWriter(tx, Runs)
	if err != nil {
		return move{}, err
	}
	if err := w.Write(runs...); err != nil {
		w.abort()
		return move{}, err
	}
	if err := w.close(); err != nil {
		return move{}, err
	}
	return move{w.temp, Runs.Name() + "/" + tx.stem + ".parquet"}, nil
}

func (tx *Tx) runID() string {
	return Fingerprint(tx.stem, tx.unit.Fingerprint, tx.started.UTC().Format(time.RFC3339Nano))[:16]
}

// Abort gives the unit up and deletes its temporary files. The lake is as it was.
func (tx *Tx) Abort() {
	if tx.done {
		return
	}
	tx.done = true
	for _, w := range tx.writers {
		w.abort()
	}
	for _, m := range tx.extra {
		// What cannot be removed now is removed when the lake is next opened for writing.
		_ = tx.lake.store.Remove(m.From)
	}
}

// metadata is the provenance that every file of the unit carries.
func (tx *Tx) metadata() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, kv := range [][2]string{
			{"captionlake.tool_version", Version},
			{"captionlake.run_id", tx.runID()},
			{"captionlake.stage", tx.unit.Stage},
			{"captionlake.unit", tx.stem},
			{"captionlake.protocol", tx.unit.Protocol},
			{"captionlake.fingerprint", tx.unit.Fingerprint},
			{"captionlake.source", tx.unit.Source},
			{"captionlake.provenance", tx.unit.Provenance},
		} {
			if !yield(kv[0], kv[1]) {
				return
			}
		}
	}
}

// Remove takes a unit out of the lake: its rows in every table, and its executions in runs. stem is the name of its
// files without the ending, as runs.unit has it.
func (l *Lake) Remove(stem string) error {
	if err := l.writable(); err != nil {
		return err
	}
	if err := l.mustHold(stem); err != nil {
		return err
	}
	var record commitRecord
	for _, t := range Tables() {
		record.Removes = append(record.Removes, t.Name()+"/"+stem+".parquet")
	}
	return l.commit(stem, record)
}

// Rows counts the rows written so far, by table.
func (tx *Tx) Rows() map[string]int {
	counts := make(map[string]int, len(tx.writers))
	for _, w := range tx.writers {
		counts[w.table] = int(*w.rows)
	}
	return counts
}
