// Package engine opens DuckDB over a lake. The database is in memory and reaches nothing but the
// folders that it is given. It has views of the lake's tables and marts, the macros of package sql
// and the functions of package statistics.
package engine

import (
	"cmp"
	"context"
	database "database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/sql"
)

// DefaultMemory is the memory that DuckDB may use before it spills to disk. It is enough for 102
// million answers, because a fold reads only some of the answers at a time: a bucket, or the
// answers under some prompts.
const DefaultMemory = "1200MB"

// Options bound the memory and threads that DuckDB takes. The zero value is good for most commands.
type Options struct {
	MemoryLimit string // memory that DuckDB may use before it spills to disk, such as 2GB; DefaultMemory when empty
	Threads     int    // threads; one for each processor when 0

	Held     bool // marts without parts are read once, into memory: many SELECTs see the same rows, and are faster
	Unlocked bool // SQL may do and reach what the process can: other files, several statements, writing

	// protocol and reader of the answers in the view shown_readers; the view chooses when empty
	Protocol, Reader string
	// views have only rows of these kinds: some of data.Provenances, and perhaps data.Together, which
	// makes published and measured rows one kind; all rows when empty
	Kinds []string
}

// An Engine is one DuckDB database in memory with one connection. It reaches nothing but the
// folders that it was given.
type Engine struct {
	Conn    *database.Conn
	db      *database.DB
	temp    bool              // views are temporary: no other connection has them
	release func() error      // closes the database and removes its spilled files; nil in an engine of Connect
	shown   map[string]string // statements that this connection has run: by name of the view, for Make by statement
	kinds   []string          // rows that views have; all when empty
	held    bool              // marts are tables in memory, not views
}

// Config says which files an engine may reach.
type Config struct {
	Spill   string   // folder to spill into, made and removed by the engine
	Folders []string // folders that SQL may read and write
	Files   []string // single files that SQL may read and write
	Options Options
}

