package spark

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/dictionary"
	"github.com/captionlake/captionlake/sql"
)

// Folds can be handed over to Spark. They are written as a script, and the rows that Spark computed
// become marts as if DuckDB had computed them. The script begins with sparkHead.
// TestFoldsArePortable tests that the queries of folds mean the same in both engines.

// sparkHead has the macros of folds as functions of Spark.
var sparkHead = sql.Text("macros/spark.sql")

// ScriptFile is the file of the script beside the folders of results.
const ScriptFile = "folds.sql"

// Addressed fills a script with the lake's folder and the folder for the script's results, as Spark
// sees them. Spark takes an address that it reads for a pattern, but not an address that it writes
// to. So @results@ becomes the address of the results, and @written@ the same address as a pattern.
func Addressed(script, lake, results string) string {
	lake, results = strings.TrimSuffix(lake, "/"), strings.TrimSuffix(results, "/")
	return strings.NewReplacer(
		"@lake@", sparkText(sparkGlobEscape.Replace(lake)), "@results@", sparkText(results), "@written@",
		sparkText(sparkGlobEscape.Replace(results)),
	).Replace(script)
}

// sparkGlobEscape writes a path as a pattern that matches only the path.
var sparkGlobEscape = strings.NewReplacer(`\`, `\\`, "{", `\{`, "}", `\}`, ",", `\,`, "*", `\*`, "?", `\?`, "[",
	`\[`, "]", `\]`)

// A Lake has the facts about a lake that the script needs.
type Lake struct {
	Units func(table string) (map[string]string, error)     // of a table, with their digests
	Rows  func(m sqlmodel.Model) (asJSON string, err error) // the rows of a model, computed without Spark
	Seed  string                                            // SQL of the seed of samples
	// SQL of the prompts on which readers are compared, as a list without its brackets
	Prompts string
}

// Script writes the script of all folds, which Addressed fills with addresses. The script has a
// step for each fold, and for each model that a fold reads, directly or through other models, in
// building order. The view of a table stands before the first step that reads the table. digest is
// the digest of the queries and of the state of the tables. It does not depend on the addresses.
func Script(models []sqlmodel.Model, lake Lake) (script, digest string, err error) {
	parts := []string{sparkHead,
		fmt.Sprintf("create or replace temporary function sampling_seed() returns bigint return %s;\n"+
			"create or replace temporary function in_pool(prompt string) returns boolean return prompt in (%s);\n\n",
			lake.Seed, sparkText(lake.Prompts))}
	feedsFold := readByFolds(models)
	needsFold := map[string]bool{} // folds, and models that read folds, directly or not
	hasView := map[string]bool{}   // tables with a view in the script
	var digests, counts []string
	for _, m := range models {
		needsFold[m.Name] = m.Fold != "" ||
			slices.ContainsFunc(m.Inputs, func(input string) bool { return needsFold[input] })
		if m.Fold == "" && !feedsFold[m.Name] {
			continue
		}
		for _, input := range m.Inputs {
			if _, isTable := data.TableNamed(input); !isTable || hasView[input] {
				continue
			}
			hasView[input] = true
			units, err := lake.Units(input)
			if err != nil {
				return "", "", err
			}
			table, err := sparkTable(input, units)
			if err != nil {
				return "", "", err
			}
			parts = append(parts, table)
			for _, unit := range slices.Sorted(maps.Keys(units)) {
				digests = append(digests, units[unit])
			}
		}
		var step string
		switch {
		case !needsFold[m.Name]: // The rows are written into the script.
			step, err = sparkRows(m, lake)
		case m.Fold == "": // The model reads a fold, so Spark computes it, too.
			step = sparkView(m.Name, m.Select)
		default:
			step = sparkFold(m)
			counts = append(counts, fmt.Sprintf("select '%[1]s' as folder, count(*) as n_rows from %[1]s", m.Name))
		}
		if err != nil {
			return "", "", err
		}
		parts = append(parts, "\n-- "+m.Name+"\n"+step)
	}
	digest = data.Fingerprint(append(parts, digests...)...)[:32] // 32 digits tell scripts apart.
	end := fmt.Sprintf("\n-- What was written: results without this are not whole.\n%s\n"+
		"select '%s' as script, version() as version, folder, n_rows from (\n%s\n);\n",
		sparkInsert(Finished), digest, strings.Join(counts, "\nunion all\n"))
	return strings.Join(append(parts, end), ""), digest, nil
}

// Finished is the folder that the script writes last. It has a row for each other folder: the name
// of this folder, the number of its rows, the script's digest and Spark's version.
const Finished = "finished"

// readByFolds are the tables and models that folds read, directly or through other models.
func readByFolds(models []sqlmodel.Model) map[string]bool {
	read := map[string]bool{}
	for _, m := range slices.Backward(models) { // Each model stands behind the models that it reads.
		for _, input := range m.Inputs {
			read[input] = read[input] || m.Fold != "" || read[m.Name]
		}
	}
	return read
}

// sparkTable makes the view of a base table over the files of units. The view names its columns, so
// that Spark reads no footers to find them. The path is a pattern, because Spark's SQL takes no
// list of files.
func sparkTable(name string, units map[string]string) (string, error) {
	tables, err := dictionary.Tables()
	if err != nil {
		return "", err
	}
	var columns []string
	for _, t := range tables {
		if t.Name == name {
			for _, c := range t.Columns {
				columns = append(columns, sql.QuoteName(c.Name)+" "+sparkType(c.Type))
			}
		}
	}
	if len(units) == 0 {
		return sparkValues(name, append(columns, sqlmodel.UnitColumn+" string"), "[]"), nil
	}
	view := sparkView(name,
		fmt.Sprintf("select *, regexp_extract(input_file_name(), '([^/]+)[.]parquet$', 1) as %s from %s_files",
			sqlmodel.UnitColumn, name))
	return fmt.Sprintf("create or replace temporary view %[1]s_files (%[2]s)\n"+
		"using parquet options (path '@lake@/%[1]s/{%[3]s}.parquet');\n%[4]s",
		name, strings.Join(columns, ", "), strings.Join(slices.Sorted(maps.Keys(units)), ","), view), nil
}

// sparkRows makes a view of the rows of a model that were computed without Spark.
func sparkRows(m sqlmodel.Model, lake Lake) (string, error) {
	asJSON, err := lake.Rows(m)
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.Name, err)
	}
	var columns []string
	for _, c := range m.Columns {
		columns = append(columns, sql.QuoteName(c.Name)+" "+sparkType(c.Type))
	}
	return sparkValues(m.Name, columns, asJSON), nil
}

// sparkValues makes a view of rows that are given as JSON.
func sparkValues(name string, columns []string, rows string) string {
	return fmt.Sprintf("create or replace temporary view %s as\n"+
		"select inline(from_json(%s, 'array<struct<%s>>', map('mode', 'FAILFAST')));\n",
		name, sparkText(sql.Quote(rows)), strings.Join(columns, ", "))
}

// sparkView makes a view of the rows of a query in DuckDB's words.
func sparkView(name, query string) string {
	return fmt.Sprintf("create or replace temporary view %s as\n%s;\n", name, sparkQuery(query))
}

// sparkInsert begins a statement that writes the rows of a query into a folder of the results.
func sparkInsert(folder string) string {
	return fmt.Sprintf("insert overwrite directory '@results@/%s' using parquet options (compression 'zstd')", folder)
}

// sparkFold writes the rows of a fold into its folder and makes the views that later queries name.
// Rows with the same value in the first column of the key come into one file or few files, so that
// they are found again without reading the other files.
func sparkFold(m sqlmodel.Model) string {
	step := fmt.Sprintf("%s\nselect /*+ rebalance(%s) */ * from (\n%s\n) sort by %s;\n"+
		"create or replace temporary view %[5]s using parquet options (path '@written@/%[5]s');\n",
		sparkInsert(m.Name), m.Key[0], sparkQuery(m.Select), sql.QuoteNames(m.Key), m.Name)
	if m.IsStale() {
		// false: before the script runs, nobody knows whether there are stale rows
		step += sparkView(sqlmodel.CountedPrefix+m.Fold, m.CountedRows(false))
	}
	if m.Merges() {
		step += sparkView(sqlmodel.MergedPrefix+m.Name, m.MergedRows())
	}
	return step
}

// sparkWords are the words that are different in Spark. Comments are removed, because Spark's shell
// would look for the ends of statements in the comments.
var sparkWords = []struct {
	form *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(` *--.*`), ""},
	{regexp.MustCompile(`\b((` + sqlmodel.CountedPrefix + `|` + sqlmodel.MergedPrefix + `)\w+)\(\)`), "$1"},
	{regexp.MustCompile(`(?i)\bvarchar\b`), "string"},
	{regexp.MustCompile(`\btotal\(`), "sum("}, // In Spark a function of ours cannot be an aggregate.
}

// sparkQuery puts a query into Spark's words.
func sparkQuery(query string) string {
	for _, w := range sparkWords {
		query = w.form.ReplaceAllString(query, w.to)
	}
	return sparkText(query)
}

// sparkText writes literals as Spark reads them: in Spark a backslash is an escape.
func sparkText(text string) string { return strings.ReplaceAll(text, `\`, `\\`) }

var listType = regexp.MustCompile(`(.*)\[\]`)

// sparkType is a type of DuckDB in Spark's words.
func sparkType(duckdb string) string {
	return listType.ReplaceAllString(strings.NewReplacer("VARCHAR", "string", "TIMESTAMP WITH TIME ZONE",
		"timestamp").Replace(duckdb), "array<$1>")
}
