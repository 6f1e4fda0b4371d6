package analytics

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/data"
)

// takenFolds are the rows of folds that another engine has computed, as far as they are those of the lake's state.
type takenFolds struct {
	engine string // and its version
	folds  map[string]takenFold
}

type takenFold struct {
	paths []string // of the files with its rows
	units []string // that they are of, sorted
}

// engineKey is the metadata of a fold's mart that names the engines that computed its rows, where another than this program's did.
const engineKey = "captionlake.engine"

// engineOf is the engine of every unit.
func (t *takenFolds) engineOf(string) string { return t.engine }

// has reports whether the rows of a fold for some units can be taken, which must be all of its units when its rows are sums over them.
func (t *takenFolds) has(m Model, units []string) bool {
	if t == nil || len(units) == 0 {
		return false
	}
	fold, ok := t.folds[m.Name]
	if m.sums() {
		return ok && slices.Equal(units, fold.units)
	}
	return ok && (m.By != nil || !slices.ContainsFunc(units, func(unit string) bool { _, has := slices.BinarySearch(fold.units, unit); return !has }))
}

// rows is the query of the rows of a fold for some units; of all for sums over them. Those of a fold of a fold are the ones that agree with
// the rows that it reads in the columns that it keeps apart.
func (t *takenFolds) rows(m Model, units []string) string {
	fold := t.folds[m.Name]
	var columns []string
	for _, c := range m.Columns {
		if c.made == "" {
			columns = append(columns, c.Name)
		}
	}
	if len(fold.paths) == 0 {
		for i, c := range columns {
			columns[i] = "null as " + quoteName(c)
		}
		return "select " + strings.Join(columns, ", ") + " where false"
	}
	query := "select " + quoteNames(columns) + " from " + readFiles(fold.paths)
	switch {
	case m.By != nil:
		query += fmt.Sprintf(" where (%[1]s) in (select (%[1]s) from %[2]s)", quoteNames(m.By), quoteName(m.Fold))
	case !m.sums():
		query += " where unit in (" + strings.Trim(quoteList(units), "[]") + ")"
	}
	return query
}

func readFiles(paths []string) string {
	escaped := make([]string, len(paths))
	for i, path := range paths {
		escaped[i] = globEscape.Replace(path)
	}
	return "read_parquet(" + quoteList(escaped) + ")"
}

// notWhole is the error of results that cannot be taken.
func notWhole(hint, format string, args ...any) error {
	return data.WithHint(fmt.Errorf(format, args...), "%s", hint)
}

const (
	runAgain    = "run the script again, whole, and copy all of its folders; the lake is as it was"
	exportAgain = "export the script again, and run that; the lake is as it was"
	exportHere  = "export the script again, and run that, or name the lake that the script is of with --lake; the lake is as it was"
)

// takeFolds holds the folder of another engine's results against the script and the lake, before anything is built: it is an error if they
// were computed by another script, are not whole, have other columns or types than the folds, or come from files that the lake does not have
// any more. Units that were added since are computed here.
func (b *builder) takeFolds(ctx context.Context, models []Model) (*takenFolds, error) {
	h, err := readHandover(b.given)
	if err != nil {
		return nil, err
	}
	if h.Version != data.Version {
		return nil, notWhole(exportAgain, "the script in %s was written by captionlake %s, and this is %s", b.given, h.Version, data.Version)
	}
	added, err := b.addedSince(h)
	if err != nil {
		return nil, err
	}
	t := &takenFolds{folds: map[string]takenFold{}}
	counts, err := b.finished(ctx, h, t)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		covered, ok := h.Folds[m.Name]
		if !ok {
			continue
		}
		_, meaning, err := b.meaning(m)
		if err != nil {
			return nil, err
		}
		if meaning != covered.Meaning {
			return nil, notWhole(exportAgain, "%s: the SQL of %s, or what was chosen for its sampling, is not that of the script", b.given, m.Name)
		}
		fold, err := b.takeFold(ctx, m, counts)
		if err != nil {
			return nil, err
		}
		fold.units = covered.Units
		if added && (!m.byUnit() || m.By != nil || m.readsMarts()) {
			continue // Its rows depend on what was added.
		}
		t.folds[m.Name] = fold
	}
	if added {
		if err := b.dropStale(ctx, models, t); err != nil {
			return nil, err
		}
		b.note(fmt.Sprintf("units were added since the script in %s was written; what depends on them is computed by DuckDB", b.given))
	}
	return t, nil
}

// readsMarts reports whether a fold of a table reads a mart other than that of the rows that do not count.
func (m Model) readsMarts() bool {
	return slices.ContainsFunc(m.Inputs, func(input string) bool {
		_, isTable := tableOf(input)
		return !isTable && input != stalePrefix+m.Fold
	})
}

// addedSince reports whether tables have units that they did not have when a script was written. It is an error if one is gone or was
// replaced, or if a small table is another.
func (b *builder) addedSince(h handover) (added bool, err error) {
	for _, table := range slices.Sorted(maps.Keys(h.Tables)) {
		now, err := b.units(table)
		if err != nil {
			return false, err
		}
		was := h.Tables[table]
		for _, unit := range slices.Sorted(maps.Keys(was)) {
			if digest, ok := now[unit]; !ok {
				return false, notWhole(exportHere, "%s is of another state of the lake: unit %s of %s is gone", b.given, unit, table)
			} else if digest != was[unit] {
				return false, notWhole(exportAgain, "%s is of another state of the lake: unit %s of %s was replaced", b.given, unit, table)
			}
		}
		if len(now) > len(was) {
			if !isBig(table) {
				return false, notWhole(exportAgain, "%s is of another state of the lake: %s has got units since", b.given, table)
			}
			added = true
		}
	}
	return added, nil
}

