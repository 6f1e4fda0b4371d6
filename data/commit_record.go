package data

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/files"
)

const (
	commitSuffix = ".commit.json"
	// commitList is the file that lists the units committed since a writer last opened the lake while
	// no other writer had it open.
	commitList = journalDir + "/commits"
	mostListed = 64 << 20 // bytes that the list may grow by between two reads: some 600,000 commits
	// lockMode is the mode of lock files: no other user of the machine can open one and keep
	// writers waiting.
	lockMode = 0o600
)

// A commitRecord is the durable intent to publish the files of one unit. Once the record is on
// disk, the unit is committed: whoever opens the lake next completes the moves.
//
// A record is not trusted, because a lake may come from somebody else and a disk may damage the
// record. A record is carried out only if captionlake itself could have written it.
type commitRecord struct {
	Moves   []move   `json:"moves"`
	Removes []string `json:"removes"`
	Sum     string   `json:"sum"` // digest of the record without this field
}

type move struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// ErrCommitRecord is wrapped by the error of a commit record that is damaged or that captionlake
// did not write.
var ErrCommitRecord = errors.New("the commit record is not one that captionlake wrote")

// digest is the SHA-256 of the record without Sum.
func (r commitRecord) digest() (string, error) {
	r.Sum = ""
	content, err := json.Marshal(r)
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:]), err
}

// encode is the content of the record's file. r is a copy, so only the file gets the new Sum.
func (r commitRecord) encode() (_ []byte, err error) {
	if r.Sum, err = r.digest(); err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

// check reports anything in the record of a unit, or of the folder of marts, that captionlake would
// not write. A record may move files only from the journal, and only to the name of a unit's file
// in a table or of a picture. It may remove only files of units. The record of marts may move and
// remove files of marts instead. A record may have files of several units, since merge and remove
// commit several units together. Then stem is one of these units.
func (r commitRecord) check(stem string) error {
	if stem != MartsFolder && !stemPattern.MatchString(stem) {
		return errors.New("its name is not the name of a unit")
	}
	sum, err := r.digest()
	if err != nil {
		return err
	}
	if sum != r.Sum {
		return errors.New("it does not match its digest")
	}
	isOurs := func(name string) bool {
		_, ok := unitFile(name)
		return ok
	}
	if stem == MartsFolder {
		isOurs = func(name string) bool { return name == recordFile || martPattern.MatchString(name) }
	}
	for _, m := range r.Moves {
		if !tempPattern.MatchString(m.From) {
			return fmt.Errorf("it moves %q, which is not a temporary file of the journal", m.From)
		}
		if !isOurs(m.To) && !picturePattern.MatchString(m.To) {
			return fmt.Errorf("it moves a file to %q, which is neither a file of the unit nor a picture", m.To)
		}
	}
	for _, name := range r.Removes {
		if !isOurs(name) {
			return fmt.Errorf("it removes %q, which is not a file of the unit", name)
		}
	}
	return nil
}

// removeBut makes the record remove the files that a unit may have in all tables but the given
// tables and runs (unitFiles leaves out runs).
func (r *commitRecord) removeBut(stem string, tables []string) {
	for _, name := range unitFiles(stem) {
		if !slices.Contains(tables, path.Dir(name)) {
			r.Removes = append(r.Removes, name)
		}
	}
}

// A pendingCommit is a commit record that still has to be carried out.
type pendingCommit struct {
	name   string // of the record's file
	unit   string
	record commitRecord
}

// pendingCommits reads all commit records in the journal, and carries out no record. A record that
// captionlake did not write is an error. Records that another process completes while we read are
// skipped.
func pendingCommits(l *Lake) ([]pendingCommit, error) {
	names, err := l.store.List(journalDir)
	if err != nil {
		return nil, err
	}
	var pending []pendingCommit
	for _, name := range names {
		unit, ok := strings.CutSuffix(strings.TrimPrefix(name, journalDir+"/"), commitSuffix)
		if !ok {
			continue
		}
		content, err := files.Read(l.store, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		record, err := decodeCommit(content, unit)
		if err != nil {
			return nil, Errorf("nothing was moved or removed: if the lake is your own, "+
				"its disk has damaged the record, and a copy of the lake helps; deleting the record gives its unit up, "+
				"and the step that made the unit makes it again", "%s: %w: %w", l.Path(name), ErrCommitRecord, err)
		}
		pending = append(pending, pendingCommit{name, unit, record})
	}
	return pending, nil
}

// decodeCommit reads and checks the commit record of a unit. If it returns no error, the record may
// be carried out.
func decodeCommit(content []byte, unit string) (r commitRecord, err error) {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields() // A later release might give such fields a meaning.
	if err := decoder.Decode(&r); err != nil {
		return r, err
	}
	if decoder.More() {
		return r, errors.New("something follows it")
	}
	return r, r.check(unit)
}

// completeCommits completes commits that a crash or a failing disk has interrupted. Its caller
// holds the lock of commits. A bad record is an error before any record is carried out.
func completeCommits(l *Lake) error {
	pending, err := pendingCommits(l)
	for _, p := range pending {
		if err == nil {
			err = completeCommit(l, p)
		}
	}
	return err
}

// listCommit adds the units of a record to the list of commits. A line feed comes before each line
// too, because a killed process may have left a part of a line.
func listCommit(l *Lake, r commitRecord) error {
	lines := ""
	for _, stem := range r.units() {
		lines += "\n" + l.session.id + " " + stem + "\n"
	}
	if lines == "" { // The record of marts has files of no unit.
		return nil
	}
	file, err := l.root.OpenFile(commitList, os.O_WRONLY|os.O_APPEND|os.O_CREATE, lockMode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(lines)
	return errors.Join(err, file.Close())
}

// units are the units with files that the record moves or removes.
func (r commitRecord) units() (stems []string) {
	names := slices.Clone(r.Removes)
	for _, m := range r.Moves {
		names = append(names, m.To)
	}
	for _, name := range names {
		if stem, ok := unitFile(name); ok && !slices.Contains(stems, stem) {
			stems = append(stems, stem)
		}
	}
	return stems
}

// completeCommit carries out a record that is on disk, and then removes the record. After a crash,
// the next process carries the record out again. If a file to move is missing then, the file was
// moved before the crash. Removing a missing file is no error of the store.
func completeCommit(l *Lake, p pendingCommit) error {
	for _, m := range p.record.Moves {
		if err := l.store.Move(m.From, m.To); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("publish %s: %w", m.To, err)
		}
	}
	for _, name := range p.record.Removes {
		if err := l.store.Remove(name); err != nil {
			return fmt.Errorf("remove %s: %w", name, err)
		}
	}
	return l.store.Remove(p.name)
}
