package analytics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// A reach is how far a query may go.
type reach int

const (
	reachTables reach = iota // tables, marts and shortcuts by their names
	reachLake                // files of the lake's folder, too
	reachAll                 // whatever the process can do
)

// readingFunctions are the table functions that a query about the lake may call, beside fileFunctions: they describe
// the database or make rows of their arguments. DuckDB has others in the same place that write files or change its
// settings (enable_logging, enable_profiling, checkpoint), run a text that nobody has looked at (query, query_table,
// json_execute_serialized_sql), open databases with views of their own (read_duckdb) or take addresses in memory
// (arrow_scan). Whatever is not named here is refused, so a new version of DuckDB adds nothing unseen.
var readingFunctions = map[string]bool{
	"duckdb_columns": true, "duckdb_constraints": true, "duckdb_databases": true, "duckdb_dependencies": true,
	"duckdb_functions": true, "duckdb_indexes": true, "duckdb_keywords": true, "duckdb_memory": true,
	"duckdb_optimizers": true, "duckdb_schemas": true, "duckdb_sequences": true, "duckdb_settings": true,
	"duckdb_tables": true, "duckdb_temporary_files": true, "duckdb_types": true, "duckdb_variables": true,
	"duckdb_views": true,

	"pragma_collations": true, "pragma_database_size": true, "pragma_platform": true, "pragma_show": true,
	"pragma_storage_info": true, "pragma_table_info": true, "pragma_user_agent": true, "pragma_version": true,

	"generate_series": true, "histogram": true, "histogram_values": true, "icu_calendar_names": true,
	"json_each": true, "json_tree": true, "pg_timezone_names": true, "range": true, "repeat": true,
	"repeat_row": true, "summary": true, "test_all_types": true, "unnest": true,
}

// fileFunctions are the table functions that read or list files. The engine holds them to the lake's folder.
var fileFunctions = map[string]bool{
	"glob": true, "parquet_bloom_probe": true, "parquet_file_metadata": true, "parquet_full_metadata": true,
	"parquet_kv_metadata": true, "parquet_metadata": true, "parquet_scan": true, "parquet_schema": true,
	"read_blob": true, "read_csv": true, "read_csv_auto": true, "read_json": true, "read_json_auto": true,
	"read_json_objects": true, "read_json_objects_auto": true, "read_ndjson": true, "read_ndjson_auto": true,
	"read_ndjson_objects": true, "read_parquet": true, "read_text": true, "sniff_csv": true,
}

// changingFunctions are the scalar functions that do more than compute: all others are allowed. json_serialize_plan
// binds the statement that its text holds, whatever that calls.
var changingFunctions = map[string]bool{
	"currval": true, "json_serialize_plan": true, "nextval": true, "write_log": true,
}

// readableSchemas are the schemas that a table's name may be qualified with. DuckDB takes any other qualified name for
// the path of a file.
var readableSchemas = []string{"", "main", "information_schema", "pg_catalog"}

var readableCatalogs = []string{"", "memory", "temp", "system"}

// readableFiles are the endings of files that a query may name where a table belongs.
var readableFiles = []string{".parquet", ".csv", ".tsv", ".json", ".jsonl", ".ndjson"}

var tableMacro = regexp.MustCompile(`(?i)\bmacro\s+(\w+)\s*\([^)]*\)\s+as\s+table\b`)

// ownTableMacros are the names of the macros of macros.sql that make tables, of those of the rows that count, and of shortcuts.
var ownTableMacros = sync.OnceValue(func() map[string]bool {
	own := map[string]bool{}
	for _, m := range tableMacro.FindAllStringSubmatch(macros, -1) {
		own[strings.ToLower(m[1])] = true
	}
	for _, model := range sql.Models() {
		if table, ok := strings.CutPrefix(model, stalePrefix); ok && model != staleMart {
			own[countedPrefix+table] = true
		}
		own[mergedPrefix+model] = true
	}
	for _, s := range shortcuts() {
		own[s.Name] = own[s.Name] || s.macro()
	}
	return own
})

