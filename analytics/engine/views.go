package engine

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/dictionary"
	"github.com/captionlake/captionlake/sql"
)

// A Relation is one view over files of the lake: a base table or a mart.
type Relation struct {
	Name    string
	Paths   []string // paths of the files, if some are not where their names say, or if not all are read
	Macro   Macro    // makes a macro over the view; nil without a macro
	comment string
	columns []dictionary.Column
	glob    string // pattern of files within the lake; empty if a base table has no files yet
	base    bool   // whether it is a base table: files of earlier versions lack columns that came later
	moved   bool   // some files have temporary names, made from the unit and the table
}

// A Macro returns the SQL statement that creates a table macro over a view. The macro has a fold's
// rows without the unit, or a table's rows that count.
type Macro func(context.Context, *Engine) (string, error)

// Relations are the named tables and marts of a lake. If a commit under way has not yet given files
// of tables their names, Paths says where the files are. folder is the lake's folder, as Folder
// returns it, or empty. With a folder, the view of a mart reads the files that the lake records
// now. Without a folder, the view reads all files that match the mart's pattern when somebody asks.
func Relations(lake *data.Lake, folder string, names []string) (relations []Relation, err error) {
	moved, err := lake.Moved()
	if err != nil {
		return nil, err
	}
	docs, err := dictionary.Tables()
	if err != nil {
		return nil, err
	}
	tables := data.Tables()
	for i, doc := range docs {
		if !slices.Contains(names, doc.Name) {
			continue
		}
		r := Relation{
			Name:    doc.Name,
			base:    true,
			comment: fmt.Sprintf("Base table. One row: %s. Key: %s.", doc.What, strings.Join(doc.Key, ", ")),
			columns: slices.Clone(doc.Columns),
		}
		if !r.has(sqlmodel.UnitColumn) { // Some tables, such as runs, have a column unit of their own.
			r.columns = append(r.columns,
				dictionary.Column{Name: sqlmodel.UnitColumn, Type: unitOfFile, Comment: sqlmodel.UnitComment})
		}
		if doc.Name == data.Runs.Name() {
			r.columns = append(r.columns, dictionary.Column{Name: "current", Type: currentRun, Comment: CurrentComment})
		}
		files, err := lake.Files(tables[i]) // docs and tables are in the same order.
		if err != nil {
			return nil, err
		}
		if len(files) > 0 {
			r.glob = lake.Place(doc.Name) + unitPattern
		}
		if len(moved) > 0 { // moved is empty if the lake is open for writing.
			r.Paths, r.moved = Paths(folder, files, moved), true
		}
		relations = append(relations, r)
	}
	files, err := data.MartFiles(lake)
	for _, m := range sqlmodel.Named(names) {
		if len(files[m.Name]) > 0 {
			var paths []string
			if folder != "" {
				paths = Paths(folder, files[m.Name], moved)
			}
			relations = append(relations, Mart(m, paths))
		}
	}
	return relations, err
}

// Mart describes a model's mart. Without paths, its view reads all files that match its pattern.
func Mart(m sqlmodel.Model, paths []string) Relation {
	r := Relation{
		Paths:   paths,
		Name:    m.Name,
		columns: m.Described(),
		comment: fmt.Sprintf("Mart: %s. Key: %s. Source: %s.", m.What, strings.Join(m.Key, ", "), m.Source),
		glob:    m.PartFile(0),
	}
	if m.InParts() {
		r.glob = data.MartsFolder + "/" + m.Name + partPattern
	}
	switch {
	case m.IsStale():
		r.Macro = func(ctx context.Context, e *Engine) (string, error) {
			n, err := e.Count(ctx, sql.QuoteName(m.Name)) // of stale rows; without any, the macro needs no join
			return m.CountedMacro(n == 0), err
		}
	case m.Merges(): // false: rows are added up, because rows of two units may have the same key
		r.Macro = func(context.Context, *Engine) (string, error) { return m.MergedMacro(false), nil }
	}
	return r
}

// CurrentComment describes the column current of runs, which tells a unit's last execution from its
// earlier executions. The tables hold the rows of the last execution. A join by the unit would
// count these rows again for each earlier execution.
const CurrentComment = "the execution that wrote the rows that the unit has now: true for one row of each unit"

// Types of the columns that views of base tables add.
const (
	unitOfFile = "unit"    // the name of the file, which is the name of the unit
	currentRun = "current" // whether a run is the last execution of its unit
)

