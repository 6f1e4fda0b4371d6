package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/sql"
)

// CatalogFile is the lake's DuckDB file. It has a view over every base table and mart, the
// shortcuts, comments that describe them, and the macros of sql/macros/shown.sql.
const CatalogFile = "captionlake.duckdb"

// catalogFolder is the SQL expression by which the views of the catalog find the lake's folder,
// wherever the file was opened from and wherever the lake was moved to.
//
// DuckDB resolves the paths of a view against the working directory of the process that reads it,
// and it has no function for the place of a database file. But it derives the default of the
// setting temp_directory from the file that it was started with: FOLDER/captionlake.duckdb.tmp. The
// text before the last slash is the lake's folder. If DuckDB was started with another database, or
// without one, the expression gives the folder of that database, or the working directory. The
// variable captionlake then says where the lake is.
//
// So a user may open the file as the main database from any folder, for reading or writing, also
// after the lake was moved. A session that was started inside the lake may attach the file. A
// session that was started elsewhere and attaches the file, or that sets temp_directory to another
// place, needs
//
//	set variable captionlake = '/path/to/lake/';
//
// with the slash at the end. A folder's name is read as a pattern there, so [, * and ? are written
// [[], [*] and [?]. If a folder has a ? in its name, DuckDB writes .tmp before the ?, because an
// option could follow the ?; the expression removes this .tmp. Drivers that read options from a
// database's name need the bare name, from inside the lake.
//
// A view finds the files that are there when somebody reads the view. But a base table that was
// empty when the DuckDB file was written stays empty there until the models are next built.
const catalogFolder = `coalesce(getvariable('captionlake'), ` +
	`regexp_replace(regexp_replace(regexp_replace(current_setting('temp_directory'), ` +
	`'\.tmp\?', '?'), '[^/\\]*$', ''), '([[*?])', '[\1]', 'g'))`

// WriteCatalog makes the lake's DuckDB file anew and replaces the old file in one step. The file
// holds views only: anything that somebody else has written into it is lost. The lake must be open
// for writing. No unit is committed while WriteCatalog runs, because the views are bound to the
// files that are there.
func WriteCatalog(ctx context.Context, lake *data.Lake, o engine.Options) error {
	release, err := lake.Hold(data.MartsFolder)
	if err != nil {
		return err
	}
	defer release()
	return lake.BetweenCommits(func() error { return writeCatalog(ctx, lake, o) })
}

// writeCatalog is WriteCatalog while no unit is committed.
func writeCatalog(ctx context.Context, lake *data.Lake, o engine.Options) (err error) {
	// Without a folder, a view reads the files of a mart that are there when somebody asks.
	relations, err := engine.Relations(lake, "", sqlmodel.CatalogNames())
	if err != nil {
		return err
	}
	shortcuts, err := sqlmodel.ShortcutsOver(lake)
	if err != nil {
		return err
	}
	statements := catalogStatements(relations, shortcuts)
	if catalogIsCurrent(lake, statements) {
		return nil
	}
	// DuckDB writes a database only into a folder without a ? in its name. The name of the lake's
	// folder may have a ?, so the file is made in a temporary folder.
	temp, err := os.MkdirTemp("", "captionlake-sql-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	file := filepath.ToSlash(filepath.Join(temp, CatalogFile))
	if err := buildCatalog(ctx, lake, statements, file, o); err != nil {
		return fmt.Errorf("%s: %w", CatalogFile, err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	// A log that somebody's session left beside the old file does not fit the new file.
	if err := lake.Store().Remove(CatalogFile + ".wal"); err != nil {
		return err
	}
	if err := lake.PutFile(CatalogFile, content); err != nil {
		return err
	}
	// The record is written last. Without the record, the DuckDB file is made again next time.
	return lake.PutFile(catalogRecordFile, []byte(catalogDigest(statements, content)))
}

// catalogRecordFile holds the catalogDigest of the DuckDB file that was written last.
const catalogRecordFile = "cache/catalog.sha256"

// catalogDigest digests the content of a DuckDB file and the statements that made it.
func catalogDigest(statements string, content []byte) string {
	return data.Fingerprint(data.Version, statements, string(content))
}

// catalogIsCurrent reports whether the lake's DuckDB file is the file that the statements would
// make. It is false if the DuckDB file was changed, or if there is no record of that file.
func catalogIsCurrent(lake *data.Lake, statements string) bool {
	_, noLog := os.Stat(lake.Path(CatalogFile + ".wal")) // A log has changes that are not in the file yet.
	record, noRecord := files.Read(lake.Store(), catalogRecordFile)
	content, noFile := files.Read(lake.Store(), CatalogFile)
	return errors.Is(noLog, fs.ErrNotExist) && noRecord == nil && noFile == nil &&
		string(record) == catalogDigest(statements, content)
}

// catalogStatements make the views, macros and shortcuts of the DuckDB file, with comments.
func catalogStatements(relations []engine.Relation, shortcuts []sqlmodel.Shortcut) string {
	all := []string{sql.ShownMacros}
	for _, r := range relations {
		all = append(append(all, r.View(catalogFolder, "view")), r.Comments()...)
	}
	for _, s := range shortcuts {
		all = append(append(all, s.Statement()), s.Comments()...)
	}
	return strings.Join(all, ";\n")
}

// buildCatalog runs the statements in a new DuckDB file.
func buildCatalog(ctx context.Context, lake *data.Lake, statements, file string, o engine.Options) error {
	folder, err := engine.Folder(lake)
	if err != nil {
		return err
	}
	o.Threads = 1 // Thousands of tiny statements gain nothing from more threads.
	e, err := engine.Open(ctx,
		engine.Config{Spill: folder + "journal/spill", Folders: []string{folder, path.Dir(file) + "/"}, Options: o})
	if err != nil {
		return err
	}
	// The file is attached to the engine that models run in, so that the engine's limits hold here
	// too. The views are bound when they are made, before the file is in its place. All is one
	// transaction, because DuckDB would otherwise write and sync its log after each statement.
	script := fmt.Sprintf(`attach %s as catalog_file; use catalog_file; set variable captionlake = %s; begin;
		%s; commit; checkpoint catalog_file; use memory; detach catalog_file`,
		sql.Quote(file), sql.Quote(sql.Pattern(folder)), statements)
	return errors.Join(e.Exec(ctx, script), e.Close())
}
