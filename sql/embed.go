// Package sql holds the SQL of the program: its macros, the models, what reads them, formats, and in the folder queries what the program asks
// itself. A model is one .sql file for each mart, with its machine-read header. They lie on three floors below models:
//
//	staging             the rows of big tables that count in no result
//	folds               big tables reduced to counts and sums, and what adds these up
//	marts/captionqa     results of CaptionQA
//	marts/rubric        of CAPability and CV-CapBench
//	marts/arena         of CapArena
//	marts/bank          a bank of questions, and how it was made
//	marts/benchmarks    benchmarks side by side, and what the papers print and state
//
// To add a model: one file on its floor.
//
// A model's file is a header, one select, and audits; its name is the file's. What it reads, it says once: after from and join. The header is
// YAML in the comment block at the top, of these words:
//
//	-- what: what the mart is, in one line
//	-- key: [COLUMN, ...]
//	-- source: table or figure of a paper
//	-- fold: TABLE, or TABLE by COLUMN
//	-- checks: {rows: COLUMN}
//	-- compute: NAME
//	-- columns:
//	--   NAME: [TYPE, UNIT, RULES, MEANING]
//	--   NAME, NAME:
//	-- intervals:
//	--   NAME, NAME: share(N, CLUSTERS)
//
// There is one row for each combination of the key's columns. A column is one list. The type is varchar, boolean, integer, bigint, double,
// date, timestamptz, "decimal(38,9)", or a list of one, "varchar[]". The unit is one word, such as percent, and may be missing. Rules hold
// for every row where the column is not null: a range 0..100 or 0.., the allowed values [a, b], or not null. A list of allowed values as the
// last entry is its own meaning. What holds a comma, a colon or a bracket is quoted; a long entry goes on in the next line, indented deeper.
// Columns without a list are those of models/columns.yaml. No line has more than 140 characters.
//
// The final select names the header's columns, in any order, without types: the loader casts each. It is an error if the select does
// not give a column or gives another one, unless an interval reads it.
//
// An interval of X adds the columns X_low and X_high after X, with their meanings, rules and an audit, and tells how they are made from
// what the select gives. Arguments are SQL over the columns of the select; what only they read is not kept in the mart:
//
//	share(N, CLUSTERS)   a share in percent over N questions in so many effective clusters; the select gives X_se, which the mart keeps
//	t(CLUSTERS)          any other estimate, by Student's t; the select gives X_se, which the mart keeps
//	t(ERROR, CLUSTERS)   the same with a standard error that the mart does not keep
//	fisher(N)            a correlation over N independent rows
//	z(VARIANCE)          a rank correlation, by Fisher's transformation and its variance
//	given                the select gives X_low and X_high itself
//
// Text after a semicolon takes the place of the usual degrees of freedom in the meaning: share(n, clusters); effective images with such a
// question - 1 degrees of freedom. X_se is described as clustered by image unless the header has a column X_se with another meaning.
//
// Big tables (answers, calls, captions, judgments, element_answers, battles, votes, embeddings) are read by folds alone. A fold reduces its
// table to counts and sums. Base tables have a column unit, and
//
//   - the key of a fold begins with unit, and every group and join of the select has it: its mart is a folder of buckets of units, and only
//     those with units that were added, replaced or removed are computed again;
//   - fold: TABLE by COLUMN has that column in the key, the select's groups and joins, and no unit: its mart is a folder of parts for some
//     values each, and only those that such a unit has are computed again. This is for sums over all units of what each unit has most of,
//     such as questions; or
//   - the key has neither, and the mart is computed whole.
//
// A fold that reads another fold of its table, and nothing else, adds up each bucket of that one.
//
// A fold by unit that reduces all rows that count says so by checks, and each build holds its sums by unit against the files of its table:
// its COLUMN sums to the number of the unit's rows that count; 1 when each row of the mart is one of them.
//
// A fold may read small tables and other marts: when one of them changes, all units are computed again. It reads no other big table, unless
// it lists the rows that do not count, which are in one bucket then; counted_TABLE() are the rows of its table that count. Columns are
// integers, "decimal(38,9)" and texts. What is no number and not in the key says how two units' values become one, as does what is not a
// sum: [integer, {merge: max}, highest repetition], or min. merged_FOLD() are the rows of a fold by unit without the unit, made one by
// these rules; models that do not care for units read it. A column that is made of others once units are together, such as a share, has
// {of: SQL}; this is for folds without units. An audit of a fold reads its mart, and no raw table: what it would count there is a column.
//
// compute gives the rows of the select to a function of that name in package analytics (computations.go), whose rows are then those
// of the mart: for bootstraps and the like.
//
// An audit is a query that must return no rows, under a line "-- audit: NAME: why a row would be wrong".
//
// It must not know of the engine that runs the models, of the lake's files or of any other room, but for what reads YAML strictly.
package sql

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data/strictyaml"
)