// Patterns of the names of files of units and parts. Files with other names in the same folders do
// not belong to the lake.
var (
	unitPattern = "/*-" + strings.Repeat("[0-9a-f]", 8) + ".parquet"
	partPattern = "/[0-9][0-9].parquet"
)

// Empty reports whether the relation has no file.
func (r Relation) Empty() bool { return r.glob == "" }

// Narrowed is the relation with the rows of some of its files alone.
func (r Relation) Narrowed(paths []string) Relation {
	r.Paths = paths
	if len(paths) == 0 { // Otherwise the view would read all files that match the pattern.
		r.glob = ""
	}
	return r
}

// Paths are files of the lake's folder as DuckDB takes them. moved has the present places of files
// that do not have their final names yet. It is nil if the lake is open for writing.
func Paths(folder string, files []string, moved map[string]string) []string {
	paths := make([]string, len(files))
	for i, file := range files {
		paths[i] = sql.Pattern(folder + cmp.Or(moved[file], file))
	}
	return paths
}

// View writes the statement that makes the view. form is "view", "temp view", or "table" for a
// table with the rows that the view would have now. from is an SQL expression for the lake's
// folder, with a slash at the end. Only views have file paths, so that models run wherever the
// tables are. With kinds, the view has only the rows of these provenances.
func (r Relation) View(from, form string, kinds ...string) string {
	var columns []string
	var typed []string // the columns of the files, each as a NULL of its type
	// Without files the view has no rows.
	current, source := "", "where false"
	for _, c := range r.columns {
		name := sql.QuoteName(c.Name)
		// unitOfFile is no type of SQL: the name of a unit is text.
		null := fmt.Sprintf("cast(null as %s) as %s", strings.Replace(c.Type, unitOfFile, "VARCHAR", 1), name)
		switch {
		case c.Type == currentRun:
			current = ", row_number() over (partition by unit order by execution desc) = 1 as " + name
		case r.glob == "":
			columns = append(columns, null)
		case c.Type == unitOfFile:
			// true: without the ending .parquet
			unit := "parse_filename(f.filename, true)"
			if r.moved { // A temporary name also has the table's name.
				unit = fmt.Sprintf("replace(%s, %s, '')", unit, sql.Quote("."+r.Name))
			}
			columns = append(columns, unit+" as "+name)
		default:
			columns, typed = append(columns, "f."+name), append(typed, null)
		}
	}
	if r.glob != "" {
		source = r.files(from)
		if r.base { // An empty SELECT adds the columns that files of earlier versions lack.
			source = "(\nselect " + strings.Join(typed, ", ") + "\nwhere false\nunion all by name\nfrom " +
				source + "\n)"
		}
		// Qualified names cannot be taken for a parameter of a macro that reads the view.
		source = "from " + source + " as f"
	}
	if r.glob != "" && len(kinds) > 0 {
		source += "\nwhere " + r.ofKinds(from, kinds)
	}
	query := "select\n    " + strings.Join(columns, ",\n    ") + "\n" + source
	if slices.Contains(kinds, data.Together) && r.ofBoards() {
		query = "select * replace (" + r.together() + ")\nfrom (\n" + query + "\n)"
	}
	if current != "" {
		query = "select *" + current + "\nfrom (\n" + query + "\n)"
	}
	return fmt.Sprintf("create or replace %s %s as\n%s", form, sql.QuoteName(r.Name), query)
}

func (r Relation) has(column string) bool {
	return slices.ContainsFunc(r.columns, func(c dictionary.Column) bool { return c.Name == column })
}

// ofBoards reports whether the rows belong to captioners on boards. Such relations have the column
// condition_id, which the mart boards has, too, or the column is_replaced. On a board, published
// rows may stand beside measured rows.
func (r Relation) ofBoards() bool {
	return r.has("provenance") && r.has("captioner_name") && (r.has("condition_id") || r.has("is_replaced"))
}

// together are the columns that make published and measured rows one kind: simulated rows keep
// their provenance, and measured rows get a dagger. In the mart boards, is_first is then true for
// the board with the least place.
func (r Relation) together() string {
	const mark = `if(provenance = '%s', captioner_name || '%s', captioner_name) as captioner_name,
    if(provenance = '%s', provenance, '%s') as provenance`
	columns := fmt.Sprintf(mark, data.ProvenanceMeasured, data.Dagger, data.ProvenanceSimulated, data.Together)
	if r.Name == "boards" {
		columns += `, board_place = min(board_place) over (
        partition by benchmark, prompt, protocol, judge, repeat, section, provenance = 'simulated'
    ) as is_first`
	}
	return columns
}

