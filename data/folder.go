package data

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"
)

// The folders of the lake beside those of its tables.

// recordFile is the record of a folder of files that can be made again.
const recordFile = "/files.json"

// FolderRecord reads what is recorded of the files of a folder: their digests by name. A folder without a record, or with
// one that cannot be read, has none: its files are then made again.
func FolderRecord(l *Lake, folder string) (map[string]FileDigest, error) {
	content, err := readFile(l.store, folder+recordFile)
	record := map[string]FileDigest{}
	if errors.Is(err, fs.ErrNotExist) {
		return record, nil
	}
	if err == nil && json.Unmarshal(content, &record) != nil {
		return map[string]FileDigest{}, nil
	}
	return record, err
}

// Publish gives a file of the journal its name in a folder of files that can be made again, and records its digest, while nobody commits or
// waits for commits to look at the lake. A crash between the two leaves a file that is not as recorded, which is then made again.
func (l *Lake) Publish(temp, name string) error {
	if err := l.writable(); err != nil {
		return err
	}
	sum, err := DigestOf(l, temp)
	if err != nil {
		return err
	}
	folder := path.Dir(name)
	return l.BetweenCommits(func() error {
		record, err := FolderRecord(l, folder)
		if err != nil {
			return err
		}
		record[name] = sum
		if err := l.store.Move(temp, name); err != nil {
			return err
		}
		content, err := json.MarshalIndent(record, "", " ")
		if err != nil {
			return err
		}
		return l.PutFile(folder+recordFile, content)
	})
}

// AsPublished compares a file that Publish named with its record. same: the file is there and equals its record. changed: it is recorded,
// but differs or is missing. A file without a record is neither.
func AsPublished(l *Lake, name string) (same, changed bool, err error) {
	record, err := FolderRecord(l, path.Dir(name))
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
