package analytics

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"slices"
	"strings"
	"sync"
)

// The mart of a fold by unit consists of parts: the rows of a unit, or of a few small ones, in row groups of their own. What an added unit
// costs is computing and checking its part; the row groups of the other parts are copied as they are.

// Parts have several units where units are many, because a footer describes each column of each row group and should stay small beside the
// rows; and where units are small, because asking for a part takes as long as some thousands of rows. A few units have a part each.
const (
	manyUnits = 256
	smallPart = 16384 // rows of the table
	fewParts  = 8
)

// partsOf puts units, in the order of their names, into parts. rows are those of all of them in their table.
func partsOf(units []string, rows int64) [][]string {
	single := make([][]string, len(units))
	for i, unit := range units {
		single[i] = []string{unit}
	}
	doublings := func(n int64) int { return bits.Len64(uint64(n)) - 1 }
	n := int64(len(units))
	small := min(doublings(smallPart*n/max(rows, 1)), doublings(n/fewParts))
	return together(single, min(max(doublings(n/manyUnits), small, 0), 8))
}

// together makes one part of about 2^n, unless one alone has as many units. It ends after a unit whose digest says so, so that another unit
// among them changes one part alone.
func together(single [][]string, n int) (parts [][]string) {
	mask := byte(1)<<n - 1
	begin := true
	for _, units := range single {
		if begin {
			parts = append(parts, nil)
		}
		last := &parts[len(parts)-1]
		*last = append(*last, units...)
		begin = len(units) >= 1<<n || md5.Sum([]byte(units[len(units)-1]))[0]&mask == 0
	}
	return parts
}

// partsTogether is how many doublings of parts a fold of a fold has in one: its rows are few, and half of what a part costs is asking for it.
const partsTogether = 2

// parts are those that a fold's mart has now. Those of a fold of a fold are together where rows may agree in the columns that it keeps
// apart.
func (b *builder) parts(m Model, now foldState) (parts [][]string, err error) {
	defer func() {
		if len(parts) == 0 {
			parts = [][]string{{}} // A mart without rows has columns too.
		}
	}()
	if m.By == nil {
		units, err := b.rows(m.Fold)
		if err != nil {
			return nil, err
		}
		var rows int64
		for _, n := range units {
			rows += n
		}
		return partsOf(slices.Sorted(maps.Keys(now.Units)), rows), nil
	}
	file, err := openParquet(b.lake.Path(martFile(m.Fold)), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.close()) }()
	b.mu.Lock()
	of := b.folds[m.Fold]
	b.mu.Unlock()
	var boxes [][]box
	first := 0
	for _, p := range of.Parts {
		if p.Groups == 0 {
			continue
		}
		group, area := p.Units, []box{file.box(m.By, p.Blank, first, first+p.Groups)}
		first += p.Groups
		for i := len(parts) - 1; i >= 0; i-- {
			if slices.ContainsFunc(boxes[i], func(other box) bool { return slices.ContainsFunc(area, other.meets) }) {
				group, area = slices.Concat(parts[i], group), slices.Concat(boxes[i], area)
				parts, boxes = slices.Delete(parts, i, i+1), slices.Delete(boxes, i, i+1)
			}
		}
		slices.Sort(group)
		parts, boxes = append(parts, group), append(boxes, area)
	}
	slices.SortFunc(parts, slices.Compare)
	return together(parts, partsTogether), nil
}

// joinParts makes the file of a fold by unit: of parts that its mart holds and of those that have to be computed. It completes the state.
func (b *builder) joinParts(ctx context.Context, e *engine, m Model, temp string, old foldState, now *foldState) (file *parquetFile, err error) {
	parts, err := b.parts(m, *now)
	if err != nil {
		return nil, err
	}
	held, missing := m.missingParts(parts, old, *now)
	files := make([]string, len(parts)) // of the parts that were computed and have rows
	defer func() {
		for _, name := range files {
			if name != "" {
				err = errors.Join(err, b.lake.Store().Remove(name))
			}
		}
	}()
	if err := b.computeParts(ctx, e, m, parts, missing, files); err != nil {
		return nil, err
	}
	if file, err = createParquet(b.lake.Path(temp)); err != nil {
		return nil, err
	}
	fail := func(err error) (*parquetFile, error) { return nil, errors.Join(err, file.close()) }
	var mart *parquetFile
	if len(missing) < len(parts) {
		if mart, err = openParquet(b.lake.Path(martFile(m.Name)), os.O_RDONLY); err != nil {
			return fail(err)
		}
		defer func() { err = errors.Join(err, mart.close()) }()
	}
	now.Parts = nil
	var boxes []box
	spans := false
	for i, units := range parts {
		before := len(file.meta.RowGroups)
		var blank []string
		if files[i] != "" {
			blank, err = file.addPart(b.lake.Path(files[i]), m.Key)
		} else if !slices.Contains(missing, i) {
			from := held[strings.Join(units, "/")]
			blank, err = from.blank, file.add(mart, from.first, from.last)
		}
		if err != nil {
			return fail(err)
		}
		after := len(file.meta.RowGroups)
		now.Parts = append(now.Parts, part{units, after - before, blank})
		if after > before && m.Key[0] == unitColumn {
			area := file.box(m.Key[1:], blank, before, after)
			spans = spans || len(units) > 1 || slices.ContainsFunc(boxes, area.meets)
			boxes = append(boxes, area)
		}
	}
	if err := file.seal(nil); err != nil {
		return fail(err)
	}
	all := martRelation(m)
	all.macros, all.counted, all.paths = nil, nil, []string{globEscape.Replace(b.folder + temp)}
	if err := b.show(ctx, e, all); err != nil {
		return fail(err)
	}
	defer delete(e.shown, m.Name) // The file gets another name.
	if err := b.checkCounts(ctx, e, m); err != nil {
		return fail(err)
	}
	if err := b.verifyParts(ctx, e, m, files); err != nil {
		return fail(err)
	}
	if err := b.show(ctx, e, all); err != nil {
		return fail(err)
	}
	if err := e.verifyAudits(ctx, m); err != nil {
		return fail(err)
	}
	if spans && m.mergedMacro(true) != "" {
		if now.Spans, err = e.spans(ctx, m); err != nil {
			return fail(err)
		}
	}
	return file, nil
}

