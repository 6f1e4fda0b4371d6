package ask

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/sql"
)

// Limits of a SELECT over foreign files, which is as untrusted as the files.
const (
	filesMemory  = "300MB"     // of DuckDB; the rest is spilled
	filesSpill   = "8GB"       // on disk
	filesRows    = 100_000     // rows, and one more for each byte of the files
	filesTime    = time.Minute // of the SELECT alone, and one more second for each filesRate bytes of the files
	filesRate    = 4 << 20
	filesHandler = "captionlake_row" // name in SQL of the function that takes the rows
)

// Errors that end a SELECT if it takes more time or rows than the sizes of its files allow.
var (
	errLongSelect = errors.New("the SELECT takes longer than its files account for")
	errManyRows   = errors.New("the SELECT gives more rows than its files account for")
)

// ReadFiles hands the rows of a SELECT over some files to a function. DuckDB may read only these
// files, and may write no file. prepare has statements of the program's own, which run before the
// SELECT. Memory, disk, rows and the time of the SELECT itself are bounded. The slice of a row is
// valid during the call.
func ReadFiles(
	ctx context.Context, files []string, prepare, query string, row func(columns []string, values []any) error,
) error {
	return within(ctx, func() error {
		return readFiles(ctx, files, prepare, query, filesTime, func(columns []string, values []any) error {
			if ctx.Err() != nil { // ReadFiles may have returned, so row must not be called.
				return ctx.Err()
			}
			return row(columns, values)
		})
	})
}

// readFiles is ReadFiles with another limit of time: the SELECT may take the time most, and one
// more second for each filesRate bytes of its files.
func readFiles(
	ctx context.Context, files []string, prepare, query string, most time.Duration, row func([]string, []any) error,
) (err error) {
	temp, err := newScratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, temp.remove()) }()
	var paths []string
	size := int64(0)
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		paths, size = append(paths, filepath.ToSlash(path)), size+info.Size()
	}
	options := engine.Options{MemoryLimit: filesMemory, Threads: 1} // One thread keeps the order of the rows.
	e, err := engine.Open(ctx, engine.Config{Spill: temp.path("spill"), Files: paths, Options: options})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	for _, statement := range []string{"set max_temp_directory_size = " + sql.Quote(filesSpill), prepare,
		"set lock_configuration = true"} {
		if err := e.Exec(ctx, statement); err != nil {
			return explainFiles(err)
		}
	}
	isSelect, _, err := classify(ctx, e, query, false) // false: --allow-outside is not for ingest.
	if err == nil && !isSelect {
		err = ErrRefused
	}
	if errors.Is(err, ErrRefused) {
		return data.WithHint(err, "write one select over the files that the command names")
	} else if err != nil {
		return err
	}
	rows := int64(0)
	most += time.Duration(size/filesRate) * time.Second
	return handRows(ctx, e, query, most, func(columns []string, values []any) error {
		if rows++; rows > filesRows+size {
			return data.WithHint(errManyRows, "let it give each row of the files once, without recursion")
		}
		return row(columns, values)
	})
}