// readsOnly returns an error that wraps ErrRefused if the statement calls or names anything that does more than read.
// tree is the statement as json_serialize_sql writes it, of the given text: every function and table of it, within
// common table expressions, subqueries and pivots too, is a node of the tree.
func readsOnly(tree json.RawMessage, text string, far reach) error {
	decoder := json.NewDecoder(bytes.NewReader(tree))
	decoder.UseNumber() // the place "nowhere" is 2⁶⁴ − 1
	var root any
	if err := decoder.Decode(&root); err != nil {
		return err
	}
	return guard{text, far}.allowed(root)
}

// A guard holds a statement to its reach.
type guard struct {
	text string
	far  reach
}

func (g guard) allowed(node any) error {
	switch n := node.(type) {
	case []any:
		for _, item := range n {
			if err := g.allowed(item); err != nil {
				return err
			}
		}
	case map[string]any:
		children, err := g.allowedNode(n)
		if err != nil {
			return err
		}
		for _, child := range children {
			if err := g.allowed(child); err != nil {
				return err
			}
		}
	}
	return nil
}

// allowedNode checks one node and returns what is to be checked below it.
func (g guard) allowedNode(n map[string]any) (children []any, err error) {
	switch {
	case n["type"] == "TABLE_FUNCTION":
		function, ok := n["function"].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("a table function that cannot be checked: %w", ErrRefused)
		}
		name, _ := function["function_name"].(string)
		name = strings.ToLower(name)
		known := readingFunctions[name] || ownTableMacros()[name] || g.far >= reachLake && fileFunctions[name]
		if function["class"] != "FUNCTION" || !known {
			return nil, g.refusal(function, "the table function %s is not among those that only read", name)
		}
		for key, child := range n {
			if key != "function" {
				children = append(children, child)
			}
		}
		n = function // which is not looked up among the scalar functions
	case n["class"] == "FUNCTION" || n["class"] == "WINDOW":
		name, _ := n["function_name"].(string)
		if changingFunctions[strings.ToLower(name)] {
			return nil, g.refusal(n, "the function %s does more than read", strings.ToLower(name))
		}
	case n["type"] == "BASE_TABLE":
		if err := g.allowedTable(n); err != nil {
			return nil, err
		}
	}
	for _, child := range n {
		children = append(children, child)
	}
	return children, nil
}

// allowedTable checks the name of a table, which may be that of a file.
func (g guard) allowedTable(n map[string]any) error {
	catalog, _ := n["catalog_name"].(string)
	schema, _ := n["schema_name"].(string)
	table, _ := n["table_name"].(string)
	if !slices.Contains(readableCatalogs, strings.ToLower(catalog)) || !slices.Contains(readableSchemas, strings.ToLower(schema)) {
		return g.refusal(n, "there is no schema %s here; a file's name is written in quotes", strings.TrimPrefix(catalog+"."+schema, "."))
	}
	if !strings.ContainsAny(table, `./\*?[`) {
		return nil
	}
	if g.far < reachLake {
		return g.refusal(n, "the file %q is not read here", table)
	}
	ending := path.Ext(strings.ToLower(table))
	if ending == ".gz" || ending == ".zst" {
		ending = path.Ext(strings.TrimSuffix(strings.ToLower(table), ending))
	}
	if !slices.Contains(readableFiles, ending) {
		return g.refusal(n, "the file %q is not read here; its name ends in none of %s", table, strings.Join(readableFiles, ", "))
	}
	return nil
}

func (g guard) refusal(n map[string]any, format string, args ...any) error {
	at, offset := "1:1", 0
	if place, ok := n["query_location"].(json.Number); ok {
		if _, err := strconv.ParseInt(place.String(), 10, 64); err == nil {
			at, offset = position(g.text, place.String())
		}
	}
	err := fmt.Errorf("SQL:%s: %s: %w\n\n%s", at, fmt.Sprintf(format, args...), ErrRefused, pointAt(g.text, offset))
	if g.far < reachLake {
		return data.WithHint(err, "read tables, marts and shortcuts by their names; show tables lists them")
	}
	return data.WithHint(err,
		"read tables, marts, files in quotes (.parquet, .csv, .json), or functions such as read_parquet, glob, unnest and range; to let SQL do everything, allow outside access")
}

// longestQuery bounds the text of a query: what DuckDB's parser makes of a text takes thousands of times its size.
const longestQuery = 128 << 10

var errLongQuery = errors.New("the query is longer than 128 KiB")
