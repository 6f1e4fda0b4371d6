package ask

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/sql"
)

// Options say how a query is run and how its rows are written.
type Options struct {
	Engine engine.Options
	Format string // one of Formats; table when empty
	// most rows to compute; 0 means 1000 in the format table and all in other formats; negative
	// means all
	Rows  int64
	Width int  // columns of the terminal that shows the rows; 0 without a terminal
	Some  bool // a select without rows is the error [rows.ErrNone]
	// big tables that the query names are compared with their digests, too, and not only with their
	// sizes
	Whole bool
}

// Query answers SQL about the lake: its base tables and marts are there as views. The rows go to
// out in the chosen format; the rows of several selects follow each other. In the forms for
// machines memory does not grow with the number of rows. The format table has 1000 rows at most,
// unless o.Rows says otherwise. Before the query, marts and small tables that it names are compared
// with their digests, and big tables with their sizes. A damaged mart or table is an error.
//
// SQL reads the lake's folder and nothing else: no other file, no extension, no setting, and
// nothing is written, unless the engine is unlocked. For an unlocked engine the text may hold other
// statements: all are run, and the rows of the last statement are written as text. Query returns
// the number of rows.
func Query(ctx context.Context, lake *data.Lake, text string, o Options, out io.Writer) (rows int64, err error) {
	err = within(ctx, func() (err error) {
		r, err := OpenReader(ctx, lake, o.Engine)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		rows, err = r.Query(ctx, text, o, out)
		return err
	})
	if err != nil { // The query may still run and write to the variable rows, so rows is not read.
		return 0, err
	}
	return rows, nil
}

// answer answers one statement.
func (r *Reader) answer(ctx context.Context, text string, o Options, out io.Writer) (int64, error) {
	isSelect, text, err := classify(ctx, r.engine, text, r.options.Unlocked)
	switch {
	case err != nil:
		return 0, err
	case isSelect:
		return r.answerSelect(ctx, text, o, out)
	case slices.Contains(oneSelectFormats, o.Format):
		return 0, data.Errorf("choose the format table or csv", "the format %s takes one select", o.Format)
	}
	names, rows, err := r.engine.Strings(ctx, text)
	if err != nil {
		return 0, err
	}
	if o.Format == "csv" {
		return int64(len(rows)), csv.NewWriter(out).WriteAll(append([][]string{names}, rows...))
	}
	var columns []column
	for _, name := range names {
		columns = append(columns, column{name, "VARCHAR"})
	}
	_, err = io.WriteString(out, shown(o, columns, rows, false)) // false: these are all rows
	return int64(len(rows)), err
}

// mostTries is how often a question is asked if another process removes or replaces a file before
// DuckDB reads it.
const mostTries = 10

// vanished reports whether a question may have failed because a file is gone that was there when
// the files were listed, or because another file took its place. In another file, DuckDB reads at
// the place where the first file had its footer or a page, and finds something else. Such errors
// have no type, and the driver calls them ErrorTypeInvalid. The question can be asked again; a
// damaged file gives the same error every time.
func vanished(err error) bool {
	var failed *duckdb.Error
	if !errors.As(err, &failed) {
		return false
	}
	says := func(words string) bool { return strings.Contains(failed.Msg, words) }
	return failed.Type == duckdb.ErrorTypeInvalid || says("No files found that match the pattern") ||
		says("No such file or directory") || says("Failed to read file")
}

// overwritten makes DuckDB write over the file of an earlier question. Otherwise DuckDB would write
// a new file beside the old file and rename the new file. It is not allowed to write other files.
const overwritten = "use_tmp_file false"

// resultTable holds the rows of a query while they are written. DuckDB keeps rows that do not fit
// into memory on disk.
const resultTable = "captionlake_result"

// answerSelect runs one select and writes its rows.
func (r *Reader) answerSelect(ctx context.Context, text string, o Options, out io.Writer) (n int64, err error) {
	e := r.engine
	// First the rows are computed. If their number is limited, one more row is computed, to see
	// whether there are more. DuckDB's function query takes one select and refuses any other text.
	// source is the SQL that has the rows: first the select, and then the table that stores the rows.
	source := "query(" + sql.Quote(text) + ")"
	if o.Rows == 0 && o.Format == "table" {
		o.Rows = tableRows
	}
	if o.Rows > 0 {
		source = fmt.Sprintf("(from %s limit %d)", source, o.Rows+1)
	}
	// A query that lists tables would list resultTable, too. Such a query has few rows.
	stored := !listsCatalog.MatchString(text)
	if stored {
		if err := e.Exec(ctx, "create temp table "+resultTable+" as from "+source); err != nil {
			return 0, inQuestion(ctx, e, err, text)
		}
		defer func() { err = errors.Join(err, e.Exec(context.WithoutCancel(ctx), "drop table "+resultTable)) }()
		source = resultTable
	}
	if n, err = e.Count(ctx, source); err != nil {
		return 0, err
	}
	if o.Some && n == 0 {
		return 0, rows.None("the SELECT gives no rows")
	}
	more := o.Rows > 0 && n > o.Rows
	if more {
		n = o.Rows
		source = fmt.Sprintf("(from %s limit %d)", source, n)
	}
	// Then the columns of the rows are selected in the form that the format needs, and written.
	_, described, err := e.Texts(ctx, "select column_name, column_type from (describe from "+source+")",
		engine.Readable)
	if err != nil {
		return 0, err
	}
	var columns []column
	var expressions []string
	for _, row := range described {
		c := column{name: row[0], sqlType: row[1]}
		columns, expressions = append(columns, c), append(expressions, c.expression(o.Format))
	}
	values := "select " + strings.Join(expressions, ", ") + " from "
	if o.Format == "arrow" {
		count := int64(batches.Whole)
		// Only a table with DuckDB's own column rowid can be read in pieces.
		if stored && !slices.ContainsFunc(columns, func(c column) bool { return strings.EqualFold(c.name, "rowid") }) {
			source, count = resultTable, n // Write leaves out the row after the first n.
		}
		return n, batches.Write(ctx, e.Conn, values+source, count, out)
	}
	query := values + source
	if copyOptions[o.Format] != "" {
		return n, copyRows(ctx, e, query, o.Format, r.file, out)
	}
	_, cells, err := e.Texts(ctx, query, engine.Readable)
	if err != nil {
		return 0, err
	}
	_, err = io.WriteString(out, shown(o, columns, cells, more))
	return n, err
}

