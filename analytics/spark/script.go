package spark

import (
	"errors"
	"fmt"
	"strings"
)

// A Column of a relation or a result, its type as DuckDB names it.
type Column struct{ Name, Type string }

// A Table is a relation over Parquet files. Columns that a file does not have are null. The column that Stem names, when it names any, is
// the name of the row's file without its ending.
type Table struct {
	Name    string
	Columns []Column
	Stem    string
	Files   []string // their addresses as Spark sees them
}

// Rows are a relation whose rows the script holds itself.
type Rows struct {
	Name    string
	Columns []Column
	Rows    [][]*string // values as text; nil for null
}

// A Constant is a function without parameters that gives a value, or, with Among, a function that tells whether a text is one of these.
type Constant struct {
	Name   string
	Value  string
	Number bool
	Among  []string // texts; the function takes one text
}

// A Step computes a query. Its rows are written to a folder of its name, unless Helps is set.
type Step struct {
	Name    string
	What    string // in one line
	Columns []Column
	Key     []string // columns by which rows are sorted within a file
	Query   string
	Helps   bool // the rows are only for other queries, as a view
	Views   []View
}

// A View is a query that later steps may name, with or without parentheses.
type View struct{ Name, Query string }

// A Script is everything that Spark is to do, in order.
type Script struct {
	ID        string // what the results say that they are of
	Title     string // what it is, in one line
	Output    string // address of the folder for the results, as Spark sees it
	Tables    []Table
	Rows      []Rows
	Constants []Constant
	Steps     []Step
}

// Finished is the folder that the script writes last. It has a row for each other folder: its name and number of rows, with the script's
// ID and Spark's version.
const Finished = "finished"

// settings are those on which the meaning of the queries depends, whatever the cluster's own are: time zone, errors for overflow and for
// texts that are no numbers instead of nulls, escapes in literals, and timestamps as instants.
const settings = `set spark.sql.session.timeZone=UTC;
set spark.sql.ansi.enabled=true;
set spark.sql.caseSensitive=false;
set spark.sql.parser.escapedStringLiterals=false;
set spark.sql.legacy.sizeOfNull=false;
set spark.sql.timestampType=TIMESTAMP_LTZ;
set spark.sql.parquet.writeLegacyFormat=false;
set spark.sql.parquet.int96RebaseModeInRead=CORRECTED;
`

// Text is the script: the same for equal contents. Statements end with a semicolon at the end of a line and no line of a comment has one.
func (s Script) Text() (string, error) {
	d := &dialect{called: map[string]bool{}}
	for _, r := range s.Rows {
		d.relations = append(d.relations, r.Name)
	}
	for _, c := range s.Constants {
		d.own = append(d.own, c.Name)
	}
	for _, step := range s.Steps {
		for _, v := range step.Views {
			d.relations = append(d.relations, v.Name)
		}
	}
	var body strings.Builder
	for _, t := range s.Tables {
		body.WriteString(t.text())
	}
	for _, r := range s.Rows {
		body.WriteString(r.text())
	}
	var faults []error
	for _, step := range s.Steps {
		fail := func(err error) {
			if err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", step.Name, err))
			}
		}
		query, err := d.query(step.Query)
		fail(err)
		body.WriteString("\n-- " + comment(step.Name+": "+step.What) + "\n")
		if step.Helps {
			fmt.Fprintf(&body, "create or replace temporary view %s as\n%s;\n", name(step.Name), query)
		} else {
			body.WriteString(s.insert(step, query))
		}
		for _, v := range step.Views {
			query, err := d.query(v.Query)
			fail(err)
			fmt.Fprintf(&body, "create or replace temporary view %s as\n%s;\n", name(v.Name), query)
		}
	}
	body.WriteString(s.finish())
	if len(faults) > 0 {
		return "", errors.Join(faults...)
	}
	var head strings.Builder
	fmt.Fprintf(&head, "-- %s\n-- For Spark 4 or later: spark-sql -f FILE, or statement by statement in a notebook, in this order.\n-- Script %s.\n\n%s\n",
		comment(s.Title), comment(s.ID), settings)
	for _, f := range functions() {
		if d.called[f.name] {
			head.WriteString(f.text + ";\n")
		}
	}
	for _, c := range s.Constants {
		if d.called[c.Name] {
			head.WriteString(c.text())
		}
	}
	return head.String() + "\n" + body.String(), nil
}

// comment keeps a text to one line in which no tool finds the end of a statement or a quotation mark.
func comment(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer(";", ",", "'", "", `"`, "", "`", "").Replace(text)), " ")
}

// text makes the view of a table. Its schema is given, so that Spark reads no footers to find one.
func (t Table) text() string {
	var b strings.Builder
	files := t.Name
	if t.Stem != "" {
		files += "_files"
	}
	if len(t.Files) == 0 {
		b.WriteString(noRows(files, t.Columns))
	} else {
		fmt.Fprintf(&b, "create or replace temporary view %s (%s)\nusing parquet options (path %s);\n", name(files), declared(t.Columns), literal(pattern(t.Files)))
	}
	if t.Stem != "" {
		fmt.Fprintf(&b, "create or replace temporary view %s as\nselect *, regexp_extract(input_file_name(), '([^/]+)[.]parquet$', 1) as %s\nfrom %s;\n",
			name(t.Name), name(t.Stem), name(files))
	}
	return b.String()
}

