package analytics

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/data"
)

// QueryOptions say how a query is run and how its rows are written.
type QueryOptions struct {
	Engine       EngineOptions
	Format       string // one of Formats; table when empty
	TableRows    int    // rows that the format table shows at most; 1000 when 0, all when negative
	Width        int    // columns of the terminal that the format table is for: longer text is cut with …; any width when 0
	AllowOutside bool   // SQL may do and reach what the process can: other files, several statements, writing
	TablesOnly   bool   // SQL may name tables, marts and shortcuts, but no file, not even of the lake
	MaxRows      int64  // rows that are computed at most; all when 0
}

// A QueryReport says what a query returned.
type QueryReport struct {
	Rows int64 `json:"rows"`
	More bool  `json:"more,omitempty"` // there are more rows than the options let through
}

// ErrRefused is wrapped by the error of a statement that is not a question about the lake.
var ErrRefused = errors.New("only one statement that reads is allowed here")

const oneSelect = "write one select (or from, with, values, describe, show, summarize, explain)"

// refusedStatement is the error of a statement that is not a question.
func refusedStatement(far reach) error {
	if far < reachLake {
		return data.WithHint(ErrRefused, oneSelect)
	}
	return data.WithHint(ErrRefused, oneSelect+"; to let SQL do everything, allow outside access")
}

// Query answers one SQL statement about the lake: its base tables and marts are there as views. The rows go to out in
// the format asked for; memory does not grow with their number, except in the format table, which is limited instead.
//
// SQL reads the lake's folder and nothing else: no other file, no extension, no setting, and nothing is written, unless
// AllowOutside is set. With it several statements may stand in the text: all are run, the rows of the last are written,
// and unless the text is one select its columns are written as text.
func Query(ctx context.Context, lake *data.Lake, text string, o QueryOptions, out io.Writer) (report QueryReport, err error) {
	if err := o.complete(); err != nil {
		return report, err
	}
	s, err := OpenSession(ctx, lake, o.Engine, o.AllowOutside)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return s.Query(ctx, text, o, out)
}

// ask answers a question about the lake that is open.
func (e *engine) ask(ctx context.Context, text string, far reach, o QueryOptions, out io.Writer, parquetFile string) (report QueryReport, err error) {
	kind, text, err := e.classify(ctx, text, far)
	if err != nil {
		return report, err
	}
	switch {
	case kind == statementOther && far < reachAll:
		return report, refusedStatement(far)
	case kind != statementSelect && IsBinary(o.Format):
		return report, data.WithHint(fmt.Errorf("the format %s takes one select", o.Format), "choose the format table, csv or json")
	case kind != statementSelect:
		return e.answerDirectly(ctx, text, o, out)
	}
	return e.answer(ctx, text, o, out, parquetFile)
}

// listings is how often the lake's files are listed anew because one that DuckDB was to read has been removed meanwhile, by
// another process that removes or replaces units.
const listings = 10

// vanished reports whether DuckDB found a file gone that was there when the files were listed, or another one in its place: it then looks
// for the footer where that of the first was, and reads what is none. The question can be asked again; a damaged file gives the same error
// every time.
func vanished(err error) bool {
	var failed *duckdb.Error
	if !errors.As(err, &failed) {
		return false
	}
	gone := strings.Contains(failed.Msg, "No files found that match the pattern") || strings.Contains(failed.Msg, "No such file or directory")
	return failed.Type == duckdb.ErrorTypeIO && gone || failed.Type == duckdb.ErrorTypeInvalid
}

// openLake makes the macros and the views over base tables and marts.
func (e *engine) openLake(ctx context.Context, lake *data.Lake, folder string, models []Model) error {
	tables, err := tableRelations(lake)
	if err != nil {
		return err
	}
	marts, err := martsOf(lake, models)
	if err != nil {
		return err
	}
	if err := e.exec(ctx, macros); err != nil {
		return fmt.Errorf("macros: %w", err)
	}
	for tries := 1; ; tries++ {
		err := e.createViews(ctx, quote(globEscape.Replace(folder)), append(tables, marts...))
		if !vanished(err) || tries == listings {
			return err
		}
		if tables, err = tableRelations(lake); err != nil {
			return err
		}
	}
}

const (
	statementSelect  = iota // one statement that DuckDB's parser takes for a select; describe, show and summarize are such
	statementExplain        // explain, perhaps analyze, of one such statement
	statementOther
)

var explainForm = regexp.MustCompile(`(?is)^(?:\s|--[^\n]*\n|/\*.*?\*/)*explain\s+(analyze\s+)?(\(\s*format\s+\w+\s*\)\s*)?`)