//go:embed models */*.sql
var files embed.FS

// A File is one of this folder: its name, where it lies here, and its text.
type File struct{ Name, Path, Text string }

// Files are those below a folder, by path: those of shortcuts are views and macros over tables and marts, for whoever asks in SQL and for
// what people see; those of formats a SELECT each, whose rows fill a shape. To add one: one file.
func Files(folder string) (all []File) {
	err := fs.WalkDir(files, folder, func(file string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(file) == ".sql" {
			all = append(all, twins(File{strings.TrimSuffix(path.Base(file), ".sql"), file, Text(file)})...)
		}
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return all
}

// twins are the files that one file stands for. One that begins with for names them, each with a text for each $word; no word begins as
// another one.
func twins(f File) (all []File) {
	head := regexp.MustCompile(`\A-- for:\n(--  .*\n)+`).FindString(f.Text)
	if head == "" {
		return []File{f}
	}
	var names struct{ For map[string]map[string]string }
	if _, err := strictyaml.Read(f.Path, []byte(strings.ReplaceAll(head, "--", "")), MaxBytes, &names); err != nil {
		panic(err) // the files are part of the program
	}
	for _, name := range slices.Sorted(maps.Keys(names.For)) {
		var words []string
		for word, text := range names.For[name] {
			words = append(words, "$"+word, text)
		}
		all = append(all, File{name, path.Join(path.Dir(f.Path), name+".sql"), strings.NewReplacer(words...).Replace(f.Text[len(head):])})
	}
	return all
}

// Text is the text of one file.
func Text(file string) string {
	text, err := files.ReadFile(file)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return string(text)
}

// Filled is SQL with the words in braces filled in: {replies}, the reply that counts of each request, {answers}, the answers that count, and
// what is given, pairs of a word and its text. A macro would not be in the lake's DuckDB file.
func Filled(text string, words ...string) string {
	answers := Query(Text("shortcuts/counted_answers.sql")) // whose header is comments
	return strings.NewReplacer(append(words, "{replies}", Text("queries/replies.sql"), "{answers}", answers)...).Replace(text)
}

// ShownMacros are the macros of the SELECTs that people see the rows of, to stay in a database.
var ShownMacros = strings.ReplaceAll(Text("macros/shown.sql"), " temp macro ", " macro ")

// Macros are what models and SELECTs call: the engine's spellings, then table macros over tables and marts, which are read like tables.
var Macros = Text("macros/spellings.sql") + Text("macros/paired.sql") + "\n" + Text("macros/rubric.sql") + "\n" + Text("macros/shown.sql")

// Shown are the files that people see the rows of: figures, what pages show, questions and tables. To add one: one file.
func Shown() []File {
	return slices.Concat(Files("figures"), Files("pages"), Files("questions"), Files("tables"))
}

// Models are all models, floor after floor; the runner finds its own order from their inputs.
var Models = sync.OnceValue(func() []File {
	return slices.Concat(Files("models/staging"), Files("models/folds"), Files("models/marts"))
})

// Names are the names of all models.
func Names() []string {
	var names []string
	for _, m := range Models() {
		names = append(names, m.Name)
	}
	return names
}