// handRows runs a SELECT and hands over its rows one by one while it runs: DuckDB calls a function
// of ours, filesHandler, with each row. The driver's own result would hold all rows, and the limit
// of DuckDB's memory does not bound the driver. The SELECT may take the time most, without the time
// of the function row.
func handRows(ctx context.Context, e *engine.Engine, query string, most time.Duration,
	row func([]string, []any) error) error {
	source := "query(" + sql.Quote(query) + ")"
	columns, err := e.Values(ctx, "select column_name from (describe from "+source+")")
	if err != nil {
		return explainFiles(err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	resumed := time.Now()
	timer := time.AfterFunc(most, func() { cancel(errLongSelect) })
	defer timer.Stop()
	var rowErr error
	err = duckdb.RegisterScalarUDF(e.Conn, filesHandler, rowHandler(func(values []any) error {
		timer.Stop()
		most -= time.Since(resumed) // the time that is left
		rowErr = row(columns, values)
		resumed = time.Now()
		timer.Reset(most)
		return rowErr
	}))
	if err != nil {
		return err
	}
	result, err := e.Conn.QueryContext(ctx, fmt.Sprintf("select %s(%s) from %s", filesHandler, sql.QuoteNames(columns),
		source))
	if err == nil { // The function row has got all rows by now.
		err = result.Close()
	}
	switch {
	case rowErr != nil:
		return rowErr
	case errors.Is(context.Cause(ctx), errLongSelect):
		return data.WithHint(errLongSelect, "let it read each file once, without recursion, or make smaller files")
	}
	return explainFiles(err)
}

// A rowHandler is a function of SQL that takes the values of a row, whatever they are.
type rowHandler func(values []any) error

var _ duckdb.ScalarFunc = rowHandler(nil)

// Config implements duckdb.ScalarFunc. The function is volatile, so that DuckDB calls it for every
// row, also if rows are equal. With special handling of nulls DuckDB calls it for rows with nulls.
func (rowHandler) Config() duckdb.ScalarFuncConfig {
	boolean, errBoolean := duckdb.NewTypeInfo(duckdb.TYPE_BOOLEAN)
	anything, errAny := duckdb.NewTypeInfo(duckdb.TYPE_ANY)
	if err := errors.Join(errBoolean, errAny); err != nil {
		panic(err) // The driver has both types.
	}
	return duckdb.ScalarFuncConfig{ResultTypeInfo: boolean, VariadicTypeInfo: anything, Volatile: true,
		SpecialNullHandling: true}
}

// Executor implements duckdb.ScalarFunc.
func (f rowHandler) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowExecutor: func(values []driver.Value) (any, error) {
		row := make([]any, len(values))
		for i, v := range values {
			row[i] = v
		}
		return true, f(row) // Nobody reads the value. An error ends the SELECT.
	}}
}

// A fileError is an error in a file that a SELECT reads.
type fileError struct {
	line    int // from 1; 0 if it is unknown
	message string
}

// Error implements error.
func (e *fileError) Error() string { return e.message }

// FileLine is the line, from 1; 0 if it is unknown.
func (e *fileError) FileLine() int { return e.line }

var (
	csvError  = regexp.MustCompile(`(?s)^.*CSV Error on Line: (\d+)\nOriginal Line: .*?\n([^\n]+)\n`)
	jsonError = regexp.MustCompile(`(?s)JSON.*? in (record/value \d+): (.*?)(?: \{.*?\} has duplicate|\nTry |$)`)
)

// explainFiles turns an error of DuckDB into an error that says where in a file the fault is and
// what to do.
func explainFiles(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	// DuckDB quotes a line of the query, which is not in the file.
	message, _, _ := strings.Cut(err.Error(), "\n\nLINE 1: ")
	csv, json := csvError.FindStringSubmatch(message), jsonError.FindStringSubmatch(message)
	switch {
	case engine.OutOfMemory(err):
		return &fileError{0, "a record or a value is too large for the " + filesMemory +
			" that a SELECT may take: make it smaller"}
	case strings.Contains(message, "disabled by configuration"):
		return data.Errorf("a SELECT reads the files that the command names, and nothing else: name this one, too",
			"%s", message)
	case strings.Contains(message, "expected records"):
		return &fileError{0, "a record is no object: write each as {…}, or remove it"}
	case strings.Contains(message, "Invalid string encoding found in Parquet file"):
		return &fileError{0, "a text has bytes that are not UTF-8: write the file again in UTF-8"}
	case csv != nil:
		line, _ := strconv.Atoi(csv[1]) // csvError matches digits here.
		return &fileError{line, "not as the header says: " + strings.ToLower(csv[2]) +
			"; quote cells that hold the delimiter or a line feed, and write a quote within such a cell twice"}
	case json != nil:
		return &fileError{0,
			"not JSON as it should be, in " + json[1] + ": " + text.Visible(strings.TrimSpace(json[2])) +
				"; fix the file or write it again"}
	}
	return &fileError{0, strings.Join(strings.Fields(message), " ")}
}
