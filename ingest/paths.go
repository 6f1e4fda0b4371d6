package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/images"
	"github.com/captionlake/captionlake/ingest/shape"
	"github.com/captionlake/captionlake/ingest/tabular"
)

// LoadPaths loads the paths that the user names. A folder stands for its content at any depth: its
// pictures are one source and one unit, and each other file is a source. Files that others need are
// loaded first. Files that make one unit together give one result, named after the first. If the
// format is the name of a shape, a file of SQL is a SELECT over the other files.
//
// A file with faults does not keep other files from being loaded; the error joins the faults of all
// files. There is a result for each unit, for each refused file, and for each file of a folder that
// was left out. Hidden files, lakes, and files without a known format in folders are returned as
// skipped. If the context ends, the loading ends with the context's error; files that were loaded
// before are kept.
func LoadPaths(ctx context.Context, lake *data.Lake, paths []string, o Options) (
	results []Result, skipped []string, err error,
) {
	// Decoded data soon become garbage. Until LoadPaths returns, Go collects the garbage rather than
	// grow beyond 400 MiB.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(400 << 20))
	var x expansion
	var faults []error
	for _, p := range paths {
		if err := x.expand(ctx, p); err != nil {
			faults = append(faults, err)
		}
	}
	if len(faults) > 0 { // A wrong path may be misspelled, so nothing is loaded.
		return nil, nil, errors.Join(faults...)
	}
	l := newLoader(lake, o)
	x.makeSelect(o.Format)
	var early, late []found // Sources that others need come first.
	for _, s := range x.sources {
		if s.detect(ctx, l); s.format != nil && s.format.Early {
			early = append(early, s)
		} else {
			late = append(late, s)
		}
	}
	var unknown []string
	for done, s := range append(early, late...) {
		if l.held[s.Path] { // The file is in the unit of an earlier file.
			continue
		}
		if o.Progress != nil {
			o.Progress(s.Path, done, len(x.sources))
		}
		s.detect(ctx, l) // Items that were loaded meanwhile may show the format.
		result, err := Result{Path: s.Path, State: StateRefused}, s.err
		holder := "" // file of the folder that has the same questions
		// A file that the user names is loaded in any case.
		if s.inFolder && s.format != nil && s.format.Shape == shape.Bank {
			holder = shape.HeldBy(s.Source)
		}
		switch {
		case errors.Is(err, tabular.ErrUnknown) && s.inFolder:
			unknown = append(unknown, s.Path)
			continue
		case err != nil: // The file is refused.
		case holder != "":
			result = Result{Path: s.Path, State: StateLeftOut,
				Notes: []string{s.Path + ": left out, for " + holder + " beside it has its questions, too"}}
		default:
			result, err = l.load(ctx, s.Source, s.format)
		}
		if ctx.Err() != nil { // The file's error may be only a consequence of this.
			return results, append(unknown, x.skipped...), errors.Join(append(faults, ctx.Err())...)
		}
		if results = append(results, result); err != nil {
			faults = append(faults, err)
		}
	}
	skipped = append(unknown, x.skipped...)
	if len(results) == 0 && len(skipped) > 0 {
		faults = append(faults, data.Errorf("name the files themselves to learn what is wrong with them",
			"%s: there is no file of a known format", strings.Join(paths, ", ")))
	}
	return results, skipped, errors.Join(faults...)
}

// A found is a source at one of the paths that the user gives to a command.
type found struct {
	file.Source
	inFolder bool          // it is in a folder that the user named
	format   *shape.Format // nil if there is an error, and before detect
	err      error         // why no format was found
}

// detect finds the source's format, unless it was found before.
func (f *found) detect(ctx context.Context, l *loader) {
	if f.format == nil {
		f.format, f.err = l.detect(ctx, f.Source)
	}
}

// An expansion is the sources in the paths of a command, and the skipped paths.
type expansion struct {
	sources []found
	skipped []string
}

// makeSelect makes a file of SQL a SELECT over all other files, if the format is the name of a
// shape. All files are then one source.
func (x *expansion) makeSelect(format string) {
	of := shape.ByName(format)
	i := slices.IndexFunc(x.sources, func(s found) bool { return s.Ext() == ".sql" })
	if of == nil || i < 0 {
		return
	}
	query := x.sources[i]
	family := []file.Source{query.Source}
	for _, s := range slices.Delete(x.sources, i, i+1) {
		family = append(family, s.Source)
	}
	query.format = tabular.Selected(of, family)
	x.sources = []found{query}
}

// expand adds a path. A missing path, a named pipe, a device or a socket is an error. After the
// context has ended, no file is read, here or from the sources.
func (x *expansion) expand(ctx context.Context, p string) error {
	info, err := os.Stat(p)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return data.Errorf("check the path's spelling", "%s: %w", p, file.Cause(err))
	}
	if err := file.CheckPlain(info); err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	if !info.IsDir() {
		at := file.Plain{FS: os.DirFS(filepath.Dir(p)), Context: ctx} // Formats also read files beside p.
		x.sources = append(x.sources, found{Source: file.Source{FS: at, Name: filepath.Base(p),
			Path: filepath.ToSlash(p)}})
		return nil
	}
	before := len(x.sources)
	err = x.walk(file.Source{FS: file.Plain{FS: os.DirFS(p), Context: ctx}, Name: ".",
		Path: filepath.ToSlash(filepath.Clean(p))})
	if err == nil && len(x.sources) == before {
		err = data.Errorf("name the files themselves", "%s: the folder has no file", p)
	}
	return err
}

// walk adds the content of a folder: its pictures at any depth as one source, then the other files
// one by one.
func (x *expansion) walk(dir file.Source) error {
	hasPictures, before := false, len(x.sources)
	skipped, err := images.Walk(dir, func(child file.Source, isPicture bool) error {
		if hasPictures = hasPictures || isPicture; !isPicture {
			x.sources = append(x.sources, found{Source: child, inFolder: true})
		}
		return nil
	})
	if x.skipped = append(x.skipped, skipped...); hasPictures {
		x.sources = slices.Insert(x.sources, before, found{Source: dir, inFolder: true})
	}
	return err
}
