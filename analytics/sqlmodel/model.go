// Package sqlmodel reads the SQL models and the shortcuts of package sql. It gives the columns,
// rules, intervals and folds that their headers describe, the order in which the models are built,
// and the SQL that follows from the headers. It runs nothing. It knows no particular model: the
// content of a mart is described in package sql alone.
package sqlmodel

import "github.com/captionlake/captionlake/data/dictionary"

// A Model is one SQL model: its header, its select and its audits.
type Model struct {
	Name   string   // name of the mart, which is also the name of the file
	File   string   // where the file is, below the folder sql
	What   string   // what the mart is, in one line
	Key    []string // columns that identify a row: no two rows agree in all of these columns, which are never null
	Inputs []string // base tables and models that the select and the audits read
	Source string   // table or figure of a paper
	Fold   string   // the big table that the select reduces; empty when the model is no fold
	// of a fold, a column: its sum over a unit is the number of the unit's rows that count; 1 if each
	// row of the mart stands for one of these rows; empty if the fold leaves out rows that count
	Counts string
	// the computation that turns the rows of the select into the rows of the mart; empty if they
	// are the same
	Compute string
	Columns []Column // in the order of the mart, with the columns that Parse adds for intervals
	Checks  []Check
	Select  string // the one select, without a closing semicolon
	Audits  []Audit
	Text    string // the whole file

	By        string // the column, if the header says fold: TABLE by COLUMN; each part has some values of the column
	intervals []interval
}

// A Column is a column of a mart.
type Column struct {
	dictionary.Column

	Merge string // how the values of two units become one: max, min, or a sum when empty
	Made  string // SQL that makes the column from other columns; empty if the select gives it
}

// A Check is a condition on one column that every row must meet. Null meets every check but "not
// null".
type Check struct {
	Column string
	Text   string // the check as the header words it
	broken string // SQL condition of a row that fails the check
}

// notNull is the rule that a column has no null.
const notNull = "not null"

// An Audit is a query that must return no rows.
type Audit struct {
	Name   string
	Reason string // why a row would be wrong
	Query  string
}
