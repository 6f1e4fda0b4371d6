package analytics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// A fold is a model that reads a big table and reduces it to counts and sums. Its mart is what is kept between runs: rows of units that
// have not changed are taken from the mart of the last run, and the select sees the rows of the other units alone. So it must treat each
// unit by itself: the first column of its key is unit, or, when its rows are sums over units, there is no such column, and the rows of
// units that are new are added to those that are kept.
//
// What is kept is used only if everything that decides all units is what it was; the mart says of each unit which file its rows came from.

// foldState is what the rows of a fold's mart came from, as its metadata have it.
type foldState struct {
	Rest  string                       `json:"rest"`            // digest of all that decides the rows of every unit
	Units map[string]string            `json:"units"`           // for each unit, the digest of its file and of its rows that do not count
	Sides map[string]map[string]string `json:"sides,omitempty"` // for each table that the rows are held against, the digests of its units
	Spans bool                         `json:"spans,omitempty"` // whether rows of two units have one key but for the unit
}

// stateKey is the metadata of a fold's mart that holds its state.
const stateKey = "captionlake.fold"

// tableOf returns the base table of a name.
func tableOf(name string) (data.AnyTable, bool) {
	tables := data.Tables()
	i := slices.IndexFunc(tables, func(t data.AnyTable) bool { return t.Name() == name })
	if i < 0 {
		return nil, false
	}
	return tables[i], true
}

// isBig reports whether an input is a big base table.
func isBig(input string) bool {
	t, ok := tableOf(input)
	return ok && t.Big()
}

// sums reports whether the rows of a fold are sums over units.
func (m Model) sums() bool { return m.Fold != "" && m.Key[0] != unitColumn }

// stale reports whether the model lists the rows of its table that do not count.
func (m Model) stale() bool {
	return m.Fold != "" && m.Name == stalePrefix+m.Fold
}

// checkFold finds faults in the header of a fold.
func (m *Model) checkFold() []error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, &HeaderError{m.Name + ".sql", max(m.foldLine, 1), 4, fmt.Sprintf(format, args...)})
	}
	if m.Counts != "" && (m.Fold == "" || m.sums() || m.stale()) {
		fault("counts: is for a fold with rows for each unit")
	}
	if m.Fold == "" {
		return faults
	}
	if m.Counts != "" && m.Counts != "1" &&
		!slices.ContainsFunc(m.Columns, func(c Column) bool { return c.Name == m.Counts && c.adds() && c.merge == "" }) {
		fault("counts: %q is neither a column of sums nor 1, for one row of the mart for each of the table", m.Counts)
	}
	if !isBig(m.Fold) || !slices.Contains(m.Inputs, m.Fold) {
		fault("fold: %q is not a big base table among the inputs", m.Fold)
	}
	for _, input := range m.Inputs {
		if isBig(input) && input != m.Fold && m.Name != stalePrefix+m.Fold {
			fault("a fold reads one big table, %s, and this one reads %s too", m.Fold, input)
		}
	}
	if m.Compute != "" || len(m.intervals) > 0 {
		fault("a fold has neither a computation nor intervals: these belong to the models that read it")
	}
	for _, c := range m.Columns {
		if slices.Contains(m.Key, c.Name) || m.stale() {
			continue
		}
		if c.Type == "DOUBLE" || c.Type == "DATE" || strings.HasPrefix(c.Type, "TIMESTAMP") {
			fault("column %s of a fold is a %s: a fold has integers, exact decimals and texts", c.Name, strings.ToLower(c.Type))
		} else if c.merge == "" && !c.adds() {
			fault("column %s of a fold is not a number: say how two units' values become one, {merge: max} or {merge: min}", c.Name)
		}
	}
	return faults
}

// adds reports whether values of the column can be added.
func (c Column) adds() bool {
	return c.Type == "INTEGER" || c.Type == "BIGINT" || decimalType.MatchString(c.Type)
}

// merged is the SQL of the columns of a fold when rows of several units become one: sums, unless the header says otherwise.
func (m Model) merged() (columns, key []string) {
	for _, c := range m.Columns {
		name := quoteName(c.Name)
		switch {
		case c.Name == unitColumn:
		case slices.Contains(m.Key, c.Name):
			key = append(key, name)
			columns = append(columns, name)
		case c.merge != "":
			columns = append(columns, fmt.Sprintf("%s(%s) as %s", c.merge, name, name))
		default:
			columns = append(columns, fmt.Sprintf("cast(sum(%s) as %s) as %s", name, c.Type, name))
		}
	}
	return columns, key
}

