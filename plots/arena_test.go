package plots

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// arenaTables are marts of an arena of so many captioners, with names as they may come, and six judges.
func arenaTables(t testing.TB, n int, hostile bool) Tables {
	t.Helper()
	pairs := table(t, "arena_pairs", []string{"benchmark", "judge", "provenance", "captioner", "captioner_name", "other", "n_battles", "win_rate"})
	benchmarks := table(t, "arena_benchmarks", []string{"people_provenance", "provenance", "name", "judge", "protocol", "captioner", "captioner_name", "model_type",
		"billions", "score", "score_low", "score_high", "rating", "rating_low", "rating_high", "place"})
	correlations := table(t, "arena_correlations", []string{"origin", "kind", "name", "judge", "protocol", "people_provenance", "spearman"},
		[]any{"battles", "benchmark", "CapArena-Auto", "j", "p", "measured", 0.5})
	bias := table(t, "arena_bias", []string{"benchmark", "provenance", "judge", "protocol", "judge_name", "captioner", "captioner_name", "people_rate", "bias", "bias_low", "bias_high"})
	slopes := table(t, "benchmark_places", []string{"series_a", "series_b", "series_a_name", "series_b_name", "benchmark_a", "benchmark_b", "prompt_a", "provenance", "captioner",
		"captioner_name", "place_a", "place_b"})
	agreed := table(t, "benchmark_agreement", []string{"series_a", "series_b", "spearman", "spearman_low", "spearman_high"},
		[]any{"q", "p", 0.5, 0.25, 0.75}, []any{"q", "c", 0.5, nil, nil}, []any{"q", "", nil, nil, nil})
	add := func(tb *Table, values ...any) {
		t.Helper()
		must.Succeed(t, tb.Append(values...))
	}
	name := func(i int) string {
		if hostile {
			return fmt.Sprintf("organization-with-a-long-name/Vision-Language <b>Model</b> %d & \\Instruct\u202e 漢字 with a tail of %d words", i, i)
		}
		return fmt.Sprintf("Model %d 7B", i)
	}
	kinds := []string{"open", "proprietary", ""}
	id := func(i int) string {
		if i == 1 {
			return "human"
		}
		return fmt.Sprintf("m-%02d", i)
	}
	for i := range n {
		x, kind := float64(i), kinds[i%3]
		elo := 1300 - 600*x/float64(n)
		add(pairs, "caparena", "people", "measured", id(i), name(i), "", 100, 100-x*4)
		for k := range n {
			if k != i && (i+k)%7 != 3 {
				add(pairs, "caparena", "people", "measured", id(i), name(i), id(k), 10*n+i+k, 50+48*(float64(k)-x)/float64(n))
			}
		}
		other := "CapArena-Auto"
		if hostile {
			other = name(n)
		}
		add(slopes, "q", "p", "CaptionQA Simple", other, "captionqa", "caparena-auto", "Simple", "measured", id(i), name(i), i+1, n-i)
		if i < 6 {
			add(slopes, "q", "c", "CaptionQA Simple", "CapArena, measured", "captionqa", "caparena", "Simple", "measured", id(i), name(i), i+1, i+1)
			add(slopes, "l", "c", "CaptionQA Long", "CapArena, measured", "captionqa", "caparena", "Long", "measured", id(i), name(i), i+1, i+1)
		}
		if i < 2 {
			add(slopes, "q", "v", "CaptionQA Simple", "CV-CapBench", "captionqa", "cv-capbench", "Simple", "measured", id(i), name(i), i+1, i+1)
		}
		if i != 1 {
			add(benchmarks, "measured", "measured", "CapArena-Auto", "j", "p", id(i), name(i), kind, 2+3*x, 60-5*x, 55-5*x, 65-5*x, elo, elo-30, elo+30, i+1)
			add(benchmarks, "measured", "measured", "MMMU", "", "", id(i), name(i), kind, nil, 40+float64(i*7%11), nil, nil, elo, nil, nil, i+1)
		}
	}
	for k := range 6 {
		judge := fmt.Sprintf("Judge %d", k)
		if hostile {
			judge = name(k)
		}
		for i := range n {
			if i != 1 {
				b := float64((i*13+k*7)%41) - 20
				add(bias, "caparena", "measured", fmt.Sprint("j", k), "p", judge, id(i), name(i), 90-3*float64(i), b, b-5, b+5)
			}
		}
	}
	return Tables{"arena_pairs": pairs, "arena_benchmarks": benchmarks, "arena_correlations": correlations,
		"arena_bias":       bias,
		"benchmark_places": slopes, "benchmark_agreement": agreed}
}

// The figures of an arena show 3, 15 and 24 captioners, with long and hostile names too, without a label over another one or past the
// page. With PLOTS_OUT set they are kept there.
func TestArenaFigures(t *testing.T) {
	for _, n := range []int{3, 15, 24} {
		for _, hostile := range []bool{false, true} {
			ts := arenaTables(t, n, hostile)
			drawn := 0
			for _, f := range byHand() {
				if slices.ContainsFunc(f.Needs, func(name string) bool { return ts[name] == nil }) {
					continue
				}
				drawn++
				d, err := f.Draw(ts, Page{})
				if errors.Is(err, ErrNoRows) && n == 3 {
					continue // two captioners with scores are too few for a scatter
				}
				if err != nil {
					t.Errorf("%d captioners: %v", n, err)
					continue
				}
				if err := checkPages(f, ts, d); err != nil {
					t.Errorf("%s of %d captioners, hostile %v: %v", f.Name, n, hostile, err)
				}
				if dir := os.Getenv("PLOTS_OUT"); dir != "" {
					if b, err := d.Encode("png"); err != nil || os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s_%d_%v.png", f.Name, n, hostile)), b, 0o644) != nil {
						t.Error(err)
					}
				}
			}
			if drawn != 4 {
				t.Errorf("%d figures, want 4", drawn)
			}
		}
	}
}
