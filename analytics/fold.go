package analytics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
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

// byUnit reports whether a fold has rows for each unit.
func (m Model) byUnit() bool { return m.Fold != "" && m.Key[0] == unitColumn }

// sums reports whether the rows of a fold are sums over all units.
func (m Model) sums() bool { return m.Fold != "" && !m.byUnit() }

// stale reports whether the model lists the rows of its table that do not count.
func (m Model) stale() bool {
	return m.Fold != "" && m.Name == stalePrefix+m.Fold
}

// checkFold finds faults in the header of a fold.
func (m *Model) checkFold() []error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf(format, args...))
	}
	if m.Counts != "" && (!m.byUnit() || m.stale()) {
		fault("checks: rows is for a fold with rows for each unit")
	}
	if m.Fold == "" {
		return faults
	}
	if m.Counts != "" && m.Counts != "1" &&
		!slices.ContainsFunc(m.Columns, func(c Column) bool { return c.Name == m.Counts && c.adds() && c.merge == "" }) {
		fault("checks: %q is neither a column of sums nor 1, for one row of the mart for each of the table", m.Counts)
	}
	if !slices.Contains(m.Inputs, m.Fold) || !isBig(m.Fold) {
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
		if c.made != "" && m.byUnit() {
			fault("column %s is made of others, which is for a fold whose rows are sums over units", c.Name)
		}
		if slices.Contains(m.Key, c.Name) || m.stale() || c.made != "" {
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
		case c.Name == unitColumn || c.made != "":
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
	if query := m.mergedRows(spans); query != "" {
		return fmt.Sprintf("create or replace temp macro %s() as table %s", mergedPrefix+m.Name, query)
	}
	return ""
}

// mergedRows is the query of that macro.
func (m Model) mergedRows(spans bool) string {
	if m.Fold == "" || m.Key[0] != unitColumn || m.stale() {
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
	query := fmt.Sprintf("select %s from %s", strings.Join(columns, ", "), quoteName(m.Name))
	if spans {
		query += " group by " + strings.Join(key, ", ")
	}
	return query
}

// foldState is what the rows of a fold would come from now.
func (b *builder) foldState(ctx context.Context, e *engine, m Model, rest string) (foldState, error) {
	s := foldState{Rest: rest, Units: map[string]string{}}
	units, err := b.units(m.Fold)
	if err != nil {
		return s, err
	}
	var stale map[string]string
	if slices.Contains(m.Inputs, stalePrefix+m.Fold) {
		if stale, err = b.staleUnits(ctx, e, m.Fold); err != nil {
			return s, err
		}
	}
	for unit, digest := range units {
		s.Units[unit] = strings.TrimSpace(digest + " " + stale[unit])
	}
	s.Sides, err = b.sides(m)
	return s, err
}

// sides are the units of the big tables that the rows of a fold are held against.
func (b *builder) sides(m Model) (sides map[string]map[string]string, err error) {
	for _, input := range m.Inputs {
		if isBig(input) && input != m.Fold {
			if sides == nil {
				sides = map[string]map[string]string{}
			}
			if sides[input], err = b.units(input); err != nil {
				return nil, err
			}
		}
	}
	return sides, nil
}

// units are the units of a base table and the digests of their files.
func (b *builder) units(table string) (map[string]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
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

// showStale makes the view of the rows of a table that do not count, without the macro that names the table.
func (b *builder) showStale(ctx context.Context, e *engine, table string) error {
	b.mu.Lock()
	r := b.marts[stalePrefix+table]
	b.mu.Unlock()
	r.counted = nil
	return b.show(ctx, e, r)
}

// staleUnits digests, for each unit of a table that has any, the rows that do not count.
func (b *builder) staleUnits(ctx context.Context, e *engine, table string) (map[string]string, error) {
	if err := b.showStale(ctx, e, table); err != nil {
		return nil, err
	}
	_, rows, err := e.strings(ctx, fmt.Sprintf(
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

// kept are the units whose rows can be taken from a mart with the state old.
func (b *builder) kept(ctx context.Context, e *engine, m Model, old, now foldState) ([]string, error) {
	if old.Rest != now.Rest || old.Units == nil || b.taken.has(m) {
		return nil, nil
	}
	grown := false
	for table, before := range old.Sides {
		for unit, digest := range before {
			if now.Sides[table][unit] != digest {
				return nil, nil // What a row came from may have changed or gone.
			}
		}
		grown = grown || len(now.Sides[table]) > len(before)
	}
	again := map[string]bool{}
	if grown { // Rows that the mart lists may count by now.
		_, rows, err := e.strings(ctx, "select distinct unit from "+b.fileRows(martFile(m.Name)), 0)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			again[row[0]] = true
		}
	}
	var kept []string
	for _, unit := range slices.Sorted(maps.Keys(old.Units)) {
		if digest, ok := now.Units[unit]; ok && digest == old.Units[unit] && !again[unit] {
			kept = append(kept, unit)
		} else if m.sums() {
			return nil, nil // What a unit added cannot be taken out of a sum.
		}
	}
	return kept, nil
}

// computeTable makes the table of a model: of all of its inputs, or, for sums over units, of what its mart holds and of new units.
func (b *builder) computeTable(ctx context.Context, e *engine, m Model, old, now foldState) error {
	var kept []string
	var narrowed []relation
	if b.taken.has(m) {
		m.Select = b.taken.rows(m)
	} else if m.sums() {
		var err error
		if kept, err = b.kept(ctx, e, m, old, now); err != nil {
			return err
		}
		narrowed = append(narrowed, b.narrowed(m.Fold, missing(now.Units, kept)))
	}
	if err := b.showInputs(ctx, e, m, narrowed...); err != nil {
		return err
	}
	if err := e.compute(ctx, m); err != nil {
		return err
	}
	// The rows that are kept met the rules of the header when they were computed.
	if err := e.verifyRows(ctx, m); err != nil || len(kept) == 0 {
		return err
	}
	table := quoteName(m.Name)
	if err := e.exec(ctx, fmt.Sprintf("insert into %s by name select * from %s", table, b.fileRows(martFile(m.Name)))); err != nil {
		return err
	}
	columns, key := m.merged()
	sums := fmt.Sprintf("select %s from %s group by %s", strings.Join(columns, ", "), table, strings.Join(key, ", "))
	return e.exec(ctx, fmt.Sprintf("create or replace table %s as %s", table, m.typed(sums)))
}

// computeUnits makes the view of the rows of a fold by unit: those that its mart has of units that have not changed, and those of all other
// units, which it computes into files. Both have the order of the key, and so has the view.
func (b *builder) computeUnits(ctx context.Context, e *engine, m Model, old, now foldState) (files []string, err error) {
	kept, err := b.kept(ctx, e, m, old, now)
	if err != nil {
		return nil, err
	}
	runs := runsOf(now.Units, old.Units, kept)
	if len(runs) > mostRuns {
		kept = nil
	}
	if b.taken.has(m) {
		m.Select = b.taken.rows(m)
	}
	chunks, err := b.chunks(m, missing(now.Units, kept))
	if err != nil {
		return nil, err
	}
	var paths []string
	for i, narrowed := range chunks {
		if err := b.showInputs(ctx, e, m, narrowed...); err != nil {
			return files, err
		}
		if i == 0 {
			if err := e.checkColumns(ctx, m, m.Select); err != nil {
				return files, err
			}
		}
		file := b.lake.Temp(fmt.Sprintf("mart-%s-%d.parquet", m.Name, i))
		files, paths = append(files, file), append(paths, b.folder+file)
		if err := e.writeRows(ctx, m.typed(m.Select)+" order by "+quoteNames(m.Key), b.folder+file, nil); err != nil {
			return files, fmt.Errorf("the select failed: %w", err)
		}
	}
	view := "create or replace temp view " + quoteName(m.Name) + " as "
	computed := "select * from " + readFiles(paths)
	// The rows that are kept met the rules of the header when they were computed.
	if err := errors.Join(e.exec(ctx, view+computed), e.verifyRows(ctx, m)); err != nil || len(kept) == 0 {
		return files, err
	}
	rows := make([]string, len(runs))
	for i, r := range runs {
		rows[i] = computed
		if r.kept {
			rows[i] = "select * from " + b.fileRows(martFile(m.Name))
		}
		rows[i] += fmt.Sprintf(" where unit between %s and %s", quote(r.first), quote(r.last))
	}
	return files, e.exec(ctx, view+strings.Join(rows, " union all "))
}

// A run of units, in the order of their names, are all kept, or all not.
type run struct {
	first, last string
	kept        bool
}

// mostRuns is how many runs a mart is put together of; of more, all units are computed.
const mostRuns = 200

// runsOf are the runs of the units. A unit that is gone, which the mart still has, ends one.
func runsOf(units, before map[string]string, kept []string) (runs []run) {
	all := maps.Clone(units)
	maps.Copy(all, before)
	gone := false
	for _, unit := range slices.Sorted(maps.Keys(all)) {
		if _, there := units[unit]; !there {
			gone = true
			continue
		}
		_, is := slices.BinarySearch(kept, unit)
		if gone || len(runs) == 0 || runs[len(runs)-1].kept != is {
			runs = append(runs, run{first: unit, kept: is})
		}
		runs[len(runs)-1].last, gone = unit, false
	}
	return runs
}

// chunkRows is about how many rows of its table a fold by unit reads at once, which bounds the memory that it takes.
const chunkRows = 4_000_000

// chunks are what a fold by unit is computed from, one after the other: some units of its table at a time, unless it reads more than its table and the rows of it that do not count, which it then reads once.
func (b *builder) chunks(m Model, units []string) (chunks [][]relation, err error) {
	if b.taken.has(m) {
		return [][]relation{nil}, nil
	}
	if m.readsMore() || len(units) == 0 {
		return [][]relation{{b.narrowed(m.Fold, units)}}, nil
	}
	rows, err := b.rows(m.Fold)
	for first := 0; first < len(units) && err == nil; {
		last, n := first, int64(0)
		for ; last < len(units) && n < chunkRows; last++ {
			n += rows[units[last]]
		}
		chunks = append(chunks, []relation{b.narrowed(m.Fold, units[first:last])})
		first = last
	}
	return chunks, err
}

// readsMore reports whether a fold reads anything beside its table and the rows of it that do not count.
func (m Model) readsMore() bool {
	return slices.ContainsFunc(m.Inputs, func(input string) bool { return input != m.Fold && input != stalePrefix+m.Fold })
}

// spans reports whether rows of two units of a fold agree in the rest of the key.
func (e *engine) spans(ctx context.Context, m Model) (bool, error) {
	_, rows, err := e.strings(ctx, fmt.Sprintf("select count(*) > count(distinct hash(%s)) from %s", quoteNames(m.Key[1:]), quoteName(m.Name)), 0)
	return err == nil && rows[0][0] == "true", err
}

// missing are the units that are not kept, in order.
func missing(units map[string]string, kept []string) []string {
	var missing []string
	for _, unit := range slices.Sorted(maps.Keys(units)) {
		if _, ok := slices.BinarySearch(kept, unit); !ok {
			missing = append(missing, unit)
		}
	}
	return missing
}

// narrowed is a base table with the rows of some units alone.
func (b *builder) narrowed(name string, units []string) relation {
	r := b.tables[name]
	r.paths = []string{}
	for _, unit := range units {
		r.paths = append(r.paths, globEscape.Replace(b.folder+b.lake.Place(name+"/"+unit+".parquet")))
	}
	if len(units) == 0 {
		r.glob = ""
	}
	return r
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
