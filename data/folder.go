package data

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"

	"github.com/captionlake/captionlake/data/files"
)

// The folders of the lake beside those of its tables.

// recordFile is the record of a folder of files that can be made again.
const recordFile = "/files.json"

// FolderRecord reads what is recorded of the files of a folder: their digests by name. A folder without a record, or with
// one that cannot be read, has none: its files are then made again.
func FolderRecord(l *Lake, folder string) (map[string]FileDigest, error) {
	content, err := files.Read(l.store, folder+recordFile)
	record := map[string]FileDigest{}
	if errors.Is(err, fs.ErrNotExist) {
		return record, nil
	}
	if err == nil && json.Unmarshal(content, &record) != nil {
		return map[string]FileDigest{}, nil
	}
	return record, err
}

// martFiles lists the files of the folder of marts, and of the folders of folds below it that have recorded files.
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
	commit.Moves = append(commit.Moves, move{temp, MartsFolder + recordFile})
	return commitUnit(l, MartsFolder, commit, func() error {
		record, err := FolderRecord(l, MartsFolder)
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

// AsPublished compares a file that Publish named with its record. same: the file is there and equals its record. changed: it is recorded,
// but differs or is missing. A file without a record is neither.
func AsPublished(l *Lake, name string) (same, changed bool, err error) {
	record, err := FolderRecord(l, MartsFolder)
	if err != nil {
		return false, false, err
	}
	want, recorded := record[name]
	if !recorded {
		return false, false, nil
	}
	got, err := DigestOf(l, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, true, nil
	}
	return got == want, got != want, err
}
