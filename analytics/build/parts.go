package build

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// A part is one file of a mart: the rows of a fold that come from some units, or the whole of
// another mart. It is made again if its inputs have another digest.
type part struct {
	file  string   // in the lake
	units []string // of the fold's table, in order
	// inputs with their fingerprints; NAME/NN is the part of the fold's table, or of the fold that it adds up
	inputs string
	print  string // digest of all that the rows depend on

	metadata map[string]string // in the file
	rows     int64
}

// A fold has a bucket for each 500,000 rows of its table, rounded up to a power of two. When the
// number of buckets grows, half of the units stay where they were. More than mostParts buckets cost
// more to open than they save.
const mostParts = 64

var bucketRows = int64(500_000) // small in tests

// parts are the files that a mart has now, with their units and inputs.
func (b *builder) parts(ctx context.Context, e *engine.Engine, m sqlmodel.Model) (parts []part, err error) {
	prints := map[string]string{}
	for _, input := range m.Inputs {
		if prints[input], err = b.fingerprint(input); err != nil {
			return nil, fmt.Errorf("input %s: %w", input, err)
		}
	}
	parts = make([]part, 1)
	var units map[string]string
	var of []string // digests of the buckets of another fold; each bucket makes one part
	if m.InParts() {
		if units, err = b.units(m.Fold); err != nil {
			return nil, err
		}
		if m.OfFold() {
			b.mu.Lock()
			of = b.contents[m.Inputs[0]]
			b.mu.Unlock()
		}
		if m.By != "" && len(units) > 0 {
			parts, err = b.byValues(ctx, e, m, slices.Sorted(maps.Keys(units)))
		} else {
			parts, err = b.buckets(m, len(of))
		}
		if err != nil {
			return nil, err
		}
	}
	for i := range parts {
		p := &parts[i]
		p.file = m.PartFile(i)
		var inputs []string
		for _, input := range m.Inputs {
			name, print := input, prints[input]
			switch {
			case of != nil:
				name, print = fmt.Sprintf("%s/%02d", input, i), of[i]
			case m.InParts() && input == m.Fold:
				name, print = fmt.Sprintf("%s/%02d", input, i), unitsPrint(input, units, p.units)
			}
			inputs = append(inputs, name+"="+print)
		}
		p.inputs = strings.Join(inputs, " ")
		p.print = data.Fingerprint("mart", data.Version, b.meaning(m), p.inputs)
	}
	return parts, nil
}

// buckets part the units of a fold by their names. A fold that adds up another fold has as many
// buckets as that fold.
func (b *builder) buckets(m sqlmodel.Model, n int) ([]part, error) {
	rows, err := b.rows(m.Fold)
	if err != nil {
		return nil, err
	}
	all := int64(0)
	for _, n := range rows {
		all += n
	}
	if n == 0 {
		n = 1
		// Each bucket would read all of another big table.
		alone := slices.ContainsFunc(m.Inputs,
			func(input string) bool { return input != m.Fold && isBig(input) && !b.tables[input].Empty() })
		for !alone && n < mostParts && n < len(rows) && int64(n)*bucketRows < all {
			n *= 2
		}
	}
	parts := make([]part, n)
	for _, unit := range slices.Sorted(maps.Keys(rows)) {
		number, _ := strconv.ParseUint(data.Fingerprint(unit)[:2], 16, 8) // a digest is hexadecimal
		p := &parts[int(number)%n]
		p.units = append(p.units, unit)
	}
	return parts, nil
}

// byValues part the units of a fold by their values in a column, as far as the footers of their
// files tell. Units with ranges that meet are in one part, and units without rows are in the last
// part.
func (b *builder) byValues(ctx context.Context, e *engine.Engine, m sqlmodel.Model, units []string) (parts []part,
	err error) {
	rows, err := e.Values(ctx, fmt.Sprintf(`
		with ranges as (
			select
				parse_filename(file_name, true) as unit, min(coalesce(stats_min_value, '')) as low,
				max(coalesce(stats_max_value, chr(1114111))) as high
			from parquet_metadata(%s) where path_in_schema = '%s' group by file_name
		),
		steps as (
			select *, case when low > max(high) over (order by low, unit rows between unbounded preceding and 1 preceding) then 1 else 0 end as step
			from (select unnest(%s) as unit) left join ranges using (unit)
		),
		numbered as (select unit, sum(step) over (order by low, unit) as number from steps)
		select string_agg(unit, ' ' order by unit) from numbered group by least(number, %d) order by least(number, %[4]d)`,
		sql.QuoteList(b.narrowed(m.Fold, units).Paths), m.By, sql.QuoteList(units), mostParts-1))
	for _, row := range rows {
		parts = append(parts, part{units: strings.Fields(row)})
	}
	return parts, err
}

// unitsPrint digests some units of a table by their digests.
func unitsPrint(table string, digests map[string]string, units []string) string {
	parts := []string{table}
	for _, unit := range units {
		parts = append(parts, unit, digests[unit])
	}
	return data.Fingerprint(parts...)
}

// remembered is a function that reads something about a base table once.
func remembered[V any](lake *data.Lake, read func(*data.Lake, data.AnyTable) (V, error)) func(string) (V, error) {
	known := map[string]func() (V, error){}
	for _, t := range data.Tables() {
		known[t.Name()] = sync.OnceValues(func() (V, error) { return read(lake, t) })
	}
	return func(table string) (v V, err error) {
		if known[table] == nil {
			return v, fmt.Errorf("%s is not built", table)
		}
		return known[table]()
	}
}

// narrowed is a base table with the rows of some units alone.
func (b *builder) narrowed(table string, units []string) engine.Relation {
	var files []string
	for _, unit := range units {
		files = append(files, b.lake.Place(table+"/"+unit+".parquet"))
	}
	return b.tables[table].Narrowed(engine.Paths(b.folder, files, nil))
}

// sameBucket is the fold that another fold adds up, with the rows of one bucket. The bucket has the
// number of the part.
func (b *builder) sameBucket(m sqlmodel.Model, p part) engine.Relation {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := m.Inputs[0]
	return b.marts[of].Narrowed(engine.Paths(b.folder,
		[]string{path.Join(data.MartsFolder, of, path.Base(p.file))}, nil))
}

// isBig reports whether an input is a big base table.
func isBig(input string) bool {
	t, ok := data.TableNamed(input)
	return ok && t.Big()
}
