package main

import (
	"errors"
	"io"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// demoSession answers queries about a lake in a folder, which captionlake demo has filled.
func demoSession(t *testing.T) (folder string, session *ask.Reader) {
	t.Helper()
	folder = demoLake(t)
	lake := must.Get(data.Open(folder))(t)
	session = must.Get(ask.OpenReader(t.Context(), lake, engine.Options{}))(t)
	t.Cleanup(func() { must.Succeed(t, errors.Join(session.Close(), lake.Close())) })
	return folder, session
}

// Every question of sql/questions has an answer in the demo's lake, or says why it has no answer
// there.
func TestQueries(t *testing.T) {
	t.Parallel()
	_, session := demoSession(t)
	files := must.Get(ggsql.All())(t)
	for _, f := range files {
		values := map[string]string{}
		for name, value := range f.Parameters {
			if value != nil && *value == "" {
				values[name] = map[string]string{
					"captioner": "rehearsal-captioner-large", "other": "rehearsal-captioner-small",
					"reader": "rehearsal-reader-careful",
					"judge":  "rehearsal-judge-hasty", "image": "doc_s01", "question": "doc_s01/02e17f4a34",
				}[name]
			}
		}
		if values["reader"] != "" {
			values["other"] = "rehearsal-reader-eager"
		}
		query := must.Get(f.Select(values))(t)
		rows, err := session.Query(t.Context(), query, ask.Options{Format: "csv"}, io.Discard)
		if err != nil {
			t.Error(f.Located(err))
		} else if (rows == 0) != (f.NoDemo != "") || f.Shows == "" {
			t.Errorf("%s: %d rows, and the file says %q", f.Path, rows, f.NoDemo)
		}
	}
}
