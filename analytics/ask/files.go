package ask

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/sql"
)

// Limits of a SELECT over foreign files, which is as untrusted as the files.
const (
	filesMemory = "300MB" // of DuckDB; the rest is spilled
	filesSpill  = 8 << 30 // bytes on disk, and the bytes of the files once more
	filesRows   = 100_000 // rows, and one more for each byte of the files
	filesRate   = 4 << 20 // bytes of the files a second
	filesBatch  = 4 << 20 // bytes of the files for the rows that are in memory at once
)

// filesTime is the time that a SELECT may take, and one more second for each filesRate bytes.
var filesTime = time.Minute // shorter in a test

// Errors that end a SELECT if it takes more than its files account for.
var (
	errLongSelect = errors.New("the SELECT takes longer than its files account for")
	errManyRows   = errors.New("the SELECT gives more rows than its files account for")
)

// ReadFiles hands the rows of a SELECT over some files to a function. To DuckDB there is nothing
// but these files, which it may read and not write. prepare are statements of the program's own
// that come before it. Memory, disk, rows and the time of the SELECT itself are bounded. The row's
// slice is valid during the call.
func ReadFiles(
	ctx context.Context, files []string, prepare, query string, row func(columns []string, values []any) error,
) error {
	return within(ctx, func() error { return readFiles(ctx, files, prepare, query, row) })
}

func readFiles(ctx context.Context, files []string, prepare, query string,
	row func([]string, []any) error) (err error) {
	temp, err := newScratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, temp.remove()) }()
	paths, size, err := foreignPaths(files)
	if err != nil {
		return err
	}
	options := engine.Options{MemoryLimit: filesMemory, Threads: 1} // One thread keeps the order of the rows.
	e, err := engine.Open(ctx, engine.Config{Spill: temp.path("spill"), Files: paths, Options: options})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	for _, statement := range []string{fmt.Sprintf("set max_temp_directory_size = '%dB'", filesSpill+size), prepare,
		"set lock_configuration = true"} {
		if err := e.Exec(ctx, statement); err != nil {
			return explainFiles(err)
		}
	}
	switch kind, _, err := classify(ctx, e, query, false); {
	case err != nil:
		return err
	case kind != statementSelect:
		return data.WithHint(ErrRefused, "write one select over the files that the command names")
	}
	limited, cancel := context.WithTimeoutCause(ctx, filesTime+time.Duration(size/filesRate)*time.Second, errLongSelect)
	defer cancel()
	// A row is one value, so that no column takes the name rowid.
	err = e.Exec(limited,
		fmt.Sprintf("create temp table %s as select q as row from query(%s) as q limit %d", resultTable,
			sql.Quote(query), filesRows+size+1))
	if err != nil && errors.Is(context.Cause(limited), errLongSelect) {
		return data.WithHint(errLongSelect, "let it read each file once, without recursion, or make smaller files")
	}
	if err != nil {
		return explainFiles(err)
	}
	n, err := e.Count(ctx, resultTable)
	if n > filesRows+size {
		return data.WithHint(errManyRows, "let it give each row of the files once, without recursion")
	}
	step := max(1, min(batchRows, n*filesBatch/max(1, size)))
	for from := int64(0); from < n && err == nil; from += step {
		err = handRows(ctx, e,
			fmt.Sprintf("select unnest(row) from %s where rowid >= %d and rowid < %d", resultTable, from,
				from+step), row)
	}
	return err
}

// foreignPaths are files as DuckDB is to know them, and their size.
func foreignPaths(files []string) (paths []string, size int64, err error) {
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			return nil, 0, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, 0, err
		}
		paths, size = append(paths, filepath.ToSlash(path)), size+info.Size()
	}
	return paths, size, nil
}

// handRows hands over the rows of a query. The driver holds all of them in memory.
func handRows(ctx context.Context, e *engine.Engine, query string, row func([]string, []any) error) (err error) {
	result, err := e.Conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, result.Close()) }()
	columns, err := result.Columns()
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for err == nil && result.Next() {
		if err = errors.Join(ctx.Err(), result.Scan(into...)); err == nil {
			err = row(columns, values)
		}
	}
	return errors.Join(err, result.Err())
}

// A fileError is an error at a line of a file.
type fileError struct {
	line    int
	message string
}

// Error implements error.
func (e *fileError) Error() string { return e.message }

// FileLine is the line, from 1.
func (e *fileError) FileLine() int { return e.line }

var (
	csvError  = regexp.MustCompile(`(?s)^.*CSV Error on Line: (\d+)\nOriginal Line: .*?\n([^\n]+)\n`)
	jsonError = regexp.MustCompile(`(?s)JSON.*? in (record/value \d+): (.*?)(?: \{.*?\} has duplicate|\nTry |$)`)
)

// explainFiles turns an error of DuckDB into an error that says where in a file it is and what to
// do.
func explainFiles(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	message, _, _ := strings.Cut(err.Error(), "\n\nLINE 1: ") // the line is from a query around the SELECT
	csv, json := csvError.FindStringSubmatch(message), jsonError.FindStringSubmatch(message)
	switch {
	case engine.OutOfMemory(err):
		return &fileError{0, "a record or a value is too large for the " + filesMemory +
			" that a SELECT may take: make it smaller"}
	case strings.Contains(message, "disabled by configuration"):
		return data.WithHint(errors.New(message),
			"a SELECT reads the files that the command names, and nothing else: name this one, too")
	case strings.Contains(message, "expected records"):
		return &fileError{0, "a record is no object: write each as {…}, or remove it"}
	case strings.Contains(message, "Invalid string encoding found in Parquet file"):
		return &fileError{0, "a text has bytes that are not UTF-8: write the file again in UTF-8"}
	case csv != nil:
		line, _ := strconv.Atoi(csv[1])
		return &fileError{line, "not as the header says: " + strings.ToLower(csv[2]) +
			"; quote cells that hold the delimiter or a line feed, and write a quote within such a cell twice"}
	case json != nil:
		return &fileError{0,
			"not JSON as it should be, in " + json[1] + ": " + text.Visible(strings.TrimSpace(json[2])) +
				"; fix the file or write it again"}
	}
	return &fileError{0, strings.Join(strings.Fields(message), " ")}
}