// heldGroups are the row groups of a part in the mart that holds it.
type heldGroups struct {
	first, last int
	blank       []string
}

// missingParts are the numbers of the parts that cannot be taken from a mart with the state old, and where the mart has its parts.
func (m Model) missingParts(parts [][]string, old, now foldState) (held map[string]heldGroups, missing []int) {
	held = map[string]heldGroups{}
	stale := map[string]bool{}
	first := 0
	for _, p := range old.Parts {
		held[strings.Join(p.Units, "/")] = heldGroups{first, first + p.Groups, p.Blank}
		first += p.Groups
		for _, unit := range p.Units {
			stale[unit] = p.Groups > 0
		}
	}
	kept := m.kept(old, now, stale)
	for i, units := range parts {
		_, ok := held[strings.Join(units, "/")]
		if !ok || old.Rest != now.Rest || slices.ContainsFunc(units, func(unit string) bool { return !slices.Contains(kept, unit) }) {
			missing = append(missing, i)
		}
	}
	return held, missing
}

// addPart copies all row groups of a file that DuckDB has written and names the columns of the key whose texts are all empty.
func (p *parquetFile) addPart(name string, key []string) (blank []string, err error) {
	from, err := openParquet(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	return from.blank(key), errors.Join(p.add(from, 0, len(from.meta.RowGroups)), from.close())
}

// verifyParts holds the rows of new parts against the header. Those that are kept met its rules when they were computed, those of another
// engine when they were taken, and no two parts have a unit in common.
func (b *builder) verifyParts(ctx context.Context, e *engine, m Model, files []string) error {
	r := martRelation(m)
	r.macros, r.counted = nil, nil
	for _, name := range files {
		if name != "" && !b.taken.has(m) {
			r.paths = append(r.paths, globEscape.Replace(b.folder+name))
		}
	}
	if r.paths == nil {
		return nil
	}
	if err := b.show(ctx, e, r); err != nil {
		return err
	}
	return e.verifyRows(ctx, m)
}

// partRows is the table of the rows of several parts that are computed at once.
const partRows = "part_rows"

// computeParts computes the missing parts and writes each to a file, whose name it notes. A fold that reads more than its
// table computes them at once, so that it reads the rest once; any other one by one, side by side, which takes little memory. So are those
// that another engine has computed: they are only read.
func (b *builder) computeParts(ctx context.Context, e *engine, m Model, parts [][]string, missing []int, files []string) error {
	if len(missing) == 0 {
		return nil
	}
	name := func(i int) string { return b.lake.Temp(fmt.Sprintf("mart-%s-%d.parquet", m.Name, i)) }
	var at []int
	if b.taken.has(m) || !m.readsMore() {
		at, missing = missing, nil
	}
	if len(missing) > 0 {
		var units []string
		for _, i := range missing {
			units = append(units, parts[i]...)
		}
		if err := b.showInputs(ctx, e, m, b.narrowed(m.Fold, units)); err != nil {
			return err
		}
		if err := e.checkColumns(ctx, m, m.Select); err != nil {
			return err
		}
		if err := e.exec(ctx, "create or replace temp table "+partRows+" as "+m.typed(m.Select)); err != nil {
			return fmt.Errorf("the select failed: %w", err)
		}
		_, found, err := e.strings(ctx, "select distinct unit from "+partRows, 0)
		if err != nil {
			return err
		}
		with := slices.Concat(found...)
		for _, i := range missing {
			has := func(unit string) bool { return slices.Contains(with, unit) }
			if i != missing[0] && !slices.ContainsFunc(parts[i], has) {
				continue // The first is written in any case, for the columns.
			}
			files[i] = name(i)
			rows := "select * from " + partRows + " where unit in (" + strings.Trim(quoteList(append([]string{""}, parts[i]...)), "[]") + ")"
			if err := e.exec(ctx, copyStatement(m, rows, b.folder+files[i])); err != nil {
				return fmt.Errorf("write %s: %w", martFile(m.Name), err)
			}
		}
		if err := e.exec(ctx, "drop table "+partRows); err != nil {
			return err
		}
	}
	if len(at) == 0 {
		return nil
	}
	if err := b.showInputs(ctx, e, m); err != nil {
		return err
	}
	if err := e.checkColumns(ctx, m, m.Select); err != nil {
		return err
	}
	var of *parquetFile
	if m.By != nil {
		var err error
		if of, err = openParquet(b.lake.Path(martFile(m.Fold)), os.O_RDONLY); err != nil {
			return err
		}
		defer func() { _ = of.close() }()
	}
	var mu sync.Mutex
	var faults []error
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if len(at) == 0 || len(faults) > 0 {
			return -1
		}
		i := at[0]
		at = at[1:]
		return i
	}
	work := func(e *engine) {
		for i := take(); i >= 0; i = take() {
			files[i] = name(i)
			groups := b.lake.Temp(fmt.Sprintf("mart-%s-%d-of.parquet", m.Name, i))
			if err := b.computePart(ctx, e, m, of, parts[i], files[i], groups); err != nil {
				mu.Lock()
				faults = append(faults, err)
				mu.Unlock()
			}
		}
	}
	var workers sync.WaitGroup
	for range min(b.threads, len(at)) - 1 {
		other, err := b.take(ctx)
		if err != nil {
			mu.Lock()
			faults = append(faults, err)
			mu.Unlock()
			break
		}
		workers.Go(func() {
			defer b.give(other)
			work(other)
		})
	}
	work(e)
	workers.Wait()
	return joinFaults(faults)
}