// classify asks DuckDB's parser what the text is, and returns the text to run. Nothing is run. A syntax error is an
// error here, and so is a select that does more than read, unless everything is allowed.
func (e *engine) classify(ctx context.Context, text string, far reach) (int, string, error) {
	if len(text) > longestQuery && far < reachAll {
		return statementOther, "", data.WithHint(errLongQuery, "put long lists into a file of the lake's folder and join it: read_csv('names.csv')")
	}
	one, err := e.isOneSelect(ctx, text, far)
	if err != nil || one {
		return statementSelect, text, err
	}
	if form := explainForm.FindStringSubmatch(text); form != nil {
		question := text[len(form[0]):]
		one, err := e.isOneSelect(ctx, question, far)
		switch {
		case errors.Is(err, ErrRefused):
			return statementOther, "", err
		case err == nil && one:
			// What stands before the question goes: comments can hide from the expression above what they do not hide
			// from DuckDB, and the other way round.
			return statementExplain, "explain " + form[1] + form[2] + question, nil
		}
	}
	return statementOther, text, nil
}

func (e *engine) isOneSelect(ctx context.Context, text string, far reach) (bool, error) {
	var reply string
	if err := e.conn.QueryRowContext(ctx, "select cast(json_serialize_sql("+quote(text)+") as varchar)").Scan(&reply); err != nil {
		return false, err
	}
	var parsed struct {
		Error      bool              `json:"error"`
		Kind       string            `json:"error_type"`
		Message    string            `json:"error_message"`
		Position   string            `json:"position"`
		Statements []json.RawMessage `json:"statements"`
	}
	if err := json.Unmarshal([]byte(reply), &parsed); err != nil {
		return false, data.WithHint(fmt.Errorf("the query is nested too deeply to be checked: %w", err), "write it in steps: with a as (...), b as (...)")
	}
	if parsed.Kind == "parser" {
		place, offset := position(text, parsed.Position)
		return false, fmt.Errorf("SQL:%s: %s\n\n%s", place, parsed.Message, pointAt(text, offset))
	}
	if parsed.Error || len(parsed.Statements) != 1 {
		return false, nil
	}
	// Within the tree's texts quotes are escaped, so this is a node of the tree.
	if bytes.Contains(parsed.Statements[0], []byte(`"class":"PARAMETER"`)) {
		return false, data.WithHint(errors.New("the query has a parameter, and there is no value for it"), "write the value in place of ? or $name")
	}
	if far == reachAll {
		return true, nil
	}
	return true, readsOnly(parsed.Statements[0], text, far)
}

// position turns DuckDB's byte offset into line:col, both from 1.
func position(text, offset string) (string, int) {
	var n int
	if _, err := fmt.Sscan(offset, &n); err != nil || n < 0 || n > len(text) {
		n = 0
	}
	before := text[:n]
	return fmt.Sprintf("%d:%d", strings.Count(before, "\n")+1, n-strings.LastIndexByte(before, '\n')), n
}

// overwritten has DuckDB write over a file of an earlier question: it would write another file beside it and rename that, which it may not.
const overwritten = "use_tmp_file false"

// resultTable holds the rows of a query while they are written: DuckDB keeps what does not fit into memory on disk. It is in a schema of
// its own, because a query that lists the tables would find it among them.
const (
	resultSchema = "memory.captionlake"
	resultTable  = resultSchema + ".result"
)

// answer runs one select.
func (e *engine) answer(ctx context.Context, text string, o QueryOptions, out io.Writer, parquetFile string) (report QueryReport, err error) {
	rows := "from query(" + quote(text) + ")" // The function takes exactly one select: a text that is more cannot get in here.
	if o.MaxRows > 0 {
		rows += fmt.Sprintf(" limit %d", o.MaxRows+1)
	}
	if listsCatalog.MatchString(text) {
		// The table for the result is there before the question is asked, which would find it. Such rows are few and take the way over a file;
		// what Parquet has no type for does not.
		if e.exec(ctx, "copy ("+rows+") to "+quote(parquetFile)+" (format parquet, "+overwritten+")") == nil {
			rows = "from read_parquet(" + quote(parquetFile) + ")"
		}
	}
	if err := e.exec(ctx, "create schema "+resultSchema); err != nil {
		return report, err
	}
	// The next question of a session makes its own. It is asked for all tables, and finds none of ours.
	defer func() {
		err = errors.Join(err, e.exec(context.WithoutCancel(ctx), "drop schema "+resultSchema+" cascade"))
	}()
	if err := e.exec(ctx, "create table "+resultTable+" as "+rows); err != nil {
		return report, e.inQuestion(ctx, err, text)
	}
	if report.Rows, err = e.count(ctx, resultTable); err != nil {
		return report, err
	}
	if o.MaxRows > 0 && report.Rows > o.MaxRows {
		report.Rows, report.More = o.MaxRows, true
		if err := e.exec(ctx, fmt.Sprintf("delete from %s where rowid >= %d", resultTable, o.MaxRows)); err != nil {
			return report, err
		}
	}
	if o.Format == "parquet" {
		return report, e.writeParquet(ctx, parquetFile, out)
	}
	columns, err := e.resultColumns(ctx)
	if err != nil {
		return report, err
	}
	s, err := newSink(o, out)
	if err != nil {
		return report, err
	}
	return report, e.stream(ctx, columns, report.Rows, s)
}

