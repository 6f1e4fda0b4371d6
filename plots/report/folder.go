package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// manifest is the file by which a folder is known to be a report, and may be replaced by another.
const manifest = "report.json"

// Write puts the report in the place of dir. Everything is written beside it first, then dir is exchanged: readers see the old report
// or the new one. A folder that holds anything but a report is left alone, with an error.
func (r *Report) Write(dir string) (err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := Replaceable(dir); err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, "."+filepath.Base(dir)+".*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	fresh := filepath.Join(temp, "new")
	for _, f := range r.files {
		if err := write(filepath.Join(fresh, filepath.FromSlash(f.Name)), f.Content); err != nil {
			return err
		}
	}
	old := filepath.Join(temp, "old")
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		back := os.Rename(old, dir)
		if errors.Is(back, fs.ErrNotExist) {
			back = nil // there was none before
		}
		return errors.Join(err, back)
	}
	return nil
}

// Replaceable returns an error if the folder holds anything but a report, and nil if it is absent, empty or a report.
func Replaceable(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, manifest)); err != nil {
		return fmt.Errorf("%s holds files that are no report; name another folder, or empty it", dir)
	}
	return nil
}

// write writes one file of a folder that nobody reads yet.
func write(path string, content []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Sync()
}

// finish adds the index, the document of all tables and the manifest.
func (b *builder) finish() error {
	page, err := b.report.page()
	if err != nil {
		return err
	}
	var list bytes.Buffer
	e := json.NewEncoder(&list)
	e.SetIndent("", "  ")
	if err := e.Encode(&b.report); err != nil {
		return err
	}
	b.report.files = append(b.report.files, File{"index.html", page}, File{documentName, b.report.document()}, File{manifest, list.Bytes()})
	return nil
}
