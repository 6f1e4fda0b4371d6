package build

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// compute makes the table of a part and checks it against the header. The table has the rows of the
// select over the units of the part, or over all rows of the inputs if the mart has no parts.
func (b *builder) compute(ctx context.Context, e *engine.Engine, m sqlmodel.Model, p part) error {
	var narrowed []engine.Relation // the input with the rows of the part alone; nil if all rows are read
	if m.OfFold() {
		narrowed = []engine.Relation{b.sameBucket(m, p)}
	} else if m.InParts() {
		narrowed = []engine.Relation{b.narrowed(m.Fold, p.units)}
	}
	if b.taken.has(m) { // Spark has computed the rows, and they are read from its files.
		m.Select = b.taken.rows(m, narrowed)
	}
	if err := b.showInputs(ctx, e, m, narrowed...); err != nil {
		return err
	}
	if err := compute(ctx, e, m); err != nil {
		return err
	}
	return b.checkCounts(ctx, e, m, p)
}

// write computes a part and writes its rows into a temporary file, with metadata. The metadata say
// how the part was made, which values its columns provenance and cause have, and the digest of its
// rows.
func (b *builder) write(ctx context.Context, e *engine.Engine, m sqlmodel.Model, p *part, temp string) error {
	if err := b.compute(ctx, e, m, *p); err != nil {
		return err
	}
	table := sql.QuoteName(m.Name)
	p.metadata = b.provenance(m, *p)
	names := m.ColumnNames()
	for column, text := range map[string]string{"provenance": "provenance", "cause": "cause || '=' || count(*)"} {
		if !slices.Contains(names, column) {
			continue
		}
		values, err := e.Values(ctx, fmt.Sprintf(`
			select coalesce(string_agg(value, ', ' order by value), '')
			from (select %s as value from %s group by %s)`, text, table, column))
		if err != nil {
			return err
		}
		p.metadata["captionlake."+column] = values[0]
	}
	columns := sql.QuoteNames(names)
	// A sum of the hashes of rows does not depend on the order of the rows.
	sums, err := e.Values(ctx,
		fmt.Sprintf("select count(*), cast(coalesce(sum(cast(hash(%s) as hugeint)), 0) as varchar) from %s",
			columns, table))
	if err != nil {
		return err
	}
	rows, hashes := sums[0], sums[1]
	p.metadata[contentKey] = data.Fingerprint(columns, rows, hashes)
	if p.rows, err = strconv.ParseInt(rows, 10, 64); err != nil {
		return err
	}
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(p.metadata)) {
		pairs = append(pairs, sql.Quote(key)+": "+sql.Quote(p.metadata[key]))
	}
	err = e.Exec(ctx, fmt.Sprintf(`copy (select %s from %s order by %s) to %s
		(format parquet, compression zstd, row_group_size 100000, kv_metadata {%s})`,
		columns, table, sql.QuoteNames(m.Key), sql.Quote(b.folder+temp), strings.Join(pairs, ", ")))
	if err != nil {
		return fmt.Errorf("write %s: %w", p.file, err)
	}
	return nil
}
