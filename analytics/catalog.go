package analytics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/format"

	"github.com/captionlake/captionlake/data"
)

// CatalogFile is the lake's DuckDB file: views over every base table and mart, and shortcuts, with comments.
const CatalogFile = "captionlake.duckdb"

// catalogFolder is the SQL expression by which the views of the catalog find the lake's folder, wherever the file was
// opened from and wherever the lake was moved to.
//
// DuckDB resolves the paths of a view against the working directory of whoever reads it, and it has no function for
// the place of a database file. But it derives the default of the setting temp_directory from the file that it was
// started with: FOLDER/captionlake.duckdb.tmp. What stands before the last slash is the lake's folder. Started with
// another database, or with none, the expression gives the folder of that one, or the working directory; the variable
// captionlake then says where the lake is.
//
// So these work: opening the file as the main database from any folder, for reading or writing, after moving the lake
// too; and attaching it to a session that was started inside the lake. Attaching it to a session that was started
// elsewhere, and a session that sets temp_directory to another place, need
//
//	set variable captionlake = '/path/to/lake/';
//
// with the slash at the end; a folder's name is read as a pattern there, so [ and * are written [[] and [*].
// Of a folder with a ? DuckDB writes .tmp before the ?, because an option could follow there; the expression takes it away.
// Drivers that read options from a database's name need the bare name, from inside the lake.
//
// The views know the files that are there when they are read; but a base table that was empty when the file was
// written stays empty in it until the models are next built.
const catalogFolder = `coalesce(getvariable('captionlake'), regexp_replace(regexp_replace(regexp_replace(current_setting('temp_directory'), '\.tmp\?', '?'), '[^/\\]*$', ''), '([[*?])', '[\1]', 'g'))`

// RefreshCatalog is WriteCatalog for the models of the lake.
func RefreshCatalog(ctx context.Context, lake *data.Lake, o EngineOptions) error {
	models, err := modelsOf(lake)
	if err != nil {
		return err
	}
	return WriteCatalog(ctx, lake, models, o)
}

// WriteCatalog makes the lake's DuckDB file anew and puts it into its place in one step. It holds views only: what
// somebody else has written into the file is lost. The lake must be open for writing. No unit is committed meanwhile, since the views
// are bound to the files that are there.
func WriteCatalog(ctx context.Context, lake *data.Lake, models []Model, o EngineOptions) (err error) {
	release, err := lake.Hold(data.MartsFolder)
	if err != nil {
		return err
	}
	defer release()
	return lake.Still(func() error { return writeCatalog(ctx, lake, models, o) })
}

