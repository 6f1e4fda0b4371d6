package analytics

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/captionlake/captionlake/data"
)

// CatalogFile is the lake's DuckDB file: views over every base table and mart, with comments.
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

// WriteCatalog makes the lake's DuckDB file anew and puts it into its place in one step. It holds views only: what
// somebody else has written into the file is lost. The lake must be open for writing.
func WriteCatalog(ctx context.Context, lake *data.Lake, models []Model, o EngineOptions) (err error) {
	if err := mustWrite(lake); err != nil {
		return err
	}
	// DuckDB writes a database only where the folder's name has no ?, which the lake's may have.
	made, err := os.MkdirTemp("", "captionlake-sql-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(made)) }()
	file := filepath.ToSlash(filepath.Join(made, CatalogFile))
	if err := buildCatalog(ctx, lake, models, file, o); err != nil {
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
	return lake.PutFile(CatalogFile, content)
}

func buildCatalog(ctx context.Context, lake *data.Lake, models []Model, file string, o EngineOptions) error {
	folder, err := lakeFolder(lake)
	if err != nil {
		return err
	}
	relations, err := tableRelations(lake)
	if err != nil {
		return err
	}
	marts, err := martsOf(lake, models)
	if err != nil {
		return err
	}
	relations = append(relations, marts...)
	o.TempDirectory = ""
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
		if err := e.createViews(ctx, catalogFolder, relations); err != nil {
			return err
		}
		for _, r := range relations {
			for _, statement := range r.comments() {
				if err := e.exec(ctx, statement); err != nil {
					return fmt.Errorf("comments of %s: %w", r.name, err)
				}
			}
		}
		return e.exec(ctx, "checkpoint catalog_file; use memory; detach catalog_file")
	}
	return errors.Join(build(), e.close())
}
