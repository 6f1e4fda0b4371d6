package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/captionlake/captionlake/data"
)

// manifest is the file by which a folder is known to be a report, and which lists the files that belong to it.
const manifest = "report.json"

// staging is the folder within a report's folder in which the next report is written. It is there while one is written,
// or after a process was killed that wrote one; its lock tells which.
const staging = ".captionlake-report"

// maxManifest bounds a manifest in bytes, which is read whole.
const maxManifest = 64 << 20

// Write puts the report and the pages of its site into dir, in place of the report that is there. All files are first written within dir, under
// the name .captionlake-report, and then moved over those of the earlier report, the pages after what they show and the
// manifest last. So a report that is there is never missing, and a process that is killed in between leaves nothing that
// the next Write does not replace or remove. Of what is in dir, nothing is removed or replaced but the files that the
// earlier report lists; a folder without a report, and a file of another origin in the way, are errors.
func (r *Report) Write(dir string, pages ...File) error { return r.write(dir, pages, func() {}) }

// write is Write. It calls step before each change of the file system.
func (r *Report) write(dir string, pages []File, step func()) (err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	files, err := r.all(pages)
	if err != nil {
		return err
	}
	if err := Replaceable(dir); err != nil {
		return err
	}
	step()
	if err := os.MkdirAll(filepath.Join(dir, staging), 0o755); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(dir, staging, "lock"))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return errors.Join(err, fmt.Errorf("%s: another report is being written there; try again when it is done", dir))
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	w := folderWriter{root: root, dir: dir, step: step}
	// Without a manifest in the staging folder, nothing of it has been moved out.
	for _, name := range []string{manifest, staging + "/" + manifest} {
		names, err := w.listed(name)
		if err != nil {
			return err
		}
		w.owned = append(w.owned, names...)
	}
	if err := w.free(files); err != nil {
		return errors.Join(err, w.sweep())
	}
	if err := w.stage(files); err != nil {
		return errors.Join(err, w.sweep())
	}
	if err := w.publish(files); err != nil {
		return err // the next Write goes on from what is in the staging folder
	}
	return w.sweep()
}

// Replaceable returns an error if the folder holds anything but a report, and nil if it is absent, empty or a report.
func Replaceable(dir string) (err error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return err
	case len(entries) == 1 && entries[0].Name() == staging && entries[0].IsDir(): // the first report was never finished
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	w := folderWriter{root: root, dir: dir}
	for _, name := range []string{manifest, staging + "/" + manifest} {
		if names, err := w.listed(name); err != nil || len(names) > 0 {
			return err
		}
	}
	return fmt.Errorf("%s holds files that are no report; name another folder, or empty it", dir)
}

// folderWriter changes one report's folder.
type folderWriter struct {
	root  *os.Root
	dir   string
	owned []string // files that belong to the report that is there, or to one that was not finished
	step  func()
}

