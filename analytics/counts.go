package analytics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/captionlake/captionlake/data"
)

// checkCounts holds what a bucket counted against the rows that its table has, unit by unit: how many they are is in the footers of the
// files, and those that do not count are listed. So a unit that was lost, counted twice or left behind is seen without reading the table.
func (b *builder) checkCounts(ctx context.Context, e *engine, m Model, p part) error {
	if !m.inBuckets() {
		return nil
	}
	rows, _, err := b.rows(m.Fold)
	if err != nil {
		return err
	}
	want := map[string]int64{}
	for _, unit := range p.units {
		want[unit] = rows[unit]
	}
	if slices.Contains(m.Inputs, stalePrefix+m.Fold) {
		if err := b.showStale(ctx, e, m.Fold); err != nil {
			return err
		}
		stale, err := e.sumsByUnit(ctx, "count(*)", stalePrefix+m.Fold)
		if err != nil {
			return err
		}
		for _, unit := range p.units {
			want[unit] -= stale[unit]
		}
	}
	counts := m.Counts
	if counts == "" {
		counts = "0"
	}
	got, err := e.sumsByUnit(ctx, "sum("+counts+")", m.Name)
	if err != nil {
		return err
	}
	var faults []error
	for _, unit := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[unit]; !ok {
			faults = append(faults, fmt.Errorf("%s has rows of unit %s, which %s does not have", m.Name, unit, m.Fold))
		}
	}
	for _, unit := range p.units {
		if m.Counts != "" && got[unit] != want[unit] {
			faults = append(faults, fmt.Errorf("%s counts %d rows of unit %s; %s has %d that count", m.Name, got[unit], unit, m.Fold, want[unit]))
		}
	}
	if len(faults) > mostUnits {
		faults = append(faults[:mostUnits], fmt.Errorf("and %d more", len(faults)-mostUnits))
	}
	if len(faults) == 0 {
		return nil
	}
	if b.taken != nil {
		return data.WithHint(errors.Join(faults...), "the rows that %s computed are not those of the table: %s", b.taken.engine, runAgain)
	}
	return data.WithHint(errors.Join(faults...), "delete %s and run: captionlake analyze; if it says so again, the select of sql/%s loses or repeats rows",
		b.lake.Path(p.file), m.File)
}

// mostUnits bounds how many units an error names.
const mostUnits = 3

// sumsByUnit is one number for each unit of a relation.
func (e *engine) sumsByUnit(ctx context.Context, what, relation string) (map[string]int64, error) {
	_, rows, err := e.strings(ctx, fmt.Sprintf("select unit, cast(%s as bigint) from %s group by unit", what, quoteName(relation)), 0)
	if err != nil {
		return nil, fmt.Errorf("rows of %s by unit: %w", relation, err)
	}
	sums := map[string]int64{}
	for _, row := range rows {
		if sums[row[0]], err = strconv.ParseInt(row[1], 10, 64); err != nil {
			return nil, fmt.Errorf("rows of %s by unit: %w", relation, err)
		}
	}
	return sums, nil
}
