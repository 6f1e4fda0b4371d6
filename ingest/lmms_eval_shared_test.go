package ingest

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// lmmsBase makes a lake with what the shared logs were made from: the sample set's bank and CAPability's annotations. It
// returns a function that copies it, because loading it takes longer than any of the logs.
func lmmsBase(t testing.TB) func(testing.TB) *data.Lake {
	t.Helper()
	l := laketest.New(t)
	if _, err := LoadSample(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	loadFolder(t, l, judged, laketest.Shared(t, "capability/annotations"))
	return func(t testing.TB) *data.Lake { return laketest.Copy(t, l) }
}

// census counts the rows of a lake that came from logs: captions by captioner and prompt; answers by captioner, prompt,
// reader, domain and outcome; judgments by captioner, judge, repeat, dimension and verdict; figures by model, prompt,
// domain or dimension, and metric.
func census(t testing.TB, l *data.Lake) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, c := range laketest.All(t, l, data.Captions) {
		counts[fmt.Sprintf("caption %s %s", c.Captioner, c.Prompt)]++
	}
	for _, a := range laketest.All(t, l, data.Answers) {
		counts[fmt.Sprintf("answer %s %s %s %s", a.Captioner, a.Prompt, a.Domain, a.Outcome)]++
		if a.Reader != "qwen2.5-72b" {
			counts["reader "+a.Reader]++
		}
	}
	for _, v := range laketest.All(t, l, data.Judgments) {
		counts[fmt.Sprintf("judgment %s %s %s", v.Captioner, v.Dimension, v.Verdict)]++
		if v.Judge != "qwen2.5-72b" || v.Repeat != 0 {
			counts[fmt.Sprintf("judge %s repeat %d", v.Judge, v.Repeat)]++
		}
	}
	for _, p := range laketest.All(t, l, data.PublishedFigures) {
		counts[fmt.Sprintf("figure %s %s %s%s", p.ModelID, p.Prompt, p.Domain, p.Category)]++
	}
	return counts
}