// listed returns the files that a manifest lists, itself included; none when there is no such manifest.
func (w *folderWriter) listed(name string) ([]string, error) {
	info, err := w.root.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	refuse := func(why string) error {
		return fmt.Errorf("%s: %s is no list of a report's files (%s); name another folder, or empty it", w.dir, name, why)
	}
	if !info.Mode().IsRegular() || info.Size() > maxManifest {
		return nil, refuse("it is no file, or too large")
	}
	content, err := w.root.ReadFile(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	var list Report
	if err := json.Unmarshal(content, &list); err != nil {
		return nil, refuse(err.Error())
	}
	names := []string{"index.html", cmp.Or(list.Document, "tables.tex"), manifest} // as it was called before manifests named it
	if list.Document != "" && list.Document != documentName {
		return nil, refuse(fmt.Sprintf("it lists %.80q", list.Document))
	}
	for _, item := range list.Items {
		for _, f := range item.Files {
			if !isReportFile(f) {
				return nil, refuse(fmt.Sprintf("it lists %.80q", f))
			}
			names = append(names, f)
		}
	}
	for _, f := range list.Pages {
		if !isPageFile(f) {
			return nil, refuse(fmt.Sprintf("it lists %.80q", f))
		}
		names = append(names, f)
	}
	if len(names) == 3 {
		return nil, refuse("it lists no files")
	}
	return names, nil
}

// isReportFile reports whether a table or a figure of a report may have the name.
func isReportFile(name string) bool {
	folder, file := path.Split(name)
	return (folder == "tables/" || folder == "figures/") && file != "" && !strings.HasPrefix(file, ".") && filepath.IsLocal(filepath.FromSlash(name)) && !strings.ContainsAny(file, `/\:`)
}

// pageTypes are what the files of a site end with, beside the lake's pictures, which keep the names that the lake gives them.
var pageTypes = []string{".html", ".css", ".js", ".svg", ".png"}

// isPageFile reports whether a file of the site around a report may have the name.
func isPageFile(name string) bool {
	return data.IsPicture(name) || filepath.IsLocal(filepath.FromSlash(name)) && path.Clean(name) == name && !strings.ContainsAny(name, `\:`) &&
		slices.Contains(pageTypes, path.Ext(name)) && !slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

// free returns an error if a file of another origin is in the way.
func (w *folderWriter) free(files []File) error {
	var faults []error
	for _, f := range files {
		if folder := path.Dir(f.Name); folder != "." {
			if info, err := w.root.Lstat(folder); err == nil && !info.IsDir() {
				return fmt.Errorf("%s is no folder; move it away, or name another folder for the report", filepath.Join(w.dir, folder))
			}
		}
		info, err := w.root.Lstat(filepath.FromSlash(f.Name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			faults = append(faults, err)
		case !slices.Contains(w.owned, f.Name) || !info.Mode().IsRegular():
			faults = append(faults, fmt.Errorf("%s is no file of the report; move it away, or name another folder for the report", filepath.Join(w.dir, filepath.FromSlash(f.Name))))
		}
	}
	return errors.Join(faults...)
}

// stage writes the files into the staging folder, the manifest last.
func (w *folderWriter) stage(files []File) error {
	if err := w.empty(); err != nil {
		return err
	}
	for _, f := range files {
		w.step()
		if err := w.create(staging+"/"+f.Name, f); err != nil {
			return err
		}
	}
	return nil
}

// publish moves the files out of the staging folder, and removes what the earlier report had and this one has not.
func (w *folderWriter) publish(files []File) error {
	for _, f := range files {
		if f.Name == manifest { // the last file
			if err := w.removeOld(files); err != nil {
				return err
			}
		}
		w.step()
		if err := w.root.MkdirAll(path.Dir(f.Name), 0o755); err != nil {
			return err
		}
		if err := w.root.Rename(filepath.FromSlash(staging+"/"+f.Name), filepath.FromSlash(f.Name)); err != nil {
			return err
		}
	}
	return nil
}

func (w *folderWriter) removeOld(files []File) error {
	for _, name := range w.owned {
		if slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) {
			continue
		}
		info, err := w.root.Lstat(filepath.FromSlash(name))
		if err != nil || !info.Mode().IsRegular() {
			continue // gone already, or no longer what the report wrote
		}
		w.step()
		if err := w.root.Remove(filepath.FromSlash(name)); err != nil {
			return err
		}
	}
	return nil
}

// empty removes what is in the staging folder except its lock. The manifest goes first: without it the rest says nothing.
func (w *folderWriter) empty() error {
	w.step()
	if err := w.root.RemoveAll(filepath.FromSlash(staging + "/" + manifest)); err != nil {
		return err
	}
	entries, err := fs.ReadDir(w.root.FS(), staging)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == "lock" {
			continue
		}
		w.step()
		if err := w.root.RemoveAll(filepath.FromSlash(staging + "/" + e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes the staging folder.
func (w *folderWriter) sweep() error {
	if err := w.empty(); err != nil {
		return err
	}
	w.step()
	return w.root.RemoveAll(staging)
}

// create writes one file of the staging folder, durably.
func (w *folderWriter) create(name string, content File) (err error) {
	if err := w.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := w.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriter(f)
	if err := errors.Join(content.Write(out), out.Flush()); err != nil {
		return fmt.Errorf("%s: %w", content.Name, err)
	}
	return f.Sync()
}

// all are the files of the report, the pages of its site and the manifest, which lists them.
func (r *Report) all(pages []File) ([]File, error) {
	listed := *r
	listed.Pages, listed.Document = nil, documentName
	for _, p := range pages {
		if !isPageFile(p.Name) {
			return nil, fmt.Errorf("no page of a report may be called %q", p.Name)
		}
		listed.Pages = append(listed.Pages, p.Name)
	}
	var list bytes.Buffer
	e := json.NewEncoder(&list)
	e.SetIndent("", "  ")
	if err := e.Encode(&listed); err != nil {
		return nil, err
	}
	return slices.Concat(r.files, pages, []File{{Name: manifest, Content: list.Bytes()}}), nil
}
