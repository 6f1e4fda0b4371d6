package main

import (
	"errors"
	"io"
	"testing"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/analytics/cookbook"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// Every question of the cookbook has an answer in the demo's lake, or says why it has none there.
func TestCookbook(t *testing.T) {
	lake, err := data.Open(demoLake(t))
	must.Succeed(t, err)
	session, err := analytics.OpenSession(t.Context(), lake, analytics.EngineOptions{}, false)
	must.Succeed(t, err)
	defer func() {
		if err := errors.Join(session.Close(), lake.Close()); err != nil {
			t.Error(err)
		}
	}()
	for _, r := range cookbook.Recipes() {
		query, err := r.Query(r.Example)
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		report, err := session.Query(t.Context(), query, analytics.QueryOptions{Format: "csv"}, io.Discard)
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
		} else if (report.Rows == 0) != (r.NoRows != "") {
			t.Errorf("%s: %d rows, and the reason for none is %q", r.Name, report.Rows, r.NoRows)
		}
	}
}
