package analytics

import (
	"context"
	"errors"
	"fmt"

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
// DuckDB itself takes a ? in the folder's name for the end of the name: such a lake has no DuckDB file.
//
// The views know the files that are there when they are read; but a base table that was empty when the file was
// written stays empty in it until the models are next built.
const catalogFolder = `coalesce(getvariable('captionlake'), regexp_replace(regexp_replace(current_setting('temp_directory'), '[^/\\]*$', ''), '([[*?])', '[\1]', 'g'))`

// WriteCatalog makes the lake's DuckDB file anew and puts it into its place in one step. It holds views only: what
// somebody else has written into the file is lost. The lake must be open for writing.
func WriteCatalog(ctx context.Context, lake *data.Lake, models []Model, o EngineOptions) error {
	if err := mustWrite(lake); err != nil {
		return err
	}
	const temp = "journal/" + CatalogFile + ".tmp"
	store := lake.Store()
	drop := func() error { return errors.Join(store.Remove(temp), store.Remove(temp+".wal")) }
	if err := drop(); err != nil {
		return err
	}
	if err := buildCatalog(ctx, lake, models, temp, o); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", CatalogFile, err), drop())
	}
	if err := syncFile(lake.Path(temp)); err != nil {
		return errors.Join(err, drop())
	}
	// A log that somebody's session left beside the old file does not fit the new one.
	if err := store.Remove(CatalogFile + ".wal"); err != nil {
		return errors.Join(err, drop())
	}
	return store.Move(temp, CatalogFile)
}

func buildCatalog(ctx context.Context, lake *data.Lake, models []Model, temp string, o EngineOptions) error {
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
	e, err := openEngine(ctx, engineConfig{spill: folder + "journal/spill", folders: []string{folder}, options: o})
	if err != nil {
		return err
	}
	build := func() error {
		// Attached to the engine that models run in, so that its limits hold here too.
		if err := e.exec(ctx, "attach "+quote(folder+temp)+" as catalog_file; use catalog_file"); err != nil {
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
