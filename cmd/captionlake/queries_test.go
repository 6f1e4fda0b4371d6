package main

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// Every question of analytics/QUERIES.md has an answer in the demo's lake, or says why it has none there.
func TestQueries(t *testing.T) {
	lake, err := data.Open(demoLake(t))
	must.Succeed(t, err)
	session, err := analytics.OpenSession(t.Context(), lake, analytics.EngineOptions{}, false)
	must.Succeed(t, err)
	defer func() {
		if err := errors.Join(session.Close(), lake.Close()); err != nil {
			t.Error(err)
		}
	}()
	page, err := os.ReadFile("../../analytics/QUERIES.md")
	must.Succeed(t, err)
	questions := strings.Split(string(page), "\n## ")[1:]
	if len(questions) < 40 {
		t.Errorf("%d questions", len(questions))
	}
	for _, text := range questions {
		asks, answer, _ := strings.Cut(text, "\n")
		about, query, _ := strings.Cut(answer, "```sql\n")
		report, err := session.Query(t.Context(), strings.TrimSuffix(strings.TrimSpace(query), "```"), analytics.QueryOptions{Format: "csv"}, io.Discard)
		if err != nil {
			t.Errorf("%s %v", asks, err)
		} else if (report.Rows == 0) != strings.Contains(about, "No rows in the demo: ") {
			t.Errorf("%s %d rows, and the page says %q", asks, report.Rows, about)
		}
	}
}
