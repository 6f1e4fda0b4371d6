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

// causeKey names the metadata in a mart's file that counts the rows by their column cause: call=3,
// caption=2.
const causeKey = "captionlake.cause"

// Stale gives the numbers of rows that no longer count, as the models last saw them. It is empty
// before the models were first built. Stale skips files that cannot be read, because it is for
// notes.
func Stale(lake *data.Lake) (counts []StaleCount) {
	files, _ := data.MartFiles(lake)
	for _, t := range data.Tables() {
		rowsByCause := map[string]int64{}
		for _, file := range files[sqlmodel.StalePrefix+t.Name()] {
			metadata, _ := data.FileMetadata(lake, file)
			for count := range strings.SplitSeq(metadata[causeKey], ", ") {
				cause, rows, _ := strings.Cut(count, "=")
				if n, err := strconv.ParseInt(rows, 10, 64); err == nil { // The text of a mart without rows is empty.
					rowsByCause[cause] += n
				}
			}
		}
		for _, cause := range slices.Sorted(maps.Keys(rowsByCause)) {
			counts = append(counts, StaleCount{t.Name(), cause, rowsByCause[cause]})
		}
	}
	return counts
}

// StaleText says in one sentence which rows do not count. It is empty if all rows count.
func StaleText(counts []StaleCount) string {
	if len(counts) == 0 {
		return ""
	}
	var texts []string
	for _, c := range counts {
		texts = append(texts, fmt.Sprintf("%d %s (%s)", c.Rows, c.Table, c.Cause))
	}
	return "rows that count in no result, because what they came from is gone or has changed: " +
		strings.Join(texts, ", ")
}