func writeCatalog(ctx context.Context, lake *data.Lake, models []Model, o EngineOptions) (err error) {
	relations, err := relationsOf(lake, models)
	if err != nil {
		return err
	}
	record, err := newCatalogRecord(lake, relations)
	if err != nil {
		return err
	}
	if record.stands(lake) {
		return nil
	}
	// DuckDB writes a database only where the folder's name has no ?, which the lake's may have.
	made, err := os.MkdirTemp("", "captionlake-sql-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(made)) }()
	file := filepath.ToSlash(filepath.Join(made, CatalogFile))
	if err := buildCatalog(ctx, lake, relations, file, o); err != nil {
		return fmt.Errorf("%s: %w", CatalogFile, err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	// A log that somebody's session left beside the old file does not fit the new one.
	if err := lake.Store().Remove(CatalogFile + ".wal"); err != nil {
		return err
	}
	if err := lake.PutFile(CatalogFile, content); err != nil {
		return err
	}
	return record.keep(lake, content)
}

// catalogRecordFile says what the DuckDB file was made from, so that it is made anew only when it would differ. Without it, it is made.
const catalogRecordFile = "cache/catalog.json"

// A catalogRecord is what the views of the DuckDB file depend on.
type catalogRecord struct {
	Views   string              `json:"views"`   // digest of what the views and comments say
	File    string              `json:"file"`    // digest of the DuckDB file
	Units   map[string][]string `json:"units"`   // the units of each table
	Missing map[string][]string `json:"missing"` // columns that none of a table's files has, because an earlier version wrote them

	columns map[string][]string // of each table's files, as this version writes them
	files   map[string][]string // of each table
}

func newCatalogRecord(lake *data.Lake, relations []relation) (catalogRecord, error) {
	r := catalogRecord{Units: map[string][]string{}, columns: map[string][]string{}, files: map[string][]string{}}
	tables := map[string]bool{}
	for _, t := range data.Tables() {
		tables[t.Name()] = true
	}
	parts := []string{data.Version}
	for _, relation := range relations {
		for _, c := range relation.columns {
			if tables[relation.name] && !c.stem && c.made == "" {
				r.columns[relation.name] = append(r.columns[relation.name], c.name)
			}
		}
		parts = append(append(parts, relation.view(catalogFolder)), relation.comments()...)
	}
	for _, s := range shortcutsOver(relations) {
		parts = append(append(parts, s.statement()), s.comments()...)
	}
	r.Views = data.Fingerprint(parts...)
	for _, t := range data.Tables() {
		files, err := lake.Files(t)
		if err != nil {
			return r, err
		}
		r.files[t.Name()] = files
		for _, f := range files {
			r.Units[t.Name()] = append(r.Units[t.Name()], unitOf(f))
		}
	}
	return r, nil
}

// stands reports whether the DuckDB file that is there is the one that would be made. A unit that was added or removed makes a difference
// where it is the only one with a column.
func (r catalogRecord) stands(lake *data.Lake) bool {
	if _, err := os.Stat(lake.Path(CatalogFile + ".wal")); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var old catalogRecord
	record, err := os.ReadFile(lake.Path(catalogRecordFile))
	if err != nil || json.Unmarshal(record, &old) != nil || old.Views != r.Views {
		return false
	}
	content, err := os.ReadFile(lake.Path(CatalogFile))
	if err != nil || old.File != data.Fingerprint(string(content)) {
		return false
	}
	for table, units := range old.Units {
		if !slices.Equal(units, r.Units[table]) && !slices.Equal(old.Missing[table], r.missing(lake, table)) {
			return false
		}
	}
	return true
}

// missing are the columns that none of a table's files has.
func (r catalogRecord) missing(lake *data.Lake, table string) []string {
	left := slices.Clone(r.columns[table])
	for _, file := range r.files[table] {
		if len(left) == 0 {
			break
		}
		p, err := openParquet(lake.Path(file), os.O_RDONLY)
		if err != nil {
			continue // DuckDB will say what is wrong with it.
		}
		left = slices.DeleteFunc(left, func(name string) bool {
			return slices.ContainsFunc(p.meta.Schema, func(e format.SchemaElement) bool { return e.Name == name })
		})
		_ = p.close()
	}
	return left
}

// keep writes the record of the file with the given content.
func (r catalogRecord) keep(lake *data.Lake, content []byte) error {
	r.File, r.Missing = data.Fingerprint(string(content)), map[string][]string{}
	for table := range r.Units {
		r.Missing[table] = r.missing(lake, table)
	}
	record, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return lake.PutFile(catalogRecordFile, record)
}

// copyCatalog gives an engine without views those of the lake's DuckDB file, with shortcuts and comments. It reports whether it did: not
// where other views are needed than the file has, or where it cannot be read, as while somebody writes to it.
func (e *engine) copyCatalog(ctx context.Context, lake *data.Lake, folder string, relations []relation) (bool, error) {
	record, err := newCatalogRecord(lake, relations)
	if err != nil || !record.stands(lake) {
		return false, err
	}
	if err := e.exec(ctx, "attach "+quote(folder+CatalogFile)+" as catalog_file (read_only)"); err != nil {
		return false, ctx.Err()
	}
	if err := e.exec(ctx, "set variable captionlake = "+quote(globEscape.Replace(folder))+"; copy from database catalog_file to memory (schema); detach catalog_file;\n"+macros); err != nil {
		return false, fmt.Errorf("%s: %w", CatalogFile, err)
	}
	for _, r := range relations {
		if err := e.createMacros(ctx, r); err != nil {
			return false, err
		}
	}
	return true, nil
}

// buildCatalog writes the DuckDB file.
func buildCatalog(ctx context.Context, lake *data.Lake, relations []relation, file string, o EngineOptions) error {
	folder, err := lakeFolder(lake)
	if err != nil {
		return err
	}
	o.TempDirectory, o.Threads = "", 1 // Thousands of tiny statements have nothing to share.
	e, err := openEngine(ctx, engineConfig{spill: folder + "journal/spill", folders: []string{folder, path.Dir(file) + "/"}, options: o})
	if err != nil {
		return err
	}
	build := func() error {
		// Attached to the engine that models run in, so that its limits hold here too.
		if err := e.exec(ctx, "attach "+quote(file)+" as catalog_file; use catalog_file"); err != nil {
			return err
		}
		// The views are bound when they are made; the file is not in its place yet.
		if err := e.exec(ctx, "set variable captionlake = "+quote(globEscape.Replace(folder))); err != nil {
			return err
		}
		// In one transaction: DuckDB would write and sync its log after each statement.
		if err := e.exec(ctx, "begin"); err != nil {
			return err
		}
		if err := e.createViews(ctx, catalogFolder, relations); err != nil {
			return err
		}
		for _, r := range relations {
			if err := e.exec(ctx, strings.Join(r.comments(), ";\n")); err != nil {
				return fmt.Errorf("comments of %s: %w", r.name, err)
			}
		}
		for _, s := range shortcutsOver(relations) {
			if err := e.exec(ctx, strings.Join(append([]string{s.statement()}, s.comments()...), ";\n")); err != nil {
				return fmt.Errorf("shortcut %s: %w", s.Name, err)
			}
		}
		return e.exec(ctx, "commit; checkpoint catalog_file; use memory; detach catalog_file")
	}
	return errors.Join(build(), e.close())
}
