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
	"strings"

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
	models, err := Models()
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
	return lake.BetweenCommits(func() error { return writeCatalog(ctx, lake, models, o) })
}

func writeCatalog(ctx context.Context, lake *data.Lake, models []Model, o EngineOptions) (err error) {
	relations, err := relationsOf(lake, models)
	if err != nil {
		return err
	}
	views := catalogViews(relations)
	if catalogStands(lake, views) {
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
	record, err := json.Marshal(catalogRecord{views, data.Fingerprint(string(content))})
	if err != nil {
		return err
	}
	return lake.PutFile(catalogRecordFile, record)
}

// catalogRecordFile says what the DuckDB file was made from, so that it is made anew only when it would differ. Without it, it is made.
const catalogRecordFile = "cache/catalog.json"

// A catalogRecord is what the DuckDB file was made from, and what came out.
type catalogRecord struct {
	Views string `json:"views"` // digest of what the views and comments say
	File  string `json:"file"`  // digest of the DuckDB file
}

// catalogViews digests what the views and comments of the DuckDB file say.
func catalogViews(relations []relation) string {
	parts := []string{data.Version}
	for _, relation := range relations {
		parts = append(append(parts, relation.view(catalogFolder)), relation.comments()...)
	}
	for _, s := range shortcutsOver(relations) {
		parts = append(append(parts, s.statement()), s.comments()...)
	}
	return data.Fingerprint(parts...)
}

// catalogStands reports whether the DuckDB file that is there is the one that would be made.
func catalogStands(lake *data.Lake, views string) bool {
	if _, err := os.Stat(lake.Path(CatalogFile + ".wal")); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var old catalogRecord
	record, err := os.ReadFile(lake.Path(catalogRecordFile))
	if err != nil || json.Unmarshal(record, &old) != nil || old.Views != views {
		return false
	}
	content, err := os.ReadFile(lake.Path(CatalogFile))
	return err == nil && old.File == data.Fingerprint(string(content))
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
