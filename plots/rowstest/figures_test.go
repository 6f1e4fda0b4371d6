package rowstest

import (
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
)

// A captioner that the registry does not know, or that rehearses, is no open model.
func TestKindsOfCaptioners(t *testing.T) {
	f := Named(t, "figures/arena_ranking")
	var ranking [][]any
	for captioner, kind := range map[string]string{"a": "open", "b": "proprietary", "c": "", "d": "rehearsal",
		"human": "human"} {
		ranking = append(ranking, []any{captioner, captioner, kind, "caparena", "people", 1000.0, 1, "measured"})
	}
	drawn := Select(t, f, map[string]*rows.Rows{"arena_ranking": laketest.Rows(t, "arena_ranking",
		[]string{"captioner", "captioner_name", "model_type", "benchmark", "judge", "elo", "place", "provenance"},
		ranking...)})
	names, kinds := drawn.Text("captioner"), drawn.Text("kind")
	must.Succeed(t, drawn.Err)
	want := map[string]string{"a": "open model", "b": "proprietary model", "c": "unknown model", "d": "rehearsal model",
		"human": "person’s caption"}
	for i, name := range names {
		expect.Equal(t, kinds[i], want[name], name)
		delete(want, name)
	}
	expect.Equal(t, len(want), 0, want)
}
