// Package sqlmodel reads the SQL models and the shortcuts of package sql: what their headers say of columns, rules, intervals and folds, the
// order in which they are built, and the SQL that follows from the headers. It runs nothing. It knows no particular model: what a mart holds
// is said in package sql alone.
package sqlmodel

// A Model is one SQL model: what its header says, its select and its audits.
type Model struct {
	Name    string   // name of the mart, which is also the name of the file
	File    string   // where the file is, below the folder sql
	What    string   // what the mart is, in one line
	Key     []string // columns that identify a row; no two rows agree in all of them and none of them is null
	Inputs  []string // base tables and models that the select and the audits read
	Source  string   // table or figure of a paper
	Fold    string   // the big table that the select reduces; empty when the model is no fold
	Counts  string   // of a fold, the column whose sum over a unit is the number of the unit's rows that count; 1 when each row of the mart is one; empty when it reduces but some of the rows
	Compute string   // the computation that turns the rows of the select into those of the mart; empty when they are these
	Columns []Column // in the order of the mart, with those that the loader adds for intervals
	Checks  []Check
	Select  string // the one select, without a closing semicolon
	Audits  []Audit
	Text    string // the whole file

	By        string // of a fold of sums over units, the column of which each part has some values
	intervals []interval
}

// A Column is a column of a mart.
type Column struct {
	Name string
	Type string // SQL type in upper case, as DuckDB names it
	Unit string // unit of the numbers, such as percent or count; empty when there is none
	What string // meaning

	Merge string // how the values of two units become one: max, min, or a sum when empty
	Made  string // SQL that makes the column of others; empty when the select gives it
}

// A Check is a condition on one column that every row must meet. Null meets every check but "not null".
type Check struct {
	Column string
	Text   string // the check as the header words it

	notNull   bool
	low, high *float64
	values    []string
}

// An Audit is a query that must return no rows.
type Audit struct {
	Name   string
	Reason string // why a row would be wrong
	Query  string
}