// computePart computes one part and writes it to a file. mart is that of the fold that a fold of a fold reads, and groups a file for the
// part of it.
func (b *builder) computePart(ctx context.Context, e *engine, m Model, mart *parquetFile, units []string, file, groups string) (err error) {
	from := relation{}
	if b.taken.has(m) {
		m.Select = b.taken.rows(m, units)
	}
	if m.By == nil {
		from = b.narrowed(m.Fold, units)
	} else {
		defer func() { err = errors.Join(err, b.lake.Store().Remove(groups)) }()
		if from, err = b.partOf(m.Fold, mart, units, groups); err != nil {
			return err
		}
		if !strings.Contains(m.Text, mergedPrefix+m.Fold) {
			from.macros = nil
		}
	}
	if err := b.showInputs(ctx, e, m, from); err != nil {
		return err
	}
	if err := e.exec(ctx, copyStatement(m, m.typed(m.Select), b.folder+file)); err != nil {
		return fmt.Errorf("the select failed: %w", err)
	}
	return nil
}

// partOf is a fold by unit with the rows of some of its parts alone, whose row groups it copies to a file: the footer of the whole mart
// takes longer to read than they do.
func (b *builder) partOf(fold string, mart *parquetFile, units []string, name string) (relation, error) {
	b.mu.Lock()
	r, of := b.marts[fold], b.folds[fold]
	b.mu.Unlock()
	r.paths = []string{globEscape.Replace(b.folder + name)}
	file, err := createParquet(b.lake.Path(name))
	if err != nil {
		return r, err
	}
	err = file.add(mart, 0, 0)
	first := 0
	for _, p := range of.Parts {
		if len(p.Units) > 0 && slices.Contains(units, p.Units[0]) {
			err = errors.Join(err, file.add(mart, first, first+p.Groups))
		}
		first += p.Groups
	}
	return r, errors.Join(err, file.seal(nil), file.close())
}

// readsMore reports whether a fold reads anything beside its table and the rows of it that do not count.
func (m Model) readsMore() bool {
	return slices.ContainsFunc(m.Inputs, func(input string) bool { return input != m.Fold && input != stalePrefix+m.Fold })
}

// spans reports whether rows of two units of a fold agree in the rest of the key.
func (e *engine) spans(ctx context.Context, m Model) (bool, error) {
	for _, condition := range []string{
		alike(m.Key[1:]),
		fmt.Sprintf("count(*) > (select count(*) from (select distinct %s from %s))", quoteNames(m.Key[1:]), quoteName(m.Name)),
	} {
		_, rows, err := e.strings(ctx, "select "+condition+" from "+quoteName(m.Name), 0)
		if err != nil {
			return false, err
		}
		if rows[0][0] != "true" {
			return false, nil
		}
	}
	return true, nil
}