// resultColumns are the columns of the result table. A name may hold any character.
func (e *engine) resultColumns(ctx context.Context) (columns []column, err error) {
	rows, err := e.conn.QueryContext(ctx, "select column_name, column_type from (describe "+resultTable+")")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name, sqlType string
		if err := rows.Scan(&name, &sqlType); err != nil {
			return nil, err
		}
		columns = append(columns, newColumn(name, sqlType))
	}
	return columns, rows.Err()
}

// streamRows is how many rows are fetched at a time.
const streamRows = 10_000

// stream writes the result table's rows in their order.
func (e *engine) stream(ctx context.Context, columns []column, rows int64, s sink) (err error) {
	if err := s.begin(columns); err != nil {
		return errors.Join(err, s.abort())
	}
	expressions := make([]string, len(columns))
	for i, c := range columns {
		expressions[i] = c.expression()
	}
	for start := int64(0); start < rows; start += streamRows {
		query := fmt.Sprintf("select %s from %s where rowid >= %d and rowid < %d order by rowid",
			strings.Join(expressions, ", "), resultTable, start, start+streamRows)
		if err := e.streamChunk(ctx, query, len(columns), s); err != nil {
			return errors.Join(err, s.abort())
		}
	}
	return s.end()
}

func (e *engine) streamChunk(ctx context.Context, query string, width int, s sink) (err error) {
	result, err := e.conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, result.Close()) }()
	values, targets := make([]any, width), make([]any, width)
	for i := range values {
		targets[i] = &values[i]
	}
	for result.Next() {
		if err := result.Scan(targets...); err != nil {
			return err
		}
		if err := s.row(values); err != nil {
			return err
		}
	}
	return result.Err()
}

// writeParquet lets DuckDB write the file, which is then copied to out.
func (e *engine) writeParquet(ctx context.Context, file string, out io.Writer) (err error) {
	if err := e.exec(ctx, fmt.Sprintf("copy (from %s) to %s (format parquet, compression zstd, %s)", resultTable, quote(file), overwritten)); err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = io.Copy(out, f)
	return err
}

// answerDirectly runs statements that are not one select and writes the rows of the last as text.
func (e *engine) answerDirectly(ctx context.Context, text string, o QueryOptions, out io.Writer) (report QueryReport, err error) {
	names, rows, err := e.strings(ctx, text, 0)
	if err != nil {
		return report, err
	}
	s, err := newSink(o, out)
	if err != nil {
		return report, err
	}
	columns := make([]column, len(names))
	for i, n := range names {
		columns[i] = newColumn(n, "VARCHAR")
	}
	if err := s.begin(columns); err != nil {
		return report, errors.Join(err, s.abort())
	}
	values := make([]any, len(names))
	for _, row := range rows {
		for i, v := range row {
			values[i] = v
		}
		if err := s.row(values); err != nil {
			return report, errors.Join(err, s.abort())
		}
	}
	report.Rows = int64(len(rows))
	return report, s.end()
}

// explain adds the next step to DuckDB's errors that people meet most.
func explain(err error, models []Model) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	switch {
	case strings.Contains(text, "disabled by configuration"), strings.Contains(text, "disabled through configuration"):
		return data.WithHint(err, "SQL reaches the lake's files only; to let it reach others, allow outside access")
	case strings.Contains(text, "PIVOT statements without explicit IN"):
		return data.WithHint(err, "name the values: pivot ... on column in (value, ...)")
	}
	for _, m := range models {
		if strings.Contains(text, "Table with name "+m.Name+" does not exist") {
			return data.WithHint(err, "the mart is not built yet: run captionlake analyze")
		}
	}
	for _, s := range shortcuts() {
		if strings.Contains(text, "Table with name "+s.Name+" does not exist") || strings.Contains(text, "Table Function with name "+s.Name+" does not exist") {
			return data.WithHint(err, "it reads marts that are not built yet: run captionlake analyze")
		}
	}
	if strings.Contains(text, "Table with name") {
		return data.WithHint(err, "list what there is with: show tables")
	}
	return err
}