// mergedPrefix begins the names of the macros of folds without units.
const mergedPrefix = "merged_"

// mergedMacro makes the table macro of a fold's rows without the unit: those that agree in the rest of the key become one. Where no two
// do, the macro is the plain rows: spans says whether any may. It is empty for other models.
func (m Model) mergedMacro(spans bool) string {
	if m.Fold == "" || m.sums() || m.stale() {
		return ""
	}
	columns, key := m.merged()
	if !spans {
		columns = nil
		for _, c := range m.Columns {
			if c.Name != unitColumn {
				columns = append(columns, quoteName(c.Name))
			}
		}
	}
	macro := fmt.Sprintf("create or replace temp macro %s() as table select %s from %s", mergedPrefix+m.Name, strings.Join(columns, ", "), quoteName(m.Name))
	if spans {
		macro += " group by " + strings.Join(key, ", ")
	}
	return macro
}

// foldState is what the rows of a fold would come from now.
func (b *builder) foldState(ctx context.Context, m Model, rest string) (foldState, error) {
	s := foldState{Rest: rest, Units: map[string]string{}}
	units, err := b.units(m.Fold)
	if err != nil {
		return s, err
	}
	var stale map[string]string
	if slices.Contains(m.Inputs, stalePrefix+m.Fold) {
		if stale, err = b.staleUnits(ctx, m.Fold); err != nil {
			return s, err
		}
	}
	for unit, digest := range units {
		s.Units[unit] = strings.TrimSpace(digest + " " + stale[unit])
	}
	for _, input := range m.Inputs {
		if isBig(input) && input != m.Fold {
			if s.Sides == nil {
				s.Sides = map[string]map[string]string{}
			}
			if s.Sides[input], err = b.units(input); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

// units are the units of a base table and the digests of their files.
func (b *builder) units(table string) (map[string]string, error) {
	if known, ok := b.unitsOf[table]; ok {
		return known, nil
	}
	t, ok := tableOf(table)
	if !ok {
		return nil, fmt.Errorf("there is no table %s", table)
	}
	units, err := b.lake.Units(t)
	if err == nil {
		for unit, digest := range units {
			units[unit] = digest[:min(len(digest), 32)]
		}
		b.unitsOf[table] = units
	}
	return units, err
}

// staleUnits digests, for each unit of a table that has any, the rows that do not count.
func (b *builder) staleUnits(ctx context.Context, table string) (map[string]string, error) {
	_, rows, err := b.engine.strings(ctx, fmt.Sprintf(
		"select unit, md5(string_agg(line, chr(10) order by line)) from (select unit, cast(to_json(s) as varchar) as line from %s as s) group by unit",
		quoteName(stalePrefix+table)), 0)
	if err != nil {
		return nil, fmt.Errorf("rows of %s that do not count: %w", table, err)
	}
	digests := map[string]string{}
	for _, row := range rows {
		digests[row[0]] = row[1]
	}
	return digests, nil
}

// kept returns the units whose rows can be taken from a mart with the state old, and whether that is worth it. staleBefore are the units
// with rows in the mart, which matter to a list of rows that do not count.
func (m Model) kept(old, now foldState, staleBefore map[string]bool) []string {
	if old.Rest != now.Rest || old.Units == nil {
		return nil
	}
	grown := false
	for table, before := range old.Sides {
		for unit, digest := range before {
			if now.Sides[table][unit] != digest {
				return nil // What a row came from may have changed or gone.
			}
		}
		grown = grown || len(now.Sides[table]) > len(before)
	}
	var kept []string
	for _, unit := range slices.Sorted(maps.Keys(old.Units)) {
		if digest, ok := now.Units[unit]; ok && digest == old.Units[unit] && !(grown && staleBefore[unit]) {
			kept = append(kept, unit)
		} else if m.sums() {
			return nil // What a unit added cannot be taken out of a sum.
		}
	}
	return kept
}

// computeFold makes the table of a fold out of what its mart holds and of what has to be computed.
func (b *builder) computeFold(ctx context.Context, m Model, old, now foldState) error {
	before := map[string]bool{}
	if m.stale() && len(old.Units) > 0 {
		_, rows, err := b.engine.strings(ctx, "select distinct unit from "+b.martRows(m), 0)
		if err != nil {
			return err
		}
		for _, row := range rows {
			before[row[0]] = true
		}
	}
	kept := m.kept(old, now, before)
	if len(kept) == 0 {
		return errors.Join(b.widen(ctx, m, ""), b.computeWhole(ctx, m))
	}
	var missing []string
	for _, unit := range slices.Sorted(maps.Keys(now.Units)) {
		if !slices.Contains(kept, unit) {
			missing = append(missing, unit)
		}
	}
	if err := errors.Join(b.narrow(ctx, m.Fold, missing), b.widen(ctx, m, m.Fold)); err != nil {
		return err
	}
	if err := b.engine.compute(ctx, m); err != nil {
		return err
	}
	// The rows that are kept met the rules of the header when they were computed.
	if err := b.engine.verifyRows(ctx, m); err != nil {
		return err
	}
	table := quoteName(m.Name)
	if !m.sums() {
		return b.engine.exec(ctx, fmt.Sprintf("insert into %s by name select * from %s%s", table, b.martRows(m), unitsAmong(kept, old.Units)))
	}
	columns, key := m.merged()
	if err := b.engine.exec(ctx, fmt.Sprintf("insert into %s by name select * from %s", table, b.martRows(m))); err != nil {
		return err
	}
	return b.engine.exec(ctx, fmt.Sprintf("create or replace table %[1]s as select %[2]s from %[1]s group by %[3]s", table, strings.Join(columns, ", "), strings.Join(key, ", ")))
}

// computeWhole computes a model of all of its inputs and holds its rows against its header.
func (b *builder) computeWhole(ctx context.Context, m Model) error {
	if err := b.engine.compute(ctx, m); err != nil {
		return err
	}
	return b.engine.verifyRows(ctx, m)
}

// unitsAmong is the condition that keeps the rows of the kept units, or leaves out the others when these are fewer.
func unitsAmong(kept []string, all map[string]string) string {
	if len(kept) == len(all) {
		return ""
	}
	var gone []string
	for unit := range all {
		if _, ok := slices.BinarySearch(kept, unit); !ok {
			gone = append(gone, quote(unit))
		}
	}
	slices.Sort(gone)
	return " where unit not in (" + strings.Join(gone, ", ") + ")"
}

// martRows reads the file of a mart.
func (b *builder) martRows(m Model) string {
	return fmt.Sprintf("read_parquet(%s || %s)", b.from(), quote(martFile(m.Name)))
}

// spans reports whether rows of two units of a fold agree in the rest of the key.
func (b *builder) spans(ctx context.Context, m Model) (bool, error) {
	if m.mergedMacro(true) == "" {
		return false, nil
	}
	if alike, err := b.engine.alike(ctx, m.Name, m.Key[1:]); err != nil || !alike {
		return false, err
	}
	_, rows, err := b.engine.strings(ctx, fmt.Sprintf(
		"select (select count(*) from %[2]s) > (select count(*) from (select distinct %[1]s from %[2]s))", quoteNames(m.Key[1:]), quoteName(m.Name)), 0)
	if err != nil {
		return false, err
	}
	return strconv.ParseBool(rows[0][0])
}

// narrow makes the view of a big table show the rows of some units alone.
func (b *builder) narrow(ctx context.Context, table string, units []string) error {
	r := b.tables[table]
	r.paths = []string{}
	for _, unit := range units {
		r.paths = append(r.paths, globEscape.Replace(b.folder+table+"/"+unit+".parquet"))
	}
	if len(units) == 0 {
		r.glob = ""
	}
	b.whole[table] = false
	return b.engine.createViews(ctx, b.from(), []relation{r})
}

// widen makes the views of the big tables that a model reads, but one, show all rows.
func (b *builder) widen(ctx context.Context, m Model, but string) error {
	for _, input := range m.Inputs {
		if !isBig(input) || input == but || b.whole[input] {
			continue
		}
		if err := b.engine.createViews(ctx, b.from(), []relation{b.tables[input]}); err != nil {
			return err
		}
		b.whole[input] = true
	}
	return nil
}

// text is the state as metadata: keys sorted.
func (s foldState) text() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // maps of texts can be written
	}
	return string(text)
}

// print is the fingerprint of rows with this state.
func (s foldState) print() string {
	s.Spans = false // which follows from the rest
	return data.Fingerprint("fold", s.text())
}

// heldState reads the state of a fold's mart; none when it says none.
func heldState(metadata map[string]string) (s foldState) {
	if json.Unmarshal([]byte(metadata[stateKey]), &s) != nil {
		return foldState{}
	}
	return s
}
