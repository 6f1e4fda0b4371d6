package build

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// checkCounts compares the counts in a part of a fold with the rows of the fold's table, unit by
// unit. The footers of the files say how many rows a unit has, and the stale mart lists the rows
// that do not count. So checkCounts finds a unit that was lost, counted twice or left behind,
// without reading the table. Only folds with counts and sums of each unit are checked (Merges). A
// fold that adds up another fold is not checked, because the other fold was.
func (b *builder) checkCounts(ctx context.Context, e *engine.Engine, m sqlmodel.Model, p part) error {
	if !m.Merges() || m.OfFold() {
		return nil
	}
	rows, err := b.rows(m.Fold)
	if err != nil {
		return err
	}
	var sizes []string
	for _, unit := range p.units {
		sizes = append(sizes, fmt.Sprint(rows[unit]))
	}
	stale := "(select null as unit where false)" // no rows, for a fold that counts stale rows too
	if slices.Contains(m.Inputs, sqlmodel.StalePrefix+m.Fold) {
		stale = sql.QuoteName(sqlmodel.StalePrefix + m.Fold)
	}
	// f.unit is null if the mart has a unit that the table does not have. Without m.Counts nothing
	// else is compared.
	wrong := "f.unit is null"
	if m.Counts != "" {
		wrong += " or coalesce(m.n, 0) <> f.n - coalesce(s.n, 0)"
	}
	err = violation(ctx, e, m, "it does not have the rows of the units of "+m.Fold, fmt.Sprintf(`
		select coalesce(f.unit, m.unit) as unit, coalesce(m.n, 0) as counted, f.n - coalesce(s.n, 0) as rows_that_count
		from (select unnest(cast(%s as varchar[])) as unit, unnest(cast([%s] as bigint[])) as n) as f
		full join (select unit, sum(%s) as n from %s group by unit) as m on m.unit = f.unit
		left join (select unit, count(*) as n from %s group by unit) as s on s.unit = f.unit
		where %s order by 1`,
		sql.QuoteList(p.units), strings.Join(sizes, ", "), cmp.Or(m.Counts, "0"), sql.QuoteName(m.Name), stale, wrong))
	if b.taken != nil {
		return data.WithHint(err, "the rows that %s computed are not those of the table: %s", b.taken.engine, runAgain)
	}
	return data.WithHint(err,
		"delete %s and run: captionlake analyze; if it says so again, the select of sql/%s loses or repeats rows",
		b.lake.Path(p.file), m.File)
}
