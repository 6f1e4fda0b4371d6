package ask

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// ErrRefused is wrapped by the error of a statement that is not a question about the lake.
var ErrRefused = errors.New("only statements that read are allowed here")

// liftAll is the hint of errors that do not occur with the flag --allow-outside.
const liftAll = "to let SQL do everything, give the flag --allow-outside"

// explainForm matches the word explain before a statement, with comments before the word, and with
// analyze and a format after it.
var explainForm = regexp.MustCompile(
	`(?is)^(?:\s|--[^\n]*\n|/\*.*?\*/)*explain\s+(analyze\s+)?(\(\s*format\s+\w+\s*\)\s*)?`)

// classify asks DuckDB's parser whether the text is one select, and returns the text to run, which
// may differ. The parser also takes describe, show and summarize for selects. Nothing is run. A
// syntax error is an error here. Unless allowOutside is set, two more texts are errors: a select
// that does more than read, and a text that is neither one select nor explain of one.
func classify(
	ctx context.Context, e *engine.Engine, text string, allowOutside bool,
) (isSelect bool, run string, err error) {
	if len(text) > longestQuery && !allowOutside {
		return false, "", data.WithHint(errLongQuery,
			"put long lists into a file of the lake's folder and join it: read_csv('names.csv')")
	}
	if isSelect, err = isOneSelect(ctx, e, text, allowOutside); err != nil || isSelect {
		return isSelect, text, err
	}
	if form := explainForm.FindStringSubmatch(text); form != nil {
		head, analyze, format := form[0], form[1], form[2]
		explained := text[len(head):]
		isSelect, err := isOneSelect(ctx, e, explained, allowOutside)
		// Any other text after explain is refused below, or runs as it is if allowOutside is set.
		switch {
		case errors.Is(err, ErrRefused):
			return false, "", err
		case err == nil && isSelect:
			// The text before the select is dropped, because DuckDB and explainForm may disagree about the
			// end of a comment in it.
			return false, "explain " + analyze + format + explained, nil
		}
	}
	if !allowOutside {
		err = data.WithHint(ErrRefused,
			"write a select (or from, with, values, describe, show, summarize, explain); "+liftAll)
	}
	return false, text, err
}

// selects are the selects of a text that has several, as DuckDB writes them. For any other text the
// result is the text itself. This includes a text that is too long for the parser.
func selects(ctx context.Context, e *engine.Engine, text string) ([]string, error) {
	if !strings.Contains(strings.TrimRight(text, "; \t\r\n"), ";") || len(text) > longestQuery {
		return []string{text}, nil
	}
	statements, err := e.Values(ctx,
		`select unnest(list_transform(json_extract(json_serialize_sql(`+sql.Quote(text)+`), '$.statements[*]'),
		lambda s: json_deserialize_sql(json_object('error', false, 'statements', json_array(s)))))`)
	if err != nil || len(statements) < 2 {
		return []string{text}, err
	}
	return statements, nil
}

// beyondReading searches a statement as json_serialize_sql writes it, with escaped quotes within
// texts. It finds functions that do more than read, although DuckDB takes them for reading and no
// setting forbids them. Such functions write files into folders that DuckDB may read, change the
// session, run a text that is not in the statement, take addresses in memory or list secrets.
// beyondReading also finds databases, because the views of a database may call all these functions.
var beyondReading = regexp.MustCompile(`(?i)"function_name":"((?:en|dis)able_\w+|(?:force_)?checkpoint|` +
	`truncate_duckdb_logs|write_log|nextval|currval|query|query_table|json_execute_serialized_sql|` +
	`json_serialize_plan|sql_auto_complete|read_duckdb|seq_scan|arrow_scan|arrow_scan_dumb|` +
	`duckdb_secrets|which_secret|duckdb_extensions)"|"table_name":"((?:[^"\\]|\\.)*\b(?:duckdb|ddb|db))"`)

// isOneSelect reports whether DuckDB's parser takes the text for one select. A select with a
// parameter is an error, because the parameter has no value; so is a select that does more than
// read, unless allowOutside is set.
func isOneSelect(ctx context.Context, e *engine.Engine, text string, allowOutside bool) (bool, error) {
	var reply string
	if err := e.Conn.QueryRowContext(ctx,
		"select cast(json_serialize_sql("+sql.Quote(text)+") as varchar)").Scan(&reply); err != nil {
		return false, err
	}
	var parsed struct {
		Error      bool              `json:"error"`
		Kind       string            `json:"error_type"`
		Statements []json.RawMessage `json:"statements"`
	}
	if err := json.Unmarshal([]byte(reply), &parsed); err != nil {
		return false, data.Errorf("write it in steps: with a as (...), b as (...)",
			"the query is nested too deeply to be checked: %w", err)
	}
	if parsed.Kind == "parser" { // To prepare the text gives the same error with its place.
		_, err := e.Conn.PrepareContext(ctx, text)
		return false, err
	}
	if parsed.Error || len(parsed.Statements) != 1 { // DuckDB reports an error for a statement that is no select.
		return false, nil
	}
	if strings.Contains(reply, `"class":"PARAMETER"`) {
		return false, data.Errorf("write the value in place of ? or $name",
			"the query has a parameter, and there is no value for it")
	}
	if found := beyondReading.FindStringSubmatch(reply); found != nil && !allowOutside {
		return false, data.Errorf(liftAll, "%s does more than read: %w", found[1]+found[2], ErrRefused)
	}
	return true, nil
}

// longestQuery bounds the text of a query, because DuckDB's parser needs thousands of times its
// size.
const longestQuery = 128 << 10

var errLongQuery = errors.New("the query is longer than 128 KiB")
