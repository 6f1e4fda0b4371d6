package rowstest

import (
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// A captioner that the registry does not know, or that rehearses, is no open model.
func TestKindsOfCaptioners(t *testing.T) {
	shown := must.Get(ggsql.All())(t)
	f := shown[slices.IndexFunc(shown, func(f *ggsql.File) bool { return f.Name == "arena_ranking" && f.Form == "figure" })]
	ranking := must.Get(plots.NewTable("arena_ranking", "captioner", "captioner_name", "model_type", "benchmark", "judge", "elo", "place", "provenance"))(t)
	for captioner, kind := range map[string]string{"a": "open", "b": "proprietary", "c": "", "d": "rehearsal", "human": "human"} {
		must.Succeed(t, ranking.Append(captioner, captioner, kind, "caparena", "people", 1000.0, 1, "measured"))
	}
	rows := plots.Read(Select(t, f, plots.Tables{"arena_ranking": ranking}))
	names, kinds := rows.Text("captioner"), rows.Text("kind")
	must.Succeed(t, rows.Err)
	want := map[string]string{"a": "open model", "b": "proprietary model", "c": "unknown model", "d": "rehearsal model", "human": "person’s caption"}
	for i, name := range names {
		if kinds[i] != want[name] {
			t.Errorf("%s is called %q, want %q", name, kinds[i], want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("the figure lacks %v", want)
	}
}