// inQuestion turns the error of a statement that contains a question into the error of the
// question. DuckDB shows a line of the whole statement, and the asker did not write that line.
// Prepared alone, the question gives the same error with its own line. If only running the question
// gives the error, no line is shown.
func inQuestion(ctx context.Context, e *engine.Engine, err error, question string) error {
	var failed *duckdb.Error
	if !errors.As(err, &failed) || !strings.Contains(failed.Msg, "create temp table "+resultTable) {
		return err
	}
	prepared, questionErr := e.Conn.PrepareContext(ctx, question)
	if questionErr != nil {
		return questionErr
	}
	if err := prepared.Close(); err != nil {
		return err
	}
	message, _, _ := strings.Cut(failed.Msg, "\n\nLINE ")
	return &duckdb.Error{Type: failed.Type, Msg: message}
}

// textOrNumber matches the texts in JSON, and the numbers that JSON does not have.
var textOrNumber = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)`)

// copyRows lets DuckDB write the rows of a query into a file, and then copies the file to out. In
// JSON, numbers that are not finite become null, also in lists and structures.
func copyRows(ctx context.Context, e *engine.Engine, query, format, file string, out io.Writer) (err error) {
	if err := e.Exec(ctx, fmt.Sprintf("copy (%s) to %s (%s, %s)", query, sql.Quote(file), copyOptions[format],
		overwritten)); err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if format != "json" {
		_, err = io.Copy(out, f)
		return err
	}
	buffered, lines := bufio.NewWriter(out), bufio.NewScanner(f)
	lines.Buffer(nil, math.MaxInt) // A row is a line.
	for lines.Scan() {
		line := lines.Bytes()
		if bytes.Contains(line, []byte("NaN")) || bytes.Contains(line, []byte("Infinity")) {
			line = textOrNumber.ReplaceAllFunc(line, func(found []byte) []byte {
				if found[0] == '"' {
					return found
				}
				return []byte("null")
			})
		}
		if _, err := buffered.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return errors.Join(lines.Err(), buffered.Flush())
}

// explain adds the next step to DuckDB's errors that people meet most.
func explain(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	switch {
	case engine.OutOfMemory(err):
		return data.WithHint(err, "ask for less, or let DuckDB have more: --memory 4GB")
	case strings.Contains(text, "disabled by configuration"), strings.Contains(text, "disabled through configuration"):
		return data.WithHint(err, "SQL reaches the lake's files only; "+liftAll)
	case strings.Contains(text, "No files found that match the pattern"):
		return data.WithHint(err,
			"views of a captionlake.duckdb that was attached need to know its lake: "+
				"set variable captionlake = '/path/to/lake/'")
	case strings.Contains(text, "the lake has no "): // an error of our macros, which name the nearest value
		_, missing, _ := strings.Cut(text, "the lake has no ")
		what, near, _ := strings.Cut(missing, "; nearest: ")
		return data.WithHint(errors.New("the lake has no "+what), "did you mean %s?", near)
	case strings.Contains(text, "PIVOT statements without explicit IN"):
		return data.WithHint(err, "name the values: pivot ... on column in (value, ...)")
	}
	// DuckDB calls a shortcut with parameters a Table Function.
	_, rest, found := strings.Cut(strings.Replace(text, "Table Function", "Table", 1), "Table with name ")
	if !found {
		return err
	}
	name, _, _ := strings.Cut(rest, " ")
	names := sqlmodel.CatalogNames()
	for _, s := range sqlmodel.Shortcuts() {
		names = append(names, s.Name)
	}
	if slices.Contains(names, name) { // The name is a mart, or a shortcut over marts.
		return data.WithHint(err, "the mart is not built yet: run captionlake analyze")
	}
	return data.WithHint(err, "%s",
		spelling.Meant("list tables, marts and shortcuts with: captionlake show tables", names, name))
}