// ofKinds is the condition that a row is of one of some kinds. With data.Together, published and
// measured rows of boards stand together, and a published row is left out if a measured row
// replaces it. Other relations with a provenance then have no rows. If a relation has no column
// provenance, a row has the provenance of its condition or question bank. Tables and marts of
// published figures have published rows only. In any other base table, the column source says
// whether a row is made up. Made-up rows are left out unless kinds has simulated; real rows stay.
func (r Relation) ofKinds(from string, kinds []string) string {
	of := func(column, mart string) string {
		return fmt.Sprintf("f.%s in (select %[1]s from read_parquet(%s || 'marts/%s.parquet') where provenance in %s)",
			column, from, mart, sql.QuoteList(kinds))
	}
	together := slices.Contains(kinds, data.Together)
	switch {
	case together && r.ofBoards():
		return "f.provenance in " + sql.QuoteList(kinds) + r.notReplaced(from)
	case r.has("provenance"):
		return fmt.Sprintf("f.provenance in %s and %v", sql.QuoteList(kinds), !together)
	case r.has("condition_id"):
		return of("condition_id", "conditions")
	case r.has("bank"):
		return of("bank", "dataset_statistics")
	case strings.HasPrefix(r.Name, data.PublishedFigures.Name()):
		return fmt.Sprint(slices.Contains(kinds, data.ProvenancePublished))
	case r.base && r.has("source") && !slices.Contains(kinds, data.ProvenanceSimulated):
		return "f.source <> " + sql.Quote(data.SimulationSource)
	}
	return "true"
}

// notReplaced leaves out a row if a board has a measured row in its place. In marts without the
// column is_replaced, the section of the board is in the column section, domain or baseline. Marts
// without such columns, or without the column origin, keep all rows.
func (r Relation) notReplaced(from string) string {
	if r.has("is_replaced") {
		return " and not f.is_replaced"
	}
	for _, section := range []string{"section", "domain", "baseline"} {
		if r.has("origin") && r.has(section) {
			return fmt.Sprintf(" and (f.condition_id, f.origin, f.%s) not in "+
				"(select (condition_id, origin, section) from read_parquet(%s || 'marts/boards.parquet') where is_replaced)",
				section, from)
		}
	}
	return ""
}

// files is the table function that reads the relation's files.
func (r Relation) files(from string) string {
	paths := from + " || " + sql.Quote(r.glob)
	if r.Paths != nil {
		paths = sql.QuoteList(r.Paths)
	}
	return fmt.Sprintf("read_parquet(%s, union_by_name = true, filename = %v)", paths, r.base)
}

// Comments writes the statements that describe the view and its columns.
func (r Relation) Comments() []string { return sqlmodel.ViewComments(r.Name, r.comment, r.columns) }

// CreateViews makes the views and their macros in an engine that reads the lake's folder. It leaves
// out views that the connection already has in the same form.
func (e *Engine) CreateViews(ctx context.Context, folder string, relations []Relation) error {
	for _, r := range relations {
		form := "view"
		if e.temp {
			form = "temp view"
		}
		// A held engine reads marts into memory, except folds in parts.
		if e.held && !r.base && !strings.HasSuffix(r.glob, partPattern) {
			form = "table"
		}
		view := r.View(sql.Quote(sql.Pattern(folder)), form, e.kinds...)
		wanted := fmt.Sprint(view, r.Macro != nil) // A view that was made without its macro is made again.
		if e.shown[r.Name] == wanted {
			continue
		}
		if err := e.Exec(ctx, view); err != nil {
			err = fmt.Errorf("view %s: %w", r.Name, err)
			if failedFor(err, duckdb.ErrorTypeInvalid, duckdb.ErrorTypeInvalidInput, duckdb.ErrorTypeBinder) {
				err = data.WithHint(err, "a file under %s/ is damaged; delete it and run the step that makes it again",
					path.Base(path.Dir(r.glob)))
			}
			return err
		}
		if r.Macro != nil {
			macro, err := r.Macro(ctx, e)
			if err == nil {
				err = e.Exec(ctx, macro)
			}
			if err != nil {
				return fmt.Errorf("macro of %s: %w", r.Name, err)
			}
		}
		e.shown[r.Name] = wanted
	}
	return nil
}
