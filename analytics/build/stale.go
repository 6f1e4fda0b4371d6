package build

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
)

// A StaleCount says how many rows of a table count in no result, because their source is gone or
// has changed.
type StaleCount struct {
	Table string `json:"table"`
	Cause string `json:"cause"` // annotation, battle, call, caption or question
	Rows  int64  `json:"rows"`
}

// causeKey is the metadata of a mart that counts its rows by their column cause: call=3, caption=2.
const causeKey = "captionlake.cause"

// Stale counts the rows that no longer count, as the models last saw them. It is empty before the
// models were first built.
func Stale(lake *data.Lake) (counts []StaleCount) {
	files, _ := data.MartFiles(lake)
	for _, t := range data.Tables() {
		rows := map[string]int64{}
		for _, file := range files[sqlmodel.StalePrefix+t.Name()] {
			says, _ := data.FileMetadata(lake, file)
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

// StaleText says in one sentence which rows do not count. It is empty if all rows count.
func StaleText(counts []StaleCount) string {
	var parts []string
	for _, c := range counts {
		parts = append(parts, fmt.Sprintf("%d %s (%s)", c.Rows, c.Table, c.Cause))
	}
	if len(parts) == 0 {
		return ""
	}
	return "rows that count in no result, because what they came from is gone or has changed: " +
		strings.Join(parts, ", ")
}
