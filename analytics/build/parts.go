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

// A part is one file of a mart. A fold's part has the rows that come from some units of the fold's
// table; any other mart has one part with all of its rows. A part is made again if its fingerprint
// changes.
type part struct {
	file  string   // in the lake
	units []string // of the fold's table, in order
	// inputs with their fingerprints; NAME/NN=FINGERPRINT is about the units of this part alone, where
	// NAME is the fold's table, or the fold that this fold adds up
	inputs      string
	fingerprint string // of all that the rows depend on

	metadata map[string]string // in the file
	rows     int64
}

// A bucket is a part of a fold with the units that a digest of their names chooses. A fold has a
// bucket for each 500,000 rows of its table, rounded up to a power of two. When the number of
// buckets grows, half of the units stay where they were. More than mostParts buckets cost more to
// open than they save.
const mostParts = 64

var bucketRows = int64(500_000) // small in tests

// parts are the files that a mart would have if it were built now, with their units and inputs.
func (b *builder) parts(ctx context.Context, e *engine.Engine, m sqlmodel.Model) (parts []part, err error) {
	// First the units of each part. Only a fold in parts has units.
	parts = make([]part, 1)
	var units map[string]string // of the fold's table, with the digests of their files
	var addedUp []string        // digests of the buckets of the fold that m adds up; each bucket makes one part
	if m.InParts() {
		if units, err = b.units(m.Fold); err != nil {
			return nil, err
		}
		if m.OfFold() {
			b.mu.Lock()
			addedUp = b.contents[m.Inputs[0]] // A fold that adds up another fold has no other input.
			b.mu.Unlock()
		}
		// byValues needs a file to ask. If there are no units, buckets makes one empty part.
		if m.By != "" && len(units) > 0 {
			parts, err = b.byValues(ctx, e, m, slices.Sorted(maps.Keys(units)))
		} else {
			parts, err = b.buckets(m, len(addedUp))
		}
		if err != nil {
			return nil, err
		}
	}
	// Then the inputs of each part, with their fingerprints.
	for i := range parts {
		p := &parts[i]
		p.file = m.PartFile(i)
		var inputs []string
		for _, input := range m.Inputs {
			name := fmt.Sprintf("%s/%02d", input, i)
			var fingerprint string
			switch {
			case addedUp != nil:
				fingerprint = addedUp[i]
			case m.InParts() && input == m.Fold:
				fingerprint = unitsPrint(input, units, p.units)
			default:
				name = input
				if fingerprint, err = b.fingerprint(input); err != nil {
					return nil, fmt.Errorf("input %s: %w", input, err)
				}
			}
			inputs = append(inputs, name+"="+fingerprint)
		}
		p.inputs = strings.Join(inputs, " ")
		p.fingerprint = data.Fingerprint("mart", data.Version, b.meaning(m), p.inputs)
	}
	return parts, nil
}

// buckets divides the units of a fold among n buckets; 0 means as many as the rows need.
func (b *builder) buckets(m sqlmodel.Model, n int) ([]part, error) {
	rowsOfUnits, err := b.rows(m.Fold)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		n = 1
		rows := int64(0)
		for _, ofUnit := range rowsOfUnits {
			rows += ofUnit
		}
		// Each bucket would read all of another big table, so a fold that reads one has one bucket. There
		// are not many more buckets than units, because some buckets would be empty.
		readsAnotherBig := slices.ContainsFunc(m.Inputs,
			func(input string) bool { return input != m.Fold && isBig(input) && !b.tables[input].Empty() })
		for !readsAnotherBig && n < mostParts && n < len(rowsOfUnits) && int64(n)*bucketRows < rows {
			n *= 2
		}
	}
	parts := make([]part, n)
	for _, unit := range slices.Sorted(maps.Keys(rowsOfUnits)) {
		number, _ := strconv.ParseUint(data.Fingerprint(unit)[:2], 16, 8) // two hexadecimal digits, so 256 numbers
		p := &parts[int(number)%n]
		p.units = append(p.units, unit)
	}
	return parts, nil
}

// byValues divides the units of a fold by their values in the column m.By, as far as the footers of
// their files tell. A bound that a footer lacks is the least or the greatest text. Units with
// ranges that meet are in one part: a part begins (step) where a range lies above all ranges before
// it. The last part has the rest, and the units without rows.
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
			select *, case when low > max(high) over (
				order by low, unit rows between unbounded preceding and 1 preceding
			) then 1 else 0 end as step
			from (select unnest(%s) as unit) left join ranges using (unit)
		),
		numbered as (select unit, sum(step) over (order by low, unit) as number from steps)
		select string_agg(unit, ' ' order by unit) from numbered
		group by least(number, %d) order by least(number, %[4]d)`,
		sql.QuoteList(b.narrowed(m.Fold, units).Paths), m.By, sql.QuoteList(units), mostParts-1))
	for _, row := range rows {
		parts = append(parts, part{units: strings.Fields(row)})
	}
	return parts, err
}

// unitsPrint digests the names of some units of a table and the digests of their files.
func unitsPrint(table string, digests map[string]string, units []string) string {
	texts := []string{table}
	for _, unit := range units {
		texts = append(texts, unit, digests[unit])
	}
	return data.Fingerprint(texts...)
}

// remembered makes a function that reads a fact about a base table, given by name, at its first
// call, and gives the same fact at later calls.
func remembered[V any](lake *data.Lake, read func(*data.Lake, data.AnyTable) (V, error)) func(string) (V, error) {
	reads := map[string]func() (V, error){}
	for _, t := range data.Tables() {
		reads[t.Name()] = sync.OnceValues(func() (V, error) { return read(lake, t) })
	}
	return func(table string) (fact V, err error) {
		if reads[table] == nil { // The name is a mart that a model reads before the mart is built.
			return fact, fmt.Errorf("%s is not built", table)
		}
		return reads[table]()
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
	fold := m.Inputs[0]
	return b.marts[fold].Narrowed(engine.Paths(b.folder,
		[]string{path.Join(data.MartsFolder, fold, path.Base(p.file))}, nil))
}

// isBig reports whether an input is a big base table.
func isBig(input string) bool {
	t, ok := data.TableNamed(input)
	return ok && t.Big()
}
