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
// select over the units of the part, or over all inputs.
func (b *builder) compute(ctx context.Context, e *engine.Engine, m sqlmodel.Model, p part) error {
	var narrowed []engine.Relation
	if m.OfFold() {
		narrowed = []engine.Relation{b.sameBucket(m, p)}
	} else if m.InParts() {
		narrowed = []engine.Relation{b.narrowed(m.Fold, p.units)}
	}
	if b.taken.has(m) {
		m.Select = b.taken.rows(m, narrowed)
	}
	err := b.showInputs(ctx, e, m, narrowed...)
	if err == nil {
		err = compute(ctx, e, m)
	}
	if err == nil {
		err = verifyRows(ctx, e, m)
	}
	if err == nil {
		err = b.checkCounts(ctx, e, m, p)
	}
	return err
}

// write computes a part into a file with its provenance.
func (b *builder) write(ctx context.Context, e *engine.Engine, m sqlmodel.Model, p *part, temp string) error {
	if err := b.compute(ctx, e, m, *p); err != nil {
		return err
	}
	table := sql.QuoteName(m.Name)
	p.metadata = b.provenance(m, *p)
	names := m.ColumnNames()
	for column, said := range map[string]string{"provenance": "provenance", "cause": "cause || '=' || count(*)"} {
		if !slices.Contains(names, column) {
			continue
		}
		query := "select coalesce(string_agg(said, ', ' order by said), '') from (select %s as said from %s group by %s)"
		_, found, err := e.Strings(ctx, fmt.Sprintf(query, said, table, column))
		if err != nil {
			return err
		}
		p.metadata["captionlake."+column] = found[0][0]
	}
	columns := sql.QuoteNames(names)
	_, sums, err := e.Strings(ctx,
		fmt.Sprintf("select count(*), cast(coalesce(sum(cast(hash(%s) as hugeint)), 0) as varchar) from %s",
			columns, table))
	if err != nil {
		return err
	}
	p.metadata[contentKey] = data.Fingerprint(columns, sums[0][0], sums[0][1])
	if p.rows, err = strconv.ParseInt(sums[0][0], 10, 64); err != nil {
		return err
	}
	var says []string
	for _, key := range slices.Sorted(maps.Keys(p.metadata)) {
		says = append(says, sql.Quote(key)+": "+sql.Quote(p.metadata[key]))
	}
	err = e.Exec(ctx,
		fmt.Sprintf("copy (select %s from %s order by %s) to %s (format parquet, compression zstd, row_group_size 100000, kv_metadata {%s})",
			columns, table, sql.QuoteNames(m.Key), sql.Quote(b.folder+temp), strings.Join(says, ", ")))
	if err != nil {
		return fmt.Errorf("write %s: %w", p.file, err)
	}
	return nil
}
