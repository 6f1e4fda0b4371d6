package ask

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/sql"
)

// A Reader answers questions about a lake and reads rows of its tables and marts. Its DuckDB
// answers many questions, one after another, and sees rows that are ingested and marts that are
// built between the questions. While it answers, another Reader with another DuckDB gives rows, so
// that calls of Rows may come side by side. DuckDB reaches the lake's folder and nothing else,
// unless the options say that it is unlocked. A function that is handed rows must not call the
// Reader, which is busy until the function returns.
type Reader struct {
	lake    *data.Lake
	folder  string // of the lake, as SQL writes it
	temp    scratch
	engine  *engine.Engine
	file    string // the file into which DuckDB writes rows
	locked  bool   // nothing can change the settings of DuckDB any more
	options engine.Options

	mu      sync.Mutex      // held while DuckDB answers
	samples map[string]bool // by kind, whether the lake has samples; only kinds that were asked for

	opening sync.Mutex // guards others
	// more Readers, by the kinds of rows that they read, joined by +; the key is empty for a Reader of
	// the same rows
	others map[string]*Reader
}

// OpenReader starts DuckDB over a lake. Close must be called.
func OpenReader(ctx context.Context, lake *data.Lake, o engine.Options) (*Reader, error) {
	folder, err := engine.Folder(lake)
	if err != nil {
		return nil, err
	}
	temp, err := newScratch()
	if err != nil {
		return nil, err
	}
	r := &Reader{lake: lake, folder: folder, temp: temp, file: temp.path("result"), options: o,
		samples: map[string]bool{}, others: map[string]*Reader{}}
	if r.engine, err = engine.Open(ctx, engine.Config{
		Spill: temp.path("spill"), Folders: []string{folder}, Files: []string{r.file}, Options: o,
	}); err != nil {
		return nil, errors.Join(err, temp.remove())
	}
	return r, nil
}

// partForm matches the number of a part after the name of an input: answers/03=DIGEST.
var partForm = regexp.MustCompile(`/\d\d=`)

// Marts returns the named marts that the lake holds, sorted by name. A lake without marts is an
// error.
func (r *Reader) Marts(_ context.Context, names []string) ([]sql.Mart, error) {
	files, err := data.MartFiles(r.lake)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, data.Errorf("compute them: captionlake analyze", "the lake holds no marts")
	}
	var marts []sql.Mart
	for _, m := range sqlmodel.Named(names) {
		mart := sql.Mart{Name: m.Name, What: m.What, SQL: m.Text}
		for _, c := range m.Columns {
			mart.Columns = append(mart.Columns,
				sql.MartColumn{Name: c.Name, Type: c.Type, Unit: c.Unit, What: c.Comment})
		}
		var prints []string
		for _, file := range files[m.Name] { // The inputs of the last part stand for the inputs of all parts.
			metadata, rows := data.FileMetadata(r.lake, file) // nil and 0 if the file cannot be read
			mart.Source, mart.ToolVersion = metadata["captionlake.source"], metadata["captionlake.tool_version"]
			mart.Inputs = partForm.ReplaceAllString(metadata[sqlmodel.InputsKey], "=")
			mart.Rows += rows
			prints = append(prints, metadata[sqlmodel.PrintKey])
		}
		if len(prints) > 0 {
			mart.Fingerprint = sqlmodel.Content(prints)
			marts = append(marts, mart)
		}
	}
	slices.SortFunc(marts, func(a, b sql.Mart) int { return strings.Compare(a.Name, b.Name) })
	return marts, nil
}

// Close ends DuckDB and removes its temporary files.
func (r *Reader) Close() error {
	err := errors.Join(r.engine.Close(), r.temp.remove())
	for _, other := range r.others {
		err = errors.Join(err, other.Close())
	}
	return err
}

// Rows are the rows of a select of the program's own; name is the name of the result. The select
// reads only the lake's rows of the given kinds, or all rows if no kinds are given. With several
// kinds, published and measured rows have the provenance [data.Together]. Another Reader answers if
// kinds are given, or if this one is busy with a query.
func (r *Reader) Rows(ctx context.Context, name, query string, kinds ...string) (out *rows.Rows, err error) {
	if len(kinds) > 0 || !r.mu.TryLock() {
		other, err := r.other(ctx, kinds)
		if err != nil {
			return nil, err
		}
		return other.Rows(ctx, name, query) // The kinds are in the options of the other Reader.
	}
	defer r.mu.Unlock()
	err = r.retried(ctx, query, func() error {
		batch, err := batches.One(ctx, r.engine.Conn, query)
		if err == nil {
			out = rows.Of(name, batch)
		}
		return err
	})
	return out, err
}

// other is a Reader over rows of some kinds alone. Without kinds it is one more Reader over the
// same rows.
func (r *Reader) other(ctx context.Context, kinds []string) (*Reader, error) {
	r.opening.Lock()
	defer r.opening.Unlock()
	key := strings.Join(kinds, "+")
	if r.others[key] == nil {
		o := r.options
		o.Kinds = slices.Concat(o.Kinds, kinds)
		if len(kinds) > 1 {
			o.Kinds = append(o.Kinds, data.Together)
		}
		other, err := OpenReader(ctx, r.lake, o)
		if err != nil {
			return nil, err
		}
		r.others[key] = other
	}
	return r.others[key], nil
}

// Images are the pictures of items, by image and frame. Pictures without a file in the lake are
// left out.
func (r *Reader) Images(context.Context) (images []data.Image, err error) {
	// nil: all rows
	for row, err := range data.Select(r.lake, data.Images, nil) {
		if err != nil {
			return nil, err
		}
		if _, err := files.Size(r.lake.Store(), row.Path); err == nil {
			images = append(images, row)
		}
	}
	return images, nil
}

// Open opens the file of a picture.
func (r *Reader) Open(path string) (files.File, error) { return r.lake.Store().Open(path) }
