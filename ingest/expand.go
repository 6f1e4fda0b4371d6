package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/ingest/picture"
)

// An Expansion is the files that the paths of a command line name.
type Expansion struct {
	Sources []Source // in the order of the paths, and sorted by name within a folder
	Strays  []string // splits of a bank beside the split all, which holds them
	Skipped []string // files of folders that are of no known format, such as README or .DS_Store, to be mentioned
}

// expand turns the paths that a user names into sources. A file is itself. A folder means what is in it, at any
// depth: its pictures are one source, which makes one unit, and its other files are sources one by one. A file of a
// folder that no format knows, a hidden file or folder, and a lake are skipped and listed; so are splits of a bank beside the
// split that holds them all; a file that the user names is a source in any case, so that loading it gives the error that it deserves. A path that does not exist, one of a named
// pipe, device or socket, and a folder with nothing to load, are errors; all errors are returned together. When the
// context ends, no further file is read, here or from the sources.
func expand(ctx context.Context, paths []string) (Expansion, error) {
	var e Expansion
	var faults []error
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return Expansion{}, err
		}
		info, err := os.Stat(p)
		if err != nil {
			faults = append(faults, data.WithHint(fmt.Errorf("%s: %w", p, cause(err)), "check the path's spelling"))
			continue
		}
		if !isPlain(info) {
			faults = append(faults, fmt.Errorf("%s: %w", p, notPlain(info)))
			continue
		}
		if !info.IsDir() {
			e.Sources = append(e.Sources, Source{FS: plainFiles{os.DirFS(filepath.Dir(p)), ctx}, Name: filepath.Base(p), Path: filepath.ToSlash(p)})
			continue
		}
		before := len(e.Sources)
		if err := e.folder(Source{FS: plainFiles{os.DirFS(p), ctx}, Name: ".", Path: filepath.ToSlash(filepath.Clean(p))}); err != nil {
			faults = append(faults, err)
		} else if len(e.Sources) == before {
			faults = append(faults, data.WithHint(fmt.Errorf("%s: the folder holds no file of a known format", p),
				"name the files themselves to learn what is wrong with them"))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return Expansion{}, err
	}
	return e, nil
}

// cause leaves the operation and the path of a file system's error out.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// folder adds what is in a folder: its pictures at any depth as one source, then the other files one by one.
func (e *Expansion) folder(dir Source) error {
	pictures := false
	var files []Source
	err := fs.WalkDir(dir.FS, dir.Name, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		s := dir.child(name)
		if entry.IsDir() {
			if name != dir.Name && strings.HasPrefix(entry.Name(), ".") || isLake(s) {
				e.Skipped = append(e.Skipped, s.Path)
				return fs.SkipDir
			}
			return nil
		}
		switch kind, err := s.useful(entry); {
		case err != nil:
			return err
		case kind == usefulPicture:
			pictures = true
		case kind == usefulFile:
			stray, err := isSplitBesideAll(s)
			if err != nil {
				return err
			}
			if stray {
				e.Strays = append(e.Strays, s.Path)
			} else {
				files = append(files, s)
			}
		default:
			e.Skipped = append(e.Skipped, s.Path)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", dir.Path, err)
	}
	if pictures {
		e.Sources = append(e.Sources, dir)
	}
	e.Sources = append(e.Sources, files...)
	return nil
}

// isLake reports whether a folder is a lake: what a lake holds came from foreign files and is none.
func isLake(dir Source) bool {
	content, err := fs.ReadFile(dir.FS, path.Join(dir.Name, "LAKE"))
	return err == nil && strings.HasPrefix(string(content), "captionlake lake")
}

// skipHidden is the answer of a walk to a folder: hidden ones, such as .git, are not looked into.
func skipHidden(name string, entry fs.DirEntry, err error) error {
	if err == nil && name != "." && strings.HasPrefix(entry.Name(), ".") {
		return fs.SkipDir
	}
	return err
}

// child is a file within a folder's file system.
func (s Source) child(name string) Source {
	below := strings.TrimPrefix(strings.TrimPrefix(name, s.Name), "/")
	if s.Name == "." {
		below = name
	}
	return Source{FS: s.FS, Name: name, Path: path.Join(s.Path, below)}
}

type usefulness int

const (
	useless usefulness = iota
	usefulPicture
	usefulFile
)

// useful tells what a file of a folder is good for. A file with a picture's ending is a picture whatever its content: a
// broken one shall be reported and not passed over.
func (s Source) useful(entry fs.DirEntry) (usefulness, error) {
	if strings.HasPrefix(entry.Name(), ".") {
		return useless, nil
	}
	info, err := fs.Stat(s.FS, s.Name)
	if err != nil && isOver(err) {
		return useless, err
	}
	if captionqa.HasPictureName(entry.Name()) && (err != nil || info.Mode().IsRegular()) {
		return usefulPicture, nil // Loading it says what is wrong with it.
	}
	if err != nil || !info.Mode().IsRegular() {
		return useless, nil
	}
	head, err := s.Head(headBytes)
	switch {
	case err != nil:
		return useless, err
	case picture.Kind(head) != "":
		return usefulPicture, nil
	case slices.ContainsFunc(Formats(), func(f Format) bool { return f.Detect(s, head) }):
		return usefulFile, nil
	}
	return useless, nil
}

// isFolder reports whether the source is a folder.
func (s Source) isFolder() (bool, error) {
	info, err := fs.Stat(s.FS, s.Name)
	if err != nil {
		return false, fmt.Errorf("%s: %w", s.Path, cause(err))
	}
	return info.IsDir(), nil
}
