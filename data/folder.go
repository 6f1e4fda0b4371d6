package data

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data/files"
)

// MartRecord is the record of the files of marts: their digests by name. A file that the record
// does not name belongs to no mart. A damaged record counts as empty, so that analyze makes all
// marts again. Names that no mart's file can have are left out, because callers read and remove
// files by these names.
func MartRecord(l *Lake) (map[string]FileDigest, error) {
	content, err := files.Read(l.store, recordFile)
	record := map[string]FileDigest{}
	if errors.Is(err, fs.ErrNotExist) {
		return record, nil
	}
	if err == nil && (json.Unmarshal(content, &record) != nil || record == nil) { // JSON's null gives nil.
		record = map[string]FileDigest{}
	}
	maps.DeleteFunc(record, func(name string, _ FileDigest) bool { return !martPattern.MatchString(name) })
	return record, err
}

// RelationOf is the table or mart that a file of the lake belongs to.
func RelationOf(file string) string {
	relation, _, _ := strings.Cut(strings.TrimPrefix(file, MartsFolder+"/"), "/")
	return strings.TrimSuffix(relation, ".parquet")
}

// martFiles lists the files in the folder of marts and in the folders of recorded folds, whether
// the files are recorded or not.
func martFiles(l *Lake, record map[string]FileDigest) (names []string, err error) {
	folders := map[string]bool{MartsFolder: true}
	for name := range record {
		folders[path.Dir(name)] = true
	}
	for folder := range folders {
		found, err := l.store.List(folder)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}

// Publish renames temporary files to files of marts: a key of names is a temporary file, and its
// value is the file of the mart. Publish removes the files in gone, and records the digests of the
// new files. The caller holds the folder of marts. After a crash, the next process that opens the
// lake completes the work.
func (l *Lake) Publish(names map[string]string, gone ...string) error {
	if err := l.writable(); err != nil {
		return err
	}
	temp := l.Temp(MartsFolder)
	commit, sums := commitRecord{Removes: gone}, map[string]FileDigest{}
	for from, to := range names {
		sum, err := DigestOf(l, from)
		if err != nil {
			return err
		}
		sums[to] = sum
		commit.Moves = append(commit.Moves, move{from, to})
	}
	// The record of marts changes in the same commit as the files. The function below writes the new
	// record to temp before the commit moves it.
	commit.Moves = append(commit.Moves, move{temp, recordFile})
	return commitUnit(l, MartsFolder, commit, func() error {
		record, err := MartRecord(l)
		if err != nil {
			return err
		}
		for _, name := range gone {
			delete(record, name)
		}
		maps.Copy(record, sums)
		content, err := json.MarshalIndent(record, "", " ")
		if err != nil {
			return err
		}
		return l.PutFile(temp, content)
	})
}

// unitList is a file with the units that the marts were computed from, one a line. If a unit is
// lost together with its record, only this file still names the unit.
const unitList = MartsFolder + "/units"

// unitsOfMarts reads the units from unitList. If there is no such file, there are no units.
func unitsOfMarts(l *Lake) ([]string, error) {
	content, err := files.Read(l.store, unitList)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(content)), err
}

// KeepUnits records which units the lake has, in the file unitList. Lake.remove deletes removed
// units from that file.
func (l *Lake) KeepUnits() error {
	return l.BetweenCommits(func() error {
		stems, err := unitsOf(l)
		if err != nil {
			return err
		}
		return l.PutFile(unitList, []byte(strings.Join(stems, "\n")))
	})
}