// Open starts DuckDB, in memory. Unless the options say unlocked, DuckDB never installs or loads an
// extension: everything that the models and queries need is built in.
func Open(ctx context.Context, c Config) (*Engine, error) {
	// Without a name the database is in memory. The function has nothing to do for a new connection.
	connector, err := duckdb.NewConnector("", func(driver.ExecerContext) error { return nil })
	if err != nil {
		return nil, fmt.Errorf("start DuckDB: %w", err)
	}
	db := database.OpenDB(connector)
	e, err := connect(ctx, db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	e.kinds, e.held = c.Options.Kinds, c.Options.Held
	e.release = func() error { return errors.Join(db.Close(), os.RemoveAll(c.Spill)) }
	if err := errors.Join(e.addFunctions(ctx), e.configure(ctx, c)); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// connect opens a connection to a database. The connection has no views yet.
func connect(ctx context.Context, db *database.DB) (*Engine, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to DuckDB: %w", err)
	}
	return &Engine{Conn: conn, db: db, shown: map[string]string{}}, nil
}

// Connect opens one more connection to the database, with its own views and macros. It has views of
// all marts, even if e is held.
func (e *Engine) Connect(ctx context.Context) (*Engine, error) {
	another, err := connect(ctx, e.db)
	if err != nil {
		return nil, err
	}
	another.temp, another.kinds = true, e.kinds
	return another, nil
}

// Close ends the connection. Closing the first connection also closes the database.
func (e *Engine) Close() error {
	err := e.Conn.Close()
	if e.release != nil {
		err = errors.Join(err, e.release())
	}
	return err
}

// Make carries out a statement that makes a view or a macro, unless it was carried out before.
func (e *Engine) Make(ctx context.Context, statement string) error {
	if e.shown[statement] == "" { // CreateViews has names of views for keys, and Make has statements.
		if err := e.Exec(ctx, statement); err != nil {
			return err
		}
		e.shown[statement] = statement
	}
	return nil
}

// Forget forgets which views and macros were made, so that CreateViews and Make make them again.
func (e *Engine) Forget() { clear(e.shown) }

// configure sets the limits of DuckDB. Unless the engine is unlocked, it also keeps SQL away from
// extensions and from all files that c does not name.
func (e *Engine) configure(ctx context.Context, c Config) error {
	memory := cmp.Or(c.Options.MemoryLimit, DefaultMemory)
	settings := []string{
		"set temp_directory = " + sql.Quote(c.Spill),
		"set memory_limit = " + sql.Quote(memory),
		"set allow_community_extensions = false",
		"set timezone = 'UTC'",
	}
	if c.Options.Threads > 0 {
		settings = append(settings, fmt.Sprintf("set threads = %d", c.Options.Threads))
	}
	if !c.Options.Unlocked {
		// External access is switched off last, because DuckDB then refuses to change the allowed folders
		// and files.
		settings = append(settings,
			"set autoinstall_known_extensions = false",
			"set autoload_known_extensions = false",
			"set allow_persistent_secrets = false",
			"set allowed_directories = "+sql.QuoteList(withPatterns(c.Folders)),
			"set allowed_paths = "+sql.QuoteList(withPatterns(c.Files)),
			"set enable_external_access = false",
		)
	}
	for name, value := range map[string]string{"shown_protocol": c.Options.Protocol, "shown_reader": c.Options.Reader} {
		if value != "" {
			settings = append(settings, "set variable "+name+" = "+sql.Quote(value))
		}
	}
	for _, s := range settings {
		if err := e.Exec(ctx, s); err != nil {
			return data.Errorf("check the memory limit, threads and temporary folder given",
				"configure DuckDB (%s): %w", s, err)
		}
	}
	return nil
}

// Exec carries out statements whose rows nobody reads.
func (e *Engine) Exec(ctx context.Context, statements string) error {
	if statements == "" {
		return nil // DuckDB would report an error for an empty text.
	}
	_, err := e.Conn.ExecContext(ctx, statements)
	var failed *duckdb.Error
	if errors.As(err, &failed) {
		// The rest of the message proposes settings of DuckDB that a user cannot reach from here.
		failed.Msg, _, _ = strings.Cut(failed.Msg, "\n\nPossible solutions:")
	}
	return err
}

// OutOfMemory reports whether an error says that a statement needed more memory than DuckDB may
// use, even with spilling.
func OutOfMemory(err error) bool { return failedFor(err, duckdb.ErrorTypeOutOfMemory) }

// Interrupted reports whether an error says that a statement was stopped by the end of its context.
func Interrupted(err error) bool { return failedFor(err, duckdb.ErrorTypeInterrupt) }

// failedFor reports whether an error is DuckDB's and of one of some types.
func failedFor(err error, types ...duckdb.ErrorType) bool {
	var failed *duckdb.Error
	return errors.As(err, &failed) && slices.Contains(types, failed.Type)
}

// Strings reads a query's rows as text; null reads as ∅.
func (e *Engine) Strings(ctx context.Context, query string) (columns []string, all [][]string, err error) {
	return e.Texts(ctx, query, Display)
}

// Values are the values of a query's rows as texts, one row after the other, as in Strings.
func (e *Engine) Values(ctx context.Context, query string) ([]string, error) {
	_, rows, err := e.Strings(ctx, query)
	return slices.Concat(rows...), err
}

// Texts reads a query's rows; the function text words their values.
func (e *Engine) Texts(ctx context.Context, query string, text func(any) string) (columns []string, all [][]string,
	err error) {
	batch, err := batches.One(ctx, e.Conn, query)
	if err != nil {
		return nil, nil, err
	}
	defer batch.Release()
	all = make([][]string, batch.NumRows())
	for k, column := range batch.Columns() {
		columns = append(columns, batch.ColumnName(k))
		for i := range all {
			all[i] = append(all[i], text(rows.Native(column, i)))
		}
	}
	return columns, all, nil
}

// Count is the number of rows of a relation.
func (e *Engine) Count(ctx context.Context, relation string) (n int64, err error) {
	err = e.Conn.QueryRowContext(ctx, "select count(*) from "+relation).Scan(&n)
	return n, err
}

// withPatterns lists each folder or file also as [sql.Pattern] writes it. DuckDB compares the text
// of a pattern with the allowed folders and files before it looks for files that match the pattern.
func withPatterns(paths []string) (all []string) {
	for _, p := range paths {
		all = append(all, p, sql.Pattern(p))
	}
	return all
}

// Folder is the lake's folder as DuckDB must know it: absolute, with slashes, and with a slash at
// the end.
func Folder(lake *data.Lake) (string, error) {
	dir, err := filepath.Abs(lake.Dir())
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/", nil
}
