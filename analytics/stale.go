package analytics

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data"
)

// A StaleCount says how many rows of a table count in no result, because what they came from is gone or has changed.
type StaleCount struct {
	Table string `json:"table"`
	Cause string `json:"cause"` // annotation, battle, call, caption or question
	Rows  int64  `json:"rows"`
}

const (
	stalePrefix   = "stale_"   // of the marts of rows that do not count, before the name of their table
	countedPrefix = "counted_" // of the macros of the rows that do
)

// countedMacro makes the table macro of the rows that count: those of a table, without the ones that the table's stale mart
// lists. Where that lists none, the macro is the table alone: the engine would build its hash table over the large side,
// which doubled time and memory of 3.4 million answers. It is nil for other models. The macro is made when the mart is
// there, because the engine looks its tables up.
func countedMacro(m Model) func(none bool) string {
	table, ok := strings.CutPrefix(m.Name, stalePrefix)
	if !ok {
		return nil
	}
	return func(none bool) string {
		return fmt.Sprintf("create or replace temp macro %s() as table %s", countedPrefix+table, countedRows(m, table, none))
	}
}

// countedRows is the query of the rows of a table that count; none says that the stale mart of the table lists no row.
func countedRows(m Model, table string, none bool) string {
	query := fmt.Sprintf("select x.* from %s as x", quoteName(table))
	if none {
		return query
	}
	var same []string
	for _, k := range m.Key {
		same = append(same, fmt.Sprintf("s.%[1]s = x.%[1]s", quoteName(k)))
	}
	return fmt.Sprintf("%s where not exists (select 1 from %s as s where %s)", query, quoteName(m.Name), strings.Join(same, " and "))
}

// Stale counts the rows that no longer count, as the models last saw them; none before they were first built.
func Stale(lake *data.Lake) (counts []StaleCount, err error) {
	for _, t := range data.Tables() {
		causes, err := staleCauses(lake, martFile(stalePrefix+t.Name()))
		if err != nil {
			return nil, err
		}
		for _, cause := range slices.Sorted(maps.Keys(causes)) {
			counts = append(counts, StaleCount{t.Name(), cause, causes[cause]})
		}
	}
	return counts, nil
}

// staleCauses counts the rows of a stale mart by their cause; none where there is no such mart.
func staleCauses(lake *data.Lake, file string) (causes map[string]int64, err error) {
	f, err := lake.Store().Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := data.OpenParquet(f, f.Size())
	if err != nil {
		return nil, data.WithHint(fmt.Errorf("%s: %w", lake.Path(file), err), "make it again with: captionlake analyze")
	}
	type row struct {
		Cause string `parquet:"cause,optional"`
	}
	r := parquet.NewGenericReader[row](pf)
	causes = map[string]int64{}
	rows := make([]row, 1024)
	for err == nil {
		var n int
		n, err = r.Read(rows)
		for _, row := range rows[:n] {
			causes[row.Cause]++
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return causes, errors.Join(err, r.Close())
}

// StaleText says in one sentence which rows do not count; it is empty when all do.
func StaleText(counts []StaleCount) string {
	var parts []string
	for _, c := range counts {
		parts = append(parts, fmt.Sprintf("%d %s (%s)", c.Rows, c.Table, c.Cause))
	}
	if len(parts) == 0 {
		return ""
	}
	return "rows that count in no result, because what they came from is gone or has changed: " + strings.Join(parts, ", ")
}
