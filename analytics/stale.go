package analytics

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
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

// countedMacro makes the table macro of the rows that count: those of a table, without the ones that the table's stale mart lists. Where
// that lists none, the macro is the table alone: the engine would build its hash table over the large side, which doubled time and memory
// of 3.4 million answers. The macro is made when the mart is there, because the engine looks its tables up.
func (m Model) countedMacro(none bool) string {
	return fmt.Sprintf("create or replace temp macro %s() as table %s", countedPrefix+m.Fold, m.countedRows(none))
}

// countedRows is the query of the rows of a table that count; none says that the stale mart of the table lists no row.
func (m Model) countedRows(none bool) string {
	query := "select x.* from " + sql.QuoteName(m.Fold) + " as x"
	if !none {
		query += fmt.Sprintf(" anti join %s as s using (%s)", sql.QuoteName(m.Name), sql.QuoteNames(m.Key))
	}
	return query
}

// causeKey is the metadata of a mart that counts its rows by their column cause: call=3, caption=2.
const causeKey = "captionlake.cause"

// Stale counts the rows that no longer count, as the models last saw them; none before they were first built.
func Stale(lake *data.Lake) (counts []StaleCount) {
	files, _ := martFiles(lake)
	for _, t := range data.Tables() {
		rows := map[string]int64{}
		for _, file := range files[stalePrefix+t.Name()] {
			says, _ := fileMetadata(lake, file)
			for cause := range strings.SplitSeq(says[causeKey], ", ") {
				name, n, _ := strings.Cut(cause, "=")
				if n, err := strconv.ParseInt(n, 10, 64); err == nil {
					rows[name] += n
				}
			}
		}
		for _, cause := range slices.Sorted(maps.Keys(rows)) {
			counts = append(counts, StaleCount{t.Name(), cause, rows[cause]})
		}
	}
	return counts
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
