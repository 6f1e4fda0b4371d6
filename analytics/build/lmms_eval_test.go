package build

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/ingest"
)

// Logs that lmms-eval itself wrote end in the figures that its results files print, to their
// digits, once they are loaded and analyzed: each folder of logs is a captioner of one lake.
func TestLmmsEvalLogsGiveTheirOwnResults(t *testing.T) {
	lake := referenceLake(t)
	must.Get(ingest.LoadSample(t.Context(), lake, true))(t)
	var load func(path string, o ingest.Options) string
	load = func(path string, o ingest.Options) (notes string) {
		t.Helper()
		o.Query = ask.ReadFiles
		results, _, err := ingest.LoadPaths(t.Context(), lake, []string{path}, o)
		if err != nil {
			notes += err.Error() + "\n"
		}
		for _, r := range results {
			notes += strings.Join(r.Notes, "\n") + "\n"
			// Another prompt, or a second run of one.
			if r.State == ingest.StateRefused && o.Prompt == "" && strings.Contains(err.Error(), "prompt") {
				again := o
				again.Prompt = r.Unit + filepath.Base(r.Path)
				notes += load(r.Path, again)
			}
		}
		return notes
	}
	load(must.Shared(t, "capability/annotations"), ingest.Options{})
	// Folders whose logs do not hold what their results files print: part of a note that says why,
	// and the figures that there are.
	differ := map[string]struct {
		why  string
		want []string
	}{
		// 17 correct and 4 cannot of 26
		"cqa_cut":     {"the log has 2 of the 6 samples", []string{"natural 0.7032 0.6538 0.1538 0"}},
		"cqa_surr":    {"the file has nothing to load", nil},
		"cqa_predict": {"6 samples have no scores", nil},
		// without a correct one of 76: (76 x 0.747807 - 1) / 75
		"cqa_gaps": {"the category is", []string{"natural 0.7444 0.6800 0.2000 0"}},
	}
	runs := must.Get(filepath.Glob(filepath.Join(must.Shared(t, "lmms_eval"), "*", "*")))(t)
	notes, want := map[string]string{}, map[string][]string{}
	for _, run := range runs { // Two benchmarks of one run have two judges.
		folder := filepath.Base(filepath.Dir(run))
		o := ingest.Options{Captioner: strings.ReplaceAll(folder, "_", "-"), Reader: "Qwen/Qwen2.5-72B-Instruct"}
		if filepath.Base(run) == "capability_results" {
			o.Reader = "gpt-4.1-2025-04-14"
		}
		notes[folder] += load(run, o)
		want[o.Captioner] = printedByLmmsEval(t, filepath.Dir(run))
		if d, ok := differ[folder]; ok {
			want[o.Captioner] = d.want
		}
	}
	for folder, d := range differ {
		expect.Contains(t, notes[folder], d.why)
	}
	built(t, lake, modelsWith(t, "captionqa_scores", "capability_figures"))
	got := map[string][]string{}
	for line := range strings.Lines(asked(t, lake, "csv",
		`select captioner, printf('%s %.4f %.4f %.4f %d', lower(regexp_replace(domain, '[ -]', '', 'g')),
			coalesce(score / 100, 0), coalesce(accuracy / 100, 0), coalesce(cannot_rate / 100, 0),
			n_failed // n_answers) as figures from captionqa_scores where level = 'domain' and origin = 'answers'
			and provenance = 'measured'
		union all select captioner, printf('%s %.9f %.9f %.9f', section, max(figure) filter (where metric = 'precision'),
			max(figure) filter (where metric = 'recall'), max(figure) filter (where metric = 'f1')) from capability_figures
			where origin = 'judgments' and provenance = 'measured' and n_all > 0 and kind = 'dimension' group by captioner,
			section
		union all select provenance, 'no row is other than measured' from (from answers select provenance union all
		from captions select provenance) where provenance <> 'measured'`)) {
		captioner, figures, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ",")
		got[captioner] = append(got[captioner], figures)
	}
	delete(got, "captioner") // the names of the columns
	for _, captioner := range slices.Sorted(maps.Keys(want)) {
		slices.Sort(got[captioner])
		slices.Sort(want[captioner])
		expect.Equal(t, got[captioner], want[captioner], captioner)
		delete(got, captioner)
	}
	expect.Equal(t, len(got), 0, got)
}

// printedByLmmsEval are the figures of the results files below a folder, one line for each task.
func printedByLmmsEval(t *testing.T, folder string) (lines []string) {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(folder, "*", "*_results.json")))(t)
	for _, file := range files {
		var run struct {
			Results map[string]map[string]any `json:"results"`
			Configs map[string]struct {
				Split string `json:"test_split"`
			} `json:"configs"`
		}
		// Python writes NaN, for which JSON has no number.
		must.Succeed(t, json.Unmarshal([]byte(strings.ReplaceAll(string(must.Read(t, file)), "NaN", "null")), &run))
		for _, task := range slices.Sorted(maps.Keys(run.Results)) {
			figures := run.Results[task]
			number := func(name string) (float64, bool) {
				x, ok := figures[name+",none"].(float64)
				return x, ok
			}
			if score, ok := number("captionqa_score"); ok {
				accuracy, _ := number("captionqa_accuracy")
				cannot, _ := number("captionqa_cannot_answer_rate")
				if score > 0 { // Otherwise no judge answered, which is no answer that is wrong.
					lines = append(lines,
						fmt.Sprintf("%s %.4f %.4f %.4f 0", run.Configs[task].Split, score, accuracy, cannot))
				}
			}
			if recall, ok := number("capability_recall"); ok {
				precision, _ := number("capability_precision")
				f1, _ := number("capability_f1_score")
				lines = append(lines,
					fmt.Sprintf("%s %.9f %.9f %.9f", strings.TrimPrefix(task, "capability_"), precision, recall, f1))
			}
		}
	}
	return lines
}

// A log of lmms-eval differs from the authors' run in three settings: how long captions may be,
// that the judge is asked over an API, and that its failures are wrong answers.
func TestLmmsEvalLogsBesideTheAuthorsSettings(t *testing.T) {
	lake := referenceLake(t)
	must.Get(ingest.LoadSample(t.Context(), lake, true))(t)
	_, _, err := ingest.LoadPaths(t.Context(), lake, []string{must.Shared(t, "lmms_eval/cqa_plain")},
		ingest.Options{Query: ask.ReadFiles})
	must.Succeed(t, err)
	built(t, lake, modelsWith(t, "run_differences"))
	got := asked(t, lake, "csv",
		`select benchmark, part, setting, authors, own, program from run_differences where differs order by benchmark, place`)
	want := `benchmark,part,setting,authors,own,program
captionqa,captioner,max tokens,500,4096,lmms-eval
captionqa,reader,access,offline,API,lmms-eval
captionqa,reader,failures,end the run,wrong answers,lmms-eval
`
	expect.Equal(t, got, want, "settings that differ")
}