// finished reads what the script wrote last: how many rows each folder has, and which engine has computed them.
func (b *builder) finished(ctx context.Context, h handover, t *takenFolds) (map[string]int64, error) {
	paths, err := resultFiles(b.given + spark.Finished)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, notWhole(runAgain, "%s is not whole: the folder %s, which the script writes last, is missing", b.given, spark.Finished)
	}
	if err := b.sameColumns(ctx, spark.Finished, paths, spark.FinishedColumns()); err != nil {
		return nil, err
	}
	_, rows, err := b.engine.strings(ctx, "select script, version, folder, n_rows from "+readFiles(paths), 0)
	if err != nil {
		return nil, notWhole(runAgain, "%s%s cannot be read: %w", b.given, spark.Finished, err)
	}
	counts := map[string]int64{}
	for _, row := range rows {
		if row[0] != h.Script {
			return nil, notWhole(runAgain, "%s has results of another script (%s, not %s)", b.given, row[0], h.Script)
		}
		version, _, _ := strings.Cut(row[1], " ")
		t.engine = "Spark " + version
		if counts[row[2]], err = strconv.ParseInt(row[3], 10, 64); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// takeFold finds the files of a fold's rows and holds their columns, types, keys and values against the header, and their number against
// what the engine counted.
func (b *builder) takeFold(ctx context.Context, m Model, counts map[string]int64) (fold takenFold, err error) {
	want, written := counts[m.Name]
	if !written {
		return fold, notWhole(runAgain, "%s is not whole: the script did not get to %s", b.given, m.Name)
	}
	if fold.paths, err = resultFiles(b.given + m.Name); err != nil {
		return fold, err
	}
	var got int64
	if len(fold.paths) > 0 {
		var columns []spark.Column
		for _, c := range m.Columns {
			if c.made == "" {
				columns = append(columns, spark.Column{Name: c.Name, Type: c.Type})
			}
		}
		if err := b.sameColumns(ctx, m.Name, fold.paths, columns); err != nil {
			return fold, err
		}
		if got, err = b.engine.count(ctx, readFiles(fold.paths)); err != nil {
			return fold, notWhole(runAgain, "%s%s cannot be read: %w", b.given, m.Name, err)
		}
	}
	if got != want {
		return fold, notWhole(runAgain, "%s%s has %d rows, and the engine wrote %d: files are missing, or were left from another run", b.given, m.Name, got, want)
	}
	if len(fold.paths) == 0 {
		return fold, nil
	}
	view := quoteName(m.Name)
	m.Select = "from " + readFiles(fold.paths)
	if err := b.engine.exec(ctx, fmt.Sprintf("create or replace temp view %s as %s", view, m.typed(m.Select))); err != nil {
		return fold, err
	}
	if err := b.engine.verifyRows(ctx, m); err != nil {
		return fold, notWhole(runAgain, "%s%s: %w", b.given, m.Name, err)
	}
	return fold, b.engine.exec(ctx, "drop view "+view)
}

// sameColumns is an error if files do not have exactly the columns that are wanted, in any order, each with its type.
func (b *builder) sameColumns(ctx context.Context, folder string, paths []string, want []spark.Column) error {
	for _, path := range paths {
		_, given, err := b.engine.strings(ctx, "select column_name, column_type from (describe select * from "+readFiles([]string{path})+")", 0)
		if err != nil {
			return notWhole(runAgain, "%s cannot be read: %w", path, err)
		}
		types := map[string]string{}
		for _, c := range given {
			types[c[0]] = c[1]
		}
		for _, c := range want {
			switch got, ok := types[c.Name]; {
			case !ok:
				return notWhole(runAgain, "%s: column %s of %s is missing", path, c.Name, folder)
			case got != c.Type:
				return notWhole(runAgain, "%s: column %s of %s is a %s, not a %s", path, c.Name, folder, strings.ToLower(got), strings.ToLower(c.Type))
			}
			delete(types, c.Name)
		}
		for _, name := range slices.Sorted(maps.Keys(types)) {
			return notWhole(runAgain, "%s: %s has no column %s", path, folder, name)
		}
	}
	return nil
}

// resultFiles are the Parquet files of a folder of results, without what engines keep there for themselves.
func resultFiles(folder string) (paths []string, err error) {
	entries, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil, nil
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".parquet") && name[0] != '_' && name[0] != '.' {
			paths = append(paths, filepath.ToSlash(filepath.Join(folder, name)))
		}
	}
	return paths, err
}

// dropStale leaves out the units with rows that did not count when the script was written: units that were added since may have brought
// back what those rows came from.
func (b *builder) dropStale(ctx context.Context, models []Model, t *takenFolds) error {
	for _, stale := range models {
		fold, ok := t.folds[stale.Name]
		if !stale.stale() || !ok || len(fold.paths) == 0 {
			continue
		}
		_, found, err := b.engine.strings(ctx, "select distinct unit from "+readFiles(fold.paths), 0)
		if err != nil {
			return err
		}
		with := slices.Concat(found...)
		for _, m := range models {
			if of, ok := t.folds[m.Name]; ok && m.Fold == stale.Fold {
				of.units = slices.DeleteFunc(slices.Clone(of.units), func(unit string) bool { return slices.Contains(with, unit) })
				t.folds[m.Name] = of
			}
		}
	}
	return nil
}
