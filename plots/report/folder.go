package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// manifest is the file by which a folder is known to be a report. The manifest lists the files of
// the report.
const manifest = "report.json"

// fresh is the ending of a file while it is written.
const fresh = ".new"

// Write puts the report and the pages of its site into dir. Each file is written beside its place
// and renamed, so that no file is ever half written. In dir, only the files that the manifest lists
// are removed or replaced. Therefore the manifest is written first with the files of the earlier
// and the new report, and last with the files of the new report. After an interruption, the next
// Write can then replace the files of both reports. It is an error if dir holds files but no
// report, or if a file of another origin is in the way.
func (r *Report) Write(dir string, pages ...File) (err error) {
	before, err := Listed(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	list := *r // the report as the manifest has it
	list.Written = []string{manifest}
	files := slices.Concat(r.Files, pages)
	for _, f := range files {
		if !isReportFile(f.Name) {
			return fmt.Errorf("no file of a report may be called %q", f.Name)
		}
		// A folder that is missing is no fault, because write makes it.
		if info, err := root.Lstat(path.Dir(f.Name)); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is no folder; move it away, or name another folder for the report",
				filepath.Join(dir, path.Dir(f.Name)))
		}
		info, err := root.Lstat(f.Name)
		isOurs := err == nil && info.Mode().IsRegular() && slices.Contains(before, f.Name)
		if err == nil && !isOurs {
			return fmt.Errorf("%s is no file of the report; move it away, or name another folder for the report",
				filepath.Join(dir, f.Name))
		}
		list.Written = append(list.Written, f.Name)
	}
	both := list // the list of the files of both reports
	both.Written = append(slices.Clone(before), list.Written...)
	if err := write(root, both.manifest()); err != nil {
		return err
	}
	for _, f := range files {
		if err := write(root, f); err != nil {
			return err
		}
	}
	for _, name := range before {
		if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() &&
			!slices.Contains(list.Written, name) {
			if err := root.Remove(name); err != nil {
				return err
			}
		}
	}
	return write(root, list.manifest())
}

// Listed returns the files of the report that is in a folder. Listed returns no files if the folder
// is missing or empty, and an error if the folder holds anything but a report.
func Listed(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	content, err := data.ReadInput(filepath.Join(dir, manifest), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		if len(entries) == 1 && entries[0].Name() == manifest+fresh { // the first report was interrupted
			return nil, nil
		}
		return nil, fmt.Errorf("%s holds files that are no report; name another folder, or empty it", dir)
	}
	if err != nil {
		return nil, err
	}
	var list Report
	err = json.Unmarshal(content, &list)
	if err == nil && !slices.Contains(list.Written, manifest) {
		err = errors.New("it does not list itself")
	}
	for _, name := range list.Written {
		if err == nil && name != manifest && !isReportFile(name) {
			err = fmt.Errorf("it lists %.80q", name)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s is no list of a report's files (%w); name another folder, or empty it", dir,
			manifest, err)
	}
	return list.Written, nil
}

// maxManifest is the greatest size of a manifest in bytes: a manifest is read whole.
const maxManifest = 64 << 20

// fileTypes are the endings of the files of a report, except the lake's pictures. Pictures keep the
// names that the lake gives them.
var fileTypes = []string{".html", ".css", ".js", ".svg", ".png", ".pdf", ".tex", ".md", ".csv"}

// isReportFile reports whether a file of a report may have the name.
func isReportFile(name string) bool {
	return data.IsPicture(name) || fs.ValidPath(name) &&
		!strings.ContainsAny(name, `\:`) &&
		slices.Contains(fileTypes, path.Ext(name)) &&
		!slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

// write writes one file beside its place, and renames it.
func write(root *os.Root, f File) error {
	if err := root.MkdirAll(path.Dir(f.Name), 0o755); err != nil {
		return err
	}
	file, err := root.OpenFile(f.Name+fresh, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	if err := errors.Join(f.Write(out), out.Flush(), file.Close()); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return root.Rename(f.Name+fresh, f.Name)
}

// manifest is the file that lists the files of the report.
func (r Report) manifest() File {
	return File{Name: manifest, Make: func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}}
}