// noRows is a view without rows.
func noRows(view string, columns []Column) string {
	nulls := make([]string, len(columns))
	for i, c := range columns {
		nulls[i] = fmt.Sprintf("cast(null as %s) as %s", typeName(c.Type), name(c.Name))
	}
	return fmt.Sprintf("create or replace temporary view %s as\nselect %s\nwhere false;\n", name(view), strings.Join(nulls, ", "))
}

func declared(columns []Column) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = name(c.Name) + " " + typeName(c.Type)
	}
	return strings.Join(list, ", ")
}

var patternEscape = strings.NewReplacer(`\`, `\\`, "{", `\{`, "}", `\}`, ",", `\,`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`)

// pattern is the one path that stands for all files: Spark's SQL takes no list. Those of one folder share it: {a,b} matches a and b.
func pattern(files []string) string {
	byFolder := map[string][]string{}
	var folders []string
	for _, f := range files {
		at := strings.LastIndexByte(f, '/') + 1
		if byFolder[f[:at]] == nil {
			folders = append(folders, f[:at])
		}
		byFolder[f[:at]] = append(byFolder[f[:at]], patternEscape.Replace(f[at:]))
	}
	alternatives := func(list []string) string {
		if len(list) == 1 {
			return list[0]
		}
		return "{" + strings.Join(list, ",") + "}"
	}
	var all []string
	for _, folder := range folders {
		all = append(all, patternEscape.Replace(folder)+alternatives(byFolder[folder]))
	}
	return alternatives(all)
}

func (r Rows) text() string {
	if len(r.Rows) == 0 {
		return noRows(r.Name, r.Columns)
	}
	columns, names, rows := make([]string, len(r.Columns)), make([]string, len(r.Columns)), make([]string, len(r.Rows))
	for i, c := range r.Columns {
		names[i] = name(c.Name)
		columns[i] = cast(c)
	}
	for i, row := range r.Rows {
		values := make([]string, len(row))
		for j, v := range row {
			values[j] = "null"
			if v != nil {
				values[j] = literal(*v)
			}
		}
		rows[i] = "    (" + strings.Join(values, ", ") + ")"
	}
	return fmt.Sprintf("create or replace temporary view %s as\nselect %s\nfrom values\n%s\nas t (%s);\n",
		name(r.Name), strings.Join(columns, ", "), strings.Join(rows, ",\n"), strings.Join(names, ", "))
}

// cast gives a column its type.
func cast(c Column) string {
	return fmt.Sprintf("cast(%[1]s as %[2]s) as %[1]s", name(c.Name), typeName(c.Type))
}

func (c Constant) text() string {
	if c.Among != nil {
		texts := make([]string, len(c.Among))
		for i, t := range c.Among {
			texts[i] = literal(t)
		}
		return fmt.Sprintf("create or replace temporary function %s(x string) returns boolean\nreturn array_contains(array(%s), x);\n", c.Name, strings.Join(texts, ", "))
	}
	if c.Number {
		return fmt.Sprintf("create or replace temporary function %s() returns bigint\nreturn %s;\n", c.Name, c.Value)
	}
	return fmt.Sprintf("create or replace temporary function %s() returns string\nreturn %s;\n", c.Name, literal(c.Value))
}

// insert writes the rows of a step into its folder, with exactly the types of its columns, and makes the view of them. Rows that agree in
// the first column of the key come into one file or few, so that they are found again without reading the others.
func (s Script) insert(step Step, query string) string {
	columns := make([]string, len(step.Columns))
	for i, c := range step.Columns {
		columns[i] = cast(c)
	}
	sorted := make([]string, len(step.Key))
	for i, k := range step.Key {
		sorted[i] = name(k)
	}
	rebalance := ""
	if len(sorted) > 0 {
		rebalance = "/*+ rebalance(" + sorted[0] + ") */ "
	}
	folder := literal(s.Output + "/" + step.Name)
	text := fmt.Sprintf("insert overwrite directory %s using parquet options (compression 'zstd')\nselect %s%s\nfrom (\n%s\n) as computed",
		folder, rebalance, strings.Join(columns, ", "), query)
	if len(sorted) > 0 {
		text += "\nsort by " + strings.Join(sorted, ", ")
	}
	return text + fmt.Sprintf(";\ncreate or replace temporary view %s (%s)\nusing parquet options (path %s);\n", name(step.Name), declared(step.Columns),
		literal(pattern([]string{s.Output + "/" + step.Name})))
}

// finish writes what was written. It comes last, so that results without it are not whole.
func (s Script) finish() string {
	var counts []string
	for _, step := range s.Steps {
		if !step.Helps {
			counts = append(counts, fmt.Sprintf("    select %s as folder, count(*) as n_rows from %s", literal(step.Name), name(step.Name)))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	return fmt.Sprintf(`
-- What was written: results without this are not whole.
insert overwrite directory %s using parquet options (compression 'zstd')
select /*+ coalesce(1) */ cast(%s as string) as script, cast(version() as string) as version, cast(folder as string) as folder, cast(n_rows as bigint) as n_rows
from (
%s
) as counted;
`, literal(s.Output+"/"+Finished), literal(s.ID), strings.Join(counts, "\n    union all\n"))
}
