// Package sql holds the SQL of the program: its macros, the models, the shortcuts, tables, figures
// and pages that read them, formats, and the program's own questions in the folder queries. Each
// mart has a model: one .sql file with a header that the program reads. The models lie on three
// floors, which are folders of the folder models:
//
//	staging             the rows of big tables that count in no result
//	folds               big tables reduced to counts and sums, and models that add these up
//	marts/captionqa     results of CaptionQA
//	marts/rubric        results of CAPability and CV-CapBench
//	marts/arena         results of CapArena
//	marts/bank          a bank of questions, and how it was made
//	marts/benchmarks    benchmarks side by side, and the numbers and statements of the papers
//
// To add a model: one file on its floor.
//
// A model's file is a header, one select, and audits. The model has the name of its file. The
// select names its inputs once: after from and join. The header is YAML in the comment block at the
// top, with these words:
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
// There is one row for each combination of the key's columns. A column is one list. The type is
// varchar, boolean, integer, bigint, double, date, timestamptz, "decimal(38,9)", or a list of such
// values, "varchar[]". The unit is one word, such as percent, and may be missing. A rule is a range
// 0..100 or 0.., the allowed values [a, b], or the words "not null". A null keeps every rule but
// the last. If the last entry is a list of allowed values, the list is also the meaning. An entry
// with a comma, a colon or a bracket is quoted. A long entry goes on in the next line, indented
// deeper. A column without a list has its list in models/columns.yaml. No line has more than 120
// characters.
//
// The final select gives the header's columns, in any order, without types: the program casts each
// column. It is an error if the select does not give a column of the header. It is an error if the
// select gives another column, unless an interval reads it.
//
// An interval of X adds the columns X_low and X_high after X, with their meanings, rules and an
// audit, and tells how they are made from the columns of the select. Arguments are SQL over the
// columns of the select. Columns that only arguments read are not kept in the mart:
//
//	share(N, CLUSTERS)   a share in percent over N questions in so many effective clusters;
//	                     the select gives X_se, which the mart keeps
//	difference(A, B, N, CLUSTERS)
//	                     A - B of two shares over N questions in so many effective clusters;
//	                     the select gives X_se, which the mart keeps
//	t(CLUSTERS)          any other estimate, by Student's t;
//	                     the select gives X_se, which the mart keeps
//	t(ERROR, CLUSTERS)   the same with a standard error that the mart does not keep
//	fisher(N)            a correlation over N independent rows
//	z(VARIANCE)          a rank correlation, by Fisher's transformation and its variance
//	given                the select gives X_low and X_high itself
//
// Text after a semicolon replaces the usual degrees of freedom in the meaning: share(n, clusters);
// effective images with such a question - 1 degrees of freedom. X_se is described as clustered by
// image unless the header has a column X_se with another meaning.
//
// Only folds read big tables (answers, calls, captions, judgments, element_answers, battles, votes,
// embeddings). A fold reduces its table to counts and sums. Base tables have a column unit, and a
// fold has one of three forms:
//
//   - The key of the fold begins with unit, and every group and join of the select has unit. The
//     mart is then a folder of buckets of units. Only buckets with units that were added, replaced
//     or removed are computed again.
//   - The header says fold: TABLE by COLUMN. The key, and the groups and joins of the select, then
//     have that column and no unit. The mart is a folder of parts, and each part has some values of
//     the column. If a unit was added, replaced or removed, only parts with values of this unit are
//     computed again. This form is for sums over all units by a column if each unit has most values
//     of the column, as units of answers have most questions.
//   - The key has neither unit nor such a column. The mart is then computed whole.
//
// A fold that reads another fold of its table, and nothing else, adds up each bucket of the other
// fold.
//
// If a fold by unit reduces all rows that count, its header has the word checks. Each build then
// compares the fold's sums by unit with the files of the table. The sum of COLUMN over a unit is
// the number of the unit's rows that count. COLUMN is 1 if each row of the mart is one such row.
//
// A fold may read small tables and other marts: when one of them changes, all units are computed
// again. Only a fold that lists the rows that do not count may read another big table; it then has
// one bucket. counted_TABLE() gives the rows of TABLE that count. Columns are integers,
// "decimal(38,9)" and texts. A column outside the key is a sum, or its list says how the values of
// two units become one: [integer, {merge: max}, highest repetition], or {merge: min}. merged_FOLD()
// gives the rows of a fold by unit without the unit: rows of several units become one row by these
// rules. merged_FOLD() is for models that need no units. A column that is made from other columns
// once units are together, such as a share, has {of: SQL}; only folds without units have such
// columns. An audit of a fold reads the fold's mart, and no base table: a number that the audit
// needs must be a column.
//
// compute gives the rows of the select to the computation of that name in package statistics
// (computations.go). The computation, such as a bootstrap, returns the rows of the mart.
//
// An audit is a query that must return no rows, under a line "-- audit: NAME: why a row would be
// wrong".
//
// The package must not know of the engine that runs the models, of the lake's files or of any other
// room, except package strictyaml.
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

// A File is one file of this folder: its name, its path below the folder, and its text.
type File struct{ Name, Path, Text string }

// Files are the files below a folder, by path; a file that stands for several is replaced by its
// twins. The files of shortcuts are views and macros over tables and marts, for people who ask in
// SQL and for the tables, figures and pages. Each file of formats is a SELECT with rows that fill a
// shape. To add a shortcut or a format: one file.
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

// twins are the files that one file stands for. If a file begins with the line "-- for:", the lines
// below name its twins, and for each twin the texts that replace each $word. No word begins with
// another word, so words may be replaced in any order.
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
		all = append(all,
			File{name, path.Join(path.Dir(f.Path), name+".sql"),
				strings.NewReplacer(words...).Replace(f.Text[len(head):])})
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

// Filled is SQL with the words in braces filled in. {replies} becomes a SELECT that has, for each
// request, the reply that counts. {answers} becomes a SELECT of the answers that count. words are
// pairs of another word and its text. Shortcuts need {replies} and {answers}, because the lake's
// DuckDB file has few of the macros.
func Filled(text string, words ...string) string {
	answers := Query(Text("shortcuts/counted_answers.sql")) // its header is comments
	return strings.NewReplacer(append(words, "{replies}", Text("queries/replies.sql"), "{answers}",
		answers)...).Replace(text)
}

// ShownMacros are the macros of the SELECTs with rows that people see. They are not temporary, so
// that they stay in a database.
var ShownMacros = strings.ReplaceAll(Text("macros/shown.sql"), " temp macro ", " macro ")

// Macros are the macros that models and SELECTs call. The macros that differ between engines come
// first. Then come table macros over tables and marts, which are read like tables.
var Macros = Text("macros/spellings.sql") + Text("macros/paired.sql") + "\n" + Text("macros/rubric.sql") + "\n" +
	Text("macros/shown.sql")

// Shown are the files with rows that people see: figures, parts of pages, questions and tables.
// To add a figure, a part of a page, a question or a table: one file.
func Shown() []File {
	return slices.Concat(Files("figures"), Files("pages"), Files("questions"), Files("tables"))
}

// Models are all models, floor after floor. A build finds its own order from the models' inputs.
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
