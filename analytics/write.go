package analytics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// write computes the table of a model, holds it against its header and its audits and writes it to a file that says where it is from. It
// completes the state of a fold and the provenance.
func (b *builder) write(ctx context.Context, e *engine, m Model, temp string, old foldState, now *foldState, provenance map[string]string) (rows int64, err error) {
	table, order := quoteName(m.Name), " order by "+quoteNames(m.Key)
	if m.byUnit() {
		order = "" // as it is
		files, computed := b.computeUnits(ctx, e, m, old, *now)
		defer func() {
			for _, file := range files {
				err = errors.Join(err, b.lake.Store().Remove(file))
			}
			err = errors.Join(err, e.exec(ctx, "drop view if exists "+table))
		}()
		if computed != nil {
			return 0, computed
		}
	} else {
		defer func() { err = errors.Join(err, e.exec(ctx, "drop table if exists "+table)) }()
		if err := b.computeTable(ctx, e, m, old, *now); err != nil {
			return 0, err
		}
	}
	if err := b.checkCounts(ctx, e, m); err != nil {
		return 0, err
	}
	if err := e.verifyAudits(ctx, m); err != nil {
		return 0, err
	}
	if m.Fold != "" {
		if m.mergedMacro(true) != "" {
			if now.Spans, err = e.spans(ctx, m); err != nil {
				return 0, err
			}
		}
		provenance[stateKey] = now.text()
		if b.taken.has(m) {
			provenance[engineKey] = b.taken.engine
		}
	}
	if slices.ContainsFunc(m.Columns, func(c Column) bool { return c.Name == "provenance" }) {
		_, found, err := e.strings(ctx, "select distinct provenance from "+table+" order by provenance", 0)
		if err != nil {
			return 0, err
		}
		provenance["captionlake.provenance"] = strings.Join(slices.Concat(found...), ", ")
	}
	names := make([]string, len(m.Columns))
	for i, c := range m.Columns {
		names[i] = c.Name
	}
	columns := quoteNames(names)
	_, sums, err := e.strings(ctx, fmt.Sprintf("select count(*), coalesce(sum(cast(hash(%s) as hugeint)), 0) from %s", columns, table), 0)
	if err != nil {
		return 0, err
	}
	provenance[contentKey] = data.Fingerprint(columns, sums[0][0], sums[0][1])
	if err := e.writeRows(ctx, "select "+columns+" from "+table+order, b.folder+temp, provenance); err != nil {
		return 0, fmt.Errorf("write %s: %w", martFile(m.Name), err)
	}
	return strconv.ParseInt(sums[0][0], 10, 64)
}

// writeRows writes the rows of a query to a Parquet file that says something of itself.
func (e *engine) writeRows(ctx context.Context, query, file string, says map[string]string) error {
	var metadata []string
	for _, key := range slices.Sorted(maps.Keys(says)) {
		metadata = append(metadata, quote(key)+": "+quote(says[key]))
	}
	options := "format parquet, compression zstd, row_group_size 100000"
	if len(metadata) > 0 {
		options += ", kv_metadata {" + strings.Join(metadata, ", ") + "}"
	}
	return e.exec(ctx, fmt.Sprintf("copy (%s) to %s (%s)", query, quote(file), options))
}

// publish gives the file of a mart its name.
func (b *builder) publish(temp string, m Model) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lake.Publish(temp, martFile(m.Name))
}

// fileRows reads a file of the lake.
func (b *builder) fileRows(file string) string {
	return fmt.Sprintf("read_parquet(%s || %s)", b.from(), quote(file))
}