// The folders of logs that lmms-eval itself wrote (its versions 0.7.3, 0.7.2 and 0.6.1, with a dummy model): what comes out
// of each, loaded as a whole. The sample set has 78 questions about 6 images of Natural, 84 about 7 of Document, 83 about
// 6 of E-commerce and 72 about 6 of Embodied AI.
func TestLmmsEvalFolders(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	const model, simple = "qwen2.5-vl-3b", "Simple Natural "
	plain := func(captioner, prompt string) map[string]int {
		return map[string]int{
			"caption " + captioner + " " + prompt:                       6,
			"answer " + captioner + " " + prompt + " Natural correct":   52,
			"answer " + captioner + " " + prompt + " Natural cannot":    15,
			"answer " + captioner + " " + prompt + " Natural incorrect": 11,
			"figure " + captioner + " " + prompt + " Natural":           3,
		}
	}
	with := func(maps_ ...map[string]int) map[string]int {
		all := map[string]int{}
		for _, m := range maps_ {
			maps.Copy(all, m)
		}
		return all
	}
	folders := map[string]struct {
		want  map[string]int
		notes []string // parts of the notes, in their order
	}{
		"cqa_plain":   {want: map[string]int{"caption " + model + " Simple": 25, "answer " + model + " Simple Natural correct": 52, "answer " + model + " Simple Natural cannot": 15, "answer " + model + " Simple Natural incorrect": 11, "figure " + model + " Simple Natural": 3, "answer " + model + " Simple Document correct": 37, "answer " + model + " Simple Document cannot": 38, "answer " + model + " Simple Document incorrect": 9, "figure " + model + " Simple Document": 3, "answer " + model + " Simple E-commerce correct": 48, "answer " + model + " Simple E-commerce cannot": 34, "answer " + model + " Simple E-commerce incorrect": 1, "figure " + model + " Simple E-commerce": 3, "answer " + model + " Simple Embodied AI correct": 37, "answer " + model + " Simple Embodied AI cannot": 30, "answer " + model + " Simple Embodied AI incorrect": 5, "figure " + model + " Simple Embodied AI": 3}},
		"cqa_repeats": {want: plain(model, "Simple")},
		"cqa_think":   {want: plain(model, "Simple")},
		"cqa_api":     {want: plain("gpt-4o", "Simple")},
		"cqa_local":   {want: plain("data-ckpts-step-100", "Simple")},
		"cqa_sys": {want: plain(model, "Simple+you-are-a-captioner-24f1fa59"), notes: []string{
			`called Simple+you-are-a-captioner-24f1fa59: "You are a captioner. Describe this image in detail."`,
			`called Simple+you-are-a-captioner-24f1fa59: "You are a captioner. Describe this image in detail."`}},
		"cqa_prompts": {want: with(plain(model, "Simple"), plain(model, "Long"), plain(model, "what-do-you-see-665fd9ae"), plain(model, "Simple+answer-in-english-3d8990bd")),
			notes: []string{"called Simple+answer-in-english-3d8990bd", "called what-do-you-see-665fd9ae", "called what-do-you-see-665fd9ae", "called Simple+answer-in-english-3d8990bd"}},
		"cqa_limit": {want: map[string]int{"caption " + model + " Simple": 3, "answer " + model + " " + simple + "correct": 26, "answer " + model + " " + simple + "cannot": 7,
			"answer " + model + " " + simple + "incorrect": 6, "figure " + model + " Simple Natural": 3}},
		"cqa_cut": {want: map[string]int{"caption " + model + " Simple": 2, "answer " + model + " " + simple + "correct": 17, "answer " + model + " " + simple + "cannot": 4,
			"answer " + model + " " + simple + "incorrect": 5, "figure " + model + " Simple Natural": 3}, notes: []string{"has 2 of the 6 samples"}},
		"cqa_surr": {want: map[string]int{"figure " + model + " Simple Natural": 3}, notes: []string{"has 0 of the 6 samples"}},
		"cqa_predict": {want: map[string]int{"caption " + model + " Simple": 6}, notes: []string{
			"the run of --predict_only judged nothing", "6 samples have no scores"}},
		"cqa_judgedown": {want: map[string]int{"caption " + model + " Simple": 6, "answer " + model + " " + simple + "failed": 78}, notes: []string{
			"_results.json:5:31: every figure of captionqa_natural is 0", "78 of 78 answers are failed, not wrong"}},
		"cqa_gaps": {want: map[string]int{"caption " + model + " Simple": 6, "answer " + model + " Simple Natural correct": 51, "answer " + model + " Simple Natural cannot": 15, "answer " + model + " Simple Natural incorrect": 9, "figure " + model + " Simple Natural": 3}, notes: []string{"2 questions of the bank have no answer", `.jsonl:4:513: the category is "Attribute - Color"`}},
		"cqa_twice": {want: map[string]int{"caption " + model + " Simple": 6, "caption " + model + " Simple/20261122_032947": 6, "answer " + model + " Simple Natural correct": 52, "answer " + model + " Simple Natural cannot": 15, "answer " + model + " Simple Natural incorrect": 11, "answer " + model + " Simple/20261122_032947 Natural correct": 28, "answer " + model + " Simple/20261122_032947 Natural cannot": 35, "answer " + model + " Simple/20261122_032947 Natural incorrect": 15, "figure " + model + " Simple Natural": 6}, notes: []string{
			"the lake holds another run of qwen2.5-vl-3b with this prompt; the rows of this one have the prompt Simple/20261122_032947"}},
		"cap_fail": {want: map[string]int{"caption " + model + " capability": 180, "figure " + model + " capability OCR": 3, "figure " + model + " capability style": 3, "figure " + model + " capability dynamic_object_number": 3, "judgment " + model + " OCR failed": 15, "judgment " + model + " OCR miss": 15, "judgment " + model + " OCR negative": 4, "judgment " + model + " OCR positive": 26, "judgment " + model + " dynamic_object_number failed": 54, "judgment " + model + " dynamic_object_number miss": 21, "judgment " + model + " dynamic_object_number negative": 3, "judgment " + model + " dynamic_object_number positive": 37, "judgment " + model + " style failed": 20, "judgment " + model + " style positive": 40}, notes: []string{"15 of 60 captioned samples have no judgment", "20 of 60 captioned", "25 of 60 captioned", "180 captions are in the lake already"}},
		"cap_small": {want: map[string]int{"caption " + model + " capability": 4}, notes: []string{
			"_results.json:13:33: capability_recall,none of capability_scene is no number (NaN)", "no judgments of scene", "4 captions are in the lake already"}},
		"cap_suffix": {want: map[string]int{"caption " + model + " capability": 20, "caption " + model + " capability/event": 14, "figure " + model + " capability action": 3, "figure " + model + " capability event": 3, "judgment " + model + " action miss": 6, "judgment " + model + " action negative": 2, "judgment " + model + " action positive": 12, "judgment " + model + " event miss": 6, "judgment " + model + " event positive": 14}, notes: []string{"14 media files were captioned twice", "14 media files were captioned twice", "34 captions are in the lake already"}},
		"mixed":      {want: map[string]int{"caption " + model + " Simple": 6, "caption " + model + " capability": 20, "answer " + model + " Simple Natural failed": 78, "figure " + model + " capability OCR": 3, "judgment " + model + " OCR miss": 7, "judgment " + model + " OCR negative": 3, "judgment " + model + " OCR positive": 10}, notes: []string{"_results.json:24:31: every figure of captionqa_natural is 0", "78 of 78 answers are failed", "20 captions are in the lake already"}},
		"mixed_nan": {want: map[string]int{"caption " + model + " capability": 4, "caption " + model + " Simple": 4, "answer " + model + " " + simple + "failed": 52},
			notes: []string{"capability_recall,none of capability_scene is no number", "every figure of captionqa_natural is 0", "52 of 52 answers are failed", "no judgments of scene", "4 captions are in the lake already"}},
	}
	base := lmmsBase(t)
	for folder, c := range folders {
		t.Run(folder, func(t *testing.T) {
			path := laketest.Shared(t, "lmms_eval/"+folder)
			l := base(t)
			results := loadFolder(t, l, judged, path)
			var notes []string
			for _, r := range results {
				notes = append(notes, r.Notes...)
			}
			got := census(t, l)
			if !maps.Equal(got, c.want) {
				t.Errorf("got %v\nwant %v", got, c.want)
			}
			if len(notes) != len(c.notes) {
				t.Fatalf("got notes\n%s\nwant\n%s", strings.Join(notes, "\n"), strings.Join(c.notes, "\n"))
			}
			for i, part := range c.notes {
				if !strings.Contains(notes[i], part) {
					t.Errorf("note %q, want one about %q", notes[i], part)
				}
			}
			for _, r := range loadFolder(t, l, judged, path) {
				if r.Changed {
					t.Errorf("loading again changed %s", r.Unit)
				}
			}
		})
	}
	t.Run("one run after another", func(t *testing.T) { runsStayApart(t, base(t)) })
	entries, err := os.ReadDir(laketest.Shared(t, "lmms_eval"))
	must.Succeed(t, err)
	for _, entry := range entries {
		if _, stated := folders[entry.Name()]; entry.IsDir() && !stated {
			t.Errorf("the test does not say what comes out of %s", entry.Name())
		}
	}
}

// Loading one run after another loses no row of the first, even where both have files of one name.
func runsStayApart(t *testing.T, l *data.Lake) {
	loadFolder(t, l, judged, laketest.Shared(t, "lmms_eval/cqa_twice"))
	before := census(t, l)
	results := loadFolder(t, l, judged, laketest.Shared(t, "lmms_eval/cqa_limit"))
	want := maps.Clone(before)
	const model = "qwen2.5-vl-3b"
	want["caption "+model+" Simple/20261122_032914"] = 3
	for outcome, n := range map[string]int{"correct": 26, "cannot": 7, "incorrect": 6} {
		want["answer "+model+" Simple/20261122_032914 Natural "+outcome] = n
	}
	want["figure "+model+" Simple Natural"] += 3
	if got := census(t, l); !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	items := map[string]bool{}
	for _, p := range laketest.All(t, l, data.PublishedFigures) {
		items[p.Item] = true
	}
	if len(items) != 3 {
		t.Errorf("three files of figures have the items %v", slices.Collect(maps.Keys(items)))
	}
	for _, r := range results {
		if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "the lake holds another") }) {
			t.Errorf("the notes of %s do not say how its rows are named: %q", r.Path, r.Notes)
		}
	}
}
