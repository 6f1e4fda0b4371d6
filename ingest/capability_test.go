package ingest

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
)

// loadFolder loads a folder that is good.
func loadFolder(t testing.TB, l *data.Lake, o Options, paths ...string) []Result {
	t.Helper()
	results, skipped, err := loadPaths(t.Context(), l, paths, o)
	must.Succeed(t, err)
	if len(skipped) > 0 {
		t.Fatalf("skipped %v", skipped)
	}
	return results
}

// TestCapabilityReleased holds the verdicts of the released judgments against a second, naive
// reading of the files.
func TestCapabilityReleased(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	root := must.Shared(t, "capability")
	l := laketest.New(t)
	loadFolder(t, l, Options{Reader: "gpt-4-turbo"}, root)
	expect.Equal(t, len(laketest.All(t, l, data.Annotations)), 11994)
	expect.Equal(t, len(laketest.All(t, l, data.Captions)), 10643)
	registry := must.Get(data.Registry())(t)
	got := map[string]map[rubric.Verdict]int{}
	for _, r := range laketest.All(t, l, data.Judgments) {
		key := r.Captioner + " " + r.Dimension
		if got[key] == nil {
			got[key] = map[rubric.Verdict]int{}
		}
		got[key][rubric.Verdict(r.Verdict)]++
	}
	folders, err := filepath.Glob(filepath.Join(root, "judge_output", "*"))
	if err != nil || len(folders) != 6 {
		t.Fatalf("%v, %v", folders, err)
	}
	for _, folder := range folders {
		for _, d := range rubric.Dimensions() {
			want := naiveCounts(t, root, folder, d.ID)
			key := registry.ModelIDFor(filepath.Base(folder)) + " " + d.ID
			expect.Equal(t, got[key], want, key)
		}
	}
	expect.Equal(t, len(got), 6*13, "captioners and dimensions")
}

// naiveCounts counts the verdicts of one released file as the authors' evaluator does, without any
// code of ours.
func naiveCounts(t *testing.T, root, folder, dimension string) map[rubric.Verdict]int {
	counts := map[rubric.Verdict]int{}
	annotations := map[string]any{}
	eachJSONLine(t, filepath.Join(root, "annotations", dimension+".jsonl"), func(r map[string]any) {
		annotations[r["file_id"].(string)] = r["annotation"]
	})
	score := func(x any) {
		switch x.(float64) {
		case 1:
			counts[rubric.Positive]++
		case 0:
			counts[rubric.Miss]++
		case -1:
			counts[rubric.Negative]++
		}
	}
	eachJSONLine(t, filepath.Join(folder, dimension+".jsonl"), func(r map[string]any) {
		if list, ok := r["response"].([]any); ok {
			for _, x := range list {
				score(x.(map[string]any)["score"])
			}
			return
		}
		predicted, closed := r["pred"].([]any)
		switch {
		case !closed:
			score(r["score"])
		case len(predicted) == 1 && predicted[0] == "N/A":
			counts[rubric.Miss]++
		case slices.Contains(predicted, annotations[r["file_id"].(string)]):
			counts[rubric.Positive]++
		default:
			counts[rubric.Negative]++
		}
	})
	return counts
}

func eachJSONLine(t *testing.T, path string, each func(map[string]any)) {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var r map[string]any
		must.Succeed(t, json.Unmarshal(in.Bytes(), &r))
		each(r)
	}
	must.Succeed(t, in.Err())
}
