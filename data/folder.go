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

// The folders of the lake beside those of its tables.

// MartRecord is what is recorded of the files of marts: their digests by name. A file that it does not name is part of no mart. A record that
// cannot be read has none: its files are then made again.
func MartRecord(l *Lake) (map[string]FileDigest, error) {
	content, err := files.Read(l.store, recordFile)
	record := map[string]FileDigest{}
	if errors.Is(err, fs.ErrNotExist) {
		return record, nil
	}
	if err == nil && json.Unmarshal(content, &record) != nil {
		clear(record)
	}
	maps.DeleteFunc(record, func(name string, _ FileDigest) bool { return !martPattern.MatchString(name) })
	return record, err
}

// RelationOf is the table or mart that a file of the lake has rows of.
func RelationOf(file string) string {
	relation, _, _ := strings.Cut(strings.TrimPrefix(file, MartsFolder+"/"), "/")
	return strings.TrimSuffix(relation, ".parquet")
}

// martFiles lists the files of the folder of marts, recorded or not, and of the folders of folds below it that have recorded files.
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

// Publish gives temporary files, which are the keys, their names among the marts, removes others, and records the digests: all of it or,
// after a crash, what is left of it when the lake is opened next. Nobody commits, or waits for commits to look at the lake, meanwhile.
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

// unitList has the units that the results were computed with, one in a line: a unit that is lost with its record is missed.
const unitList = MartsFolder + "/units"

func unitsOfMarts(l *Lake) ([]string, error) {
	content, err := files.Read(l.store, unitList)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(content)), err
}

// KeepUnits remembers which units there are. Remove forgets those that it removes.
func (l *Lake) KeepUnits() error {
	return l.BetweenCommits(func() error {
		stems, err := unitsOf(l)
		if err != nil {
			return err
		}
		return l.PutFile(unitList, []byte(strings.Join(stems, "\n")))
	})
}
