package ingest

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// lmmsResultsOf is a results file with the fields that the formats read, and edits of them.
func lmmsResultsOf(t testing.TB, edits map[string]any) []string {
	t.Helper()
	file := map[string]any{
		"model_name": "Qwen/Qwen2.5-VL-3B-Instruct", "model_source": "dummy",
		"results":   map[string]any{"captionqa_natural": map[string]any{"alias": "captionqa_natural", "captionqa_score,none": 0.5}},
		"configs":   map[string]any{},
		"config":    map[string]any{"model": "dummy", "model_args": ""},
		"n-samples": map[string]any{},
	}
	for key, value := range edits {
		file[key] = value
	}
	results, err := json.Marshal(file["results"])
	must.Succeed(t, err)
	delete(file, "results")
	rest, err := json.Marshal(file)
	must.Succeed(t, err)
	return []string{`{"results": ` + string(results) + "," + string(rest[1:])} // lmms-eval writes the results first
}

// lmmsSampleOf is a line of a sample log about doc_001, with other fields before the rest.
func lmmsSampleOf(fields string) string {
	return `{"doc_id": 0, "target": "doc_001", ` + fields + `"captionqa_score": [{"image_id": "doc_001", "question_idx": 0, "category": "Structural Elements", "is_correct": true, "is_cannot_answer": false, "score": 1.0}]}`
}

const (
	lmmsStamp  = "20260101_000000"
	lmmsAsked  = `"input": "Describe this image in detail.", `
	lmmsAnswer = `"filtered_resps": "A table.", `
)

// Runs of lmms-eval of every kind: whose captions they are, asked with which prompt, and read by whom.
func TestLmmsRunKinds(t *testing.T) {
	t.Parallel()
	task := func(config map[string]any) map[string]any {
		return map[string]any{"configs": map[string]any{"captionqa_document": config}}
	}
	for name, c := range map[string]struct {
		folder                     string // folder of the model; lmms-eval's for the model name unless given
		task                       string
		results                    map[string]any // nil: no results file
		sample                     string
		captioner, prompt, reader  string
		caption, domain, wantsNote string
	}{
		"no checkpoint": {folder: ".", results: map[string]any{"model_name": ""}, captioner: "dummy",
			wantsNote: "its captioner is called after the model class dummy"},
		"checkpoint in the arguments": {folder: ".", results: map[string]any{"model_name": nil, "config": map[string]any{"model_args": "base_url=http://x/v1,model_version=gpt-4o,timeout=60"}}, captioner: "gpt-4o"},
		"arguments as an object":      {folder: ".", results: map[string]any{"model_name": "", "config": map[string]any{"model_args": map[string]any{"pretrained": "Qwen/Qwen2.5-VL-3B-Instruct"}}}},
		"cache of a model hub":        {folder: "snapshots__66285546d2b821cf421d4f5eb2576359d3770cd3", results: map[string]any{"model_name": "/home/someone/.cache/huggingface/hub/models--Qwen--Qwen2.5-VL-3B-Instruct/snapshots/66285546d2b821cf421d4f5eb2576359d3770cd3"}},
		"cache, by the folder alone":  {folder: "__root__.cache__huggingface__hub__models--Qwen--Qwen2.5-VL-3B-Instruct__snapshots__66285546d2b8"},
		"folder alone":                {folder: "Qwen__Qwen2.5-VL-3B-Instruct"},
		"a broken results file":       {folder: "Qwen__Qwen2.5-VL-3B-Instruct", results: map[string]any{"broken": true}},
		"local checkpoint":            {folder: "ckpts__step_100", results: map[string]any{"model_name": "./out/ckpts/step_100/"}, captioner: "out-ckpts-step-100"},
		"empty caption":               {results: map[string]any{}, sample: lmmsAsked + `"filtered_resps": "", `, caption: "-", wantsNote: "1 captions are empty"},
		"replies in lists (0.6.1)":    {results: map[string]any{}, sample: lmmsAsked + `"resps": [["A table. "]], "filtered_resps": ["A table."], `},
		"reasoning stripped":          {results: map[string]any{}, sample: lmmsAsked + `"resps": [["<think>hm</think>A table."]], "filtered_resps": ["A table."], `},
		"several replies":             {results: map[string]any{}, sample: lmmsAsked + `"filtered_resps": ["A table.", "A desk."], `},
		"media":                       {results: map[string]any{}, sample: lmmsAsked + lmmsAnswer + `"input_media": ["<PIL.Image.Image image mode=RGB size=640x480>"], "media": "` + strings.Repeat("A", 300<<10) + `", `},
		"chat": {results: map[string]any{"system_instruction": "Be brief."}, prompt: "Simple+be-brief-",
			sample: lmmsAnswer + `"input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": [{"type": "image", "url": "x"}, {"type": "text", "text": "Describe this image in detail."}]}], `},
		"system instruction before the text": {results: map[string]any{"config": map[string]any{"resolved_cli_args": map[string]any{"system_instruction": "Be brief."}}}, prompt: "Simple+be-brief-",
			sample: lmmsAnswer + `"input": "Be brief.Describe this image in detail.", `},
		"prompt of the configuration": {prompt: "Short", sample: lmmsAnswer, results: task(map[string]any{
			"lmms_eval_specific_kwargs": map[string]any{"default": map[string]any{"caption_prompt": "Write a very short caption for the given image."}}})},
		"prompt with a text behind": {prompt: "Short+in-one-line-", sample: lmmsAnswer, results: task(map[string]any{
			"lmms_eval_specific_kwargs": map[string]any{"caption_prompt": "Write a very short caption for the given image.", "post_prompt": "\nIn one line."}})},
		"prompt in another script": {prompt: "prompt-3e37d157", sample: lmmsAnswer + `"input": "描述图片", `, results: map[string]any{}, wantsNote: `it is called prompt-3e37d157: "描述图片"`},
		"samples after an offset": {wantsNote: "the log has 1 of the 3 samples", results: map[string]any{
			"config": map[string]any{"offset": 3}, "n-samples": map[string]any{"captionqa_document": map[string]any{"original": 6, "effective": 6}}}},
		"judge of the launcher":      {results: map[string]any{"config": map[string]any{"resolved_cli_args": map[string]any{"launcher_args": "name=sglang,model=Qwen/Qwen2.5-7B-Instruct,tp=2"}}}, reader: "qwen-qwen2.5-7b-instruct"},
		"judge of the configuration": {results: task(map[string]any{"metadata": map[string]any{"judge_model": "Qwen/Qwen2.5-7B-Instruct"}}), reader: "qwen-qwen2.5-7b-instruct"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.task == "" {
				c.task = "captionqa_document"
			}
			if c.folder == "" {
				c.folder = "Qwen__Qwen2.5-VL-3B-Instruct"
			}
			if c.sample == "" {
				c.sample = lmmsAsked + lmmsAnswer
			}
			files := map[string][]string{filepath.Join(c.folder, lmmsStamp+"_samples_"+c.task+".jsonl"): {lmmsSampleOf(c.sample)}}
			if c.results != nil {
				files[filepath.Join(c.folder, lmmsStamp+lmmsResultsEnding)] = lmmsResultsOf(t, c.results)
				if c.results["broken"] != nil {
					files[filepath.Join(c.folder, lmmsStamp+lmmsResultsEnding)] = []string{`{"results": {"captionqa_natural": {"alias": `}
				}
			}
			folder := rubricFiles(t, files)
			l := laketest.New(t)
			mustLoad(t, l, textSource("bank.json", goodBank), judged)
			options := judged
			if c.reader != "" {
				options.Reader = "" // The run names it.
			}
			results, skipped, err := LoadPaths(t.Context(), l, []string{folder}, options)
			if broken := c.results["broken"] != nil; err != nil != broken || len(skipped) > 0 {
				t.Fatalf("skipped %v, error %v", skipped, err)
			}
			captions, answers := laketest.All(t, l, data.Captions), laketest.All(t, l, data.Answers)
			if len(captions) != 1 || len(answers) != 1 {
				t.Fatalf("got %d captions and %d answers", len(captions), len(answers))
			}
			or := func(text, otherwise string) string {
				if text == "" {
					return otherwise
				}
				return strings.TrimPrefix(text, "-")
			}
			row, answer := captions[0], answers[0]
			if want := or(c.captioner, "qwen2.5-vl-3b"); row.Captioner != want || answer.Captioner != want {
				t.Errorf("captioner is %s and %s, want %s", row.Captioner, answer.Captioner, want)
			}
			if want := or(c.prompt, "Simple"); !strings.HasPrefix(row.Prompt, want) || row.Prompt != answer.Prompt || want == "Simple" && row.Prompt != want {
				t.Errorf("prompt is %s and %s, want %s", row.Prompt, answer.Prompt, want)
			}
			if want := or(c.reader, "qwen2.5-72b"); answer.Reader != want {
				t.Errorf("reader is %s, want %s", answer.Reader, want)
			}
			if want := or(c.caption, "A table."); row.Caption != want {
				t.Errorf("caption is %q, want %q", row.Caption, want)
			}
			var notes []string
			for _, r := range results {
				notes = append(notes, r.Notes...)
			}
			if c.wantsNote != "" && !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, c.wantsNote) }) {
				t.Errorf("got notes %q, want one about %q", notes, c.wantsNote)
			}
		})
	}
}

// A folder that names no model, and no results file beside the log: the error says what to do.
func TestLmmsCaptionerUnknown(t *testing.T) {
	t.Parallel()
	folder := rubricFiles(t, map[string][]string{"snapshots__6628/" + lmmsStamp + "_samples_captionqa_document.jsonl": {lmmsSampleOf(lmmsAsked + lmmsAnswer)}})
	_, _, err := LoadPaths(t.Context(), laketest.New(t), []string{folder}, judged)
	var hint *data.HintError
	if !asHint(err, &hint) || !strings.Contains(err.Error(), "which model wrote the captions") {
		t.Errorf("got error %v", err)
	}
}

// Tasks of one's own: a published split, a data set of one's own, two tasks that only their sampling tells apart, and logs
// and figures of other benchmarks beside them.
func TestLmmsTasksOfOnesOwn(t *testing.T) {
	t.Parallel()
	figures := func(score float64) map[string]any {
		return map[string]any{"alias": "x", "captionqa_score,none": score}
	}
	kwargs := map[string]any{"caption_prompt": "Describe this image in detail."}
	results := lmmsResultsOf(t, map[string]any{
		"results": map[string]any{"captionqa_natural": figures(.1), "captionqa_natural_greedy": figures(.2), "captionqa_medical": figures(.3), "mine": figures(.4), "captionqa_every": figures(.5),
			"mme": map[string]any{"alias": "mme", "mme_score,none": 2000}},
		"configs": map[string]any{
			"captionqa_natural":        map[string]any{"test_split": "natural", "lmms_eval_specific_kwargs": kwargs},
			"captionqa_natural_greedy": map[string]any{"test_split": "natural", "lmms_eval_specific_kwargs": kwargs},
			"captionqa_medical":        map[string]any{"test_split": "test", "lmms_eval_specific_kwargs": kwargs},
			"mine":                     map[string]any{"test_split": "ecommerce", "lmms_eval_specific_kwargs": kwargs},
			"captionqa_every":          map[string]any{"test_split": "all", "lmms_eval_specific_kwargs": kwargs},
		},
	})
	document := lmmsSampleOf(lmmsAsked + lmmsAnswer)
	other := strings.ReplaceAll(lmmsSampleOf(lmmsAsked+`"filtered_resps": "A desk.", `), "doc_001", "doc_001")
	folder := rubricFiles(t, map[string][]string{
		"a__b/" + lmmsStamp + lmmsResultsEnding:                          results,
		"a__b/" + lmmsStamp + "_samples_captionqa_document.jsonl":        {document},
		"a__b/" + lmmsStamp + "_samples_captionqa_document_greedy.jsonl": {other},
		"a__b/" + lmmsStamp + "_samples_captionqa_medical.jsonl":         {`{"doc_id": 0, "target": "scan_7", ` + lmmsAsked + `"filtered_resps": "A scan."}`},
		"a__b/" + lmmsStamp + "_samples_mme.jsonl":                       {`{"doc_id": 0, "target": "Yes", "filtered_resps": ["Yes"], "input": "Is it?", "mme_score": {"score": 1}}`},
	})
	l := laketest.New(t)
	mustLoad(t, l, textSource("bank.json", goodBank), judged)
	loaded, skipped, err := LoadPaths(t.Context(), l, []string{folder}, judged)
	if err != nil || len(skipped) != 1 || !strings.HasSuffix(skipped[0], "_samples_mme.jsonl") || len(loaded) != 4 {
		t.Fatalf("got %+v, skipped %v, %v", loaded, skipped, err)
	}
	if !slices.ContainsFunc(loaded[0].Notes, func(n string) bool {
		return strings.HasSuffix(n, "1 tasks are of other benchmarks and passed over: mme")
	}) {
		t.Errorf("got notes %q", loaded[0].Notes)
	}
	got := map[string]float64{}
	for _, p := range laketest.All(t, l, data.PublishedFigures) {
		got[p.Item+" "+p.Domain] = p.Value
	}
	item := lmmsStamp + lmmsResultsEnding
	want := map[string]float64{item + " Natural": .1, item + "#captionqa_natural_greedy Natural": .2, item + " medical": .3, item + " E-commerce": .4, item + " ": .5}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got figures %v, want %v", got, want)
	}
	captions := map[string]string{}
	for _, c := range laketest.All(t, l, data.Captions) {
		captions[c.Prompt+" "+c.Domain] = c.Caption
	}
	wantCaptions := map[string]string{"Simple Document": "A table.", "Simple/" + lmmsStamp + " Document": "A desk.", "Simple medical": "A scan."}
	if fmt.Sprint(captions) != fmt.Sprint(wantCaptions) {
		t.Errorf("got captions %v, want %v", captions, wantCaptions)
	}
}

// Two models whose runs began in the same second, and one judge after another over the same captions.
func TestLmmsEqualTimes(t *testing.T) {
	t.Parallel()
	files := map[string][]string{}
	for i, model := range []string{"Qwen/Qwen2.5-VL-3B-Instruct", "gpt-4o"} {
		dir := strings.ReplaceAll(model, "/", "__") + "/" + lmmsStamp
		files[dir+lmmsResultsEnding] = lmmsResultsOf(t, map[string]any{"model_name": model, "results": map[string]any{
			"captionqa_natural": map[string]any{"alias": "", "captionqa_score,none": 0.1 * float64(i+1)}}})
		files[dir+"_samples_captionqa_document.jsonl"] = []string{lmmsSampleOf(lmmsAsked + lmmsAnswer)}
	}
	l := laketest.New(t)
	mustLoad(t, l, textSource("bank.json", goodBank), judged)
	folder := rubricFiles(t, files)
	loadFolder(t, l, judged, folder)
	if figures, captions := laketest.All(t, l, data.PublishedFigures), laketest.All(t, l, data.Captions); len(figures) != 2 || len(captions) != 2 {
		t.Errorf("got %d figures and %d captions", len(figures), len(captions))
	}
	loadFolder(t, l, Options{Reader: "qwen2.5-7b", Format: "lmms-eval-samples"}, filepath.Join(folder, "gpt-4o", lmmsStamp+"_samples_captionqa_document.jsonl"))
	answers, captions := laketest.All(t, l, data.Answers), laketest.All(t, l, data.Captions)
	if len(answers) != 3 || len(captions) != 2 {
		t.Errorf("got %d answers and %d captions", len(answers), len(captions))
	}
	for _, a := range answers {
		if a.Prompt != "Simple" {
			t.Errorf("the answers of the second judge are about the prompt %s", a.Prompt)
		}
	}
}

// rubricRun is the output folder of a run of capability tasks: figures, logs, captions and judgments.
func rubricRun(t testing.TB, files map[string][]string, time, model, class, caption string, judged ...string) {
	t.Helper()
	dir := strings.ReplaceAll(model, "/", "__") + "/" + time
	files[dir+lmmsResultsEnding] = lmmsResultsOf(t, map[string]any{"model_name": model, "model_source": class,
		"results": map[string]any{"capability_scene": map[string]any{"alias": "", "capability_recall,none": 50.0}},
		"configs": map[string]any{"capability_scene": map[string]any{"metadata": map[string]any{"eval_model_name": "gpt-4o"}}}})
	var logged, inferred []string
	for i := range 7 {
		sample := fmt.Sprintf(`{"file_id": "scene_%d", "caption": %q, "annotation": "x", "task": "scene"}`, i, caption)
		logged = append(logged, fmt.Sprintf(`{"doc_id": %d, "target": "x", "filtered_resps": %q, "capability_inference_result": %s}`, i, caption, sample))
		inferred = append(inferred, sample)
	}
	files[dir+"_samples_capability_scene.jsonl"] = logged
	files["capability_results/"+class+"/inference/scene.jsonl"] = inferred
	files["capability_results/"+class+"/evaluation/scene.jsonl"] = judged
}

// Judgments and captions of lmms-eval's capability tasks belong to the run that wrote them: to its checkpoint, not to the
// model's class, which many checkpoints share.
func TestLmmsRubricRuns(t *testing.T) {
	t.Parallel()
	const verdict = `{"scene": "x", "score": %s, "reason": "r", "file_id": "scene_%d"}`
	first := fmt.Sprintf(verdict, "1", 0)
	lake := func(t *testing.T) *data.Lake {
		l := laketest.New(t)
		loadFolder(t, l, Options{}, rubricFiles(t, map[string][]string{"annotations/scene.jsonl": quirks()["annotations/scene.jsonl"]}))
		return l
	}
	captioners := func(t *testing.T, l *data.Lake) map[string]int {
		counts := map[string]int{}
		for _, v := range laketest.All(t, l, data.Judgments) {
			counts[fmt.Sprintf("%s %s %d %s", v.Captioner, v.Judge, v.Repeat, v.Verdict)]++
		}
		return counts
	}
	t.Run("two checkpoints of one class", func(t *testing.T) {
		l := lake(t)
		files := map[string][]string{}
		rubricRun(t, files, "20260101_000000", "z/one", "llava", "A quay.")
		rubricRun(t, files, "20260102_000000", "a/two", "llava", "A quay.", first)
		folder := rubricFiles(t, files)
		_, _, err := LoadPaths(t.Context(), l, []string{folder}, Options{})
		if err == nil || !strings.Contains(err.Error(), "may be of any of 2 models that ran into this output folder: z/one, a/two") || len(laketest.All(t, l, data.Captions)) != 14 {
			t.Errorf("got error %v and %d captions", err, len(laketest.All(t, l, data.Captions)))
		}
		loadFolder(t, l, Options{Captioner: "a/two"}, filepath.Join(folder, "capability_results"))
		if got := captioners(t, l); got["a-two gpt-4o 0 positive"] != 1 {
			t.Errorf("got %v", got)
		}
	})
	t.Run("evaluated on, and run again", func(t *testing.T) {
		l := lake(t)
		files := map[string][]string{}
		rubricRun(t, files, "20260101_000000", "z/one", "llava", "A quay.", first)
		loadFolder(t, l, Options{}, rubricFiles(t, files))
		rubricRun(t, files, "20260101_000000", "z/one", "llava", "A quay.", first, fmt.Sprintf(verdict, "-1", 1))
		loadFolder(t, l, Options{}, rubricFiles(t, files))
		if got, want := captioners(t, l), map[string]int{"z-one gpt-4o 0 positive": 1, "z-one gpt-4o 0 negative": 1, "z-one gpt-4o 0 failed": 2}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("evaluated on: got %v, want %v", got, want)
		}
		again := map[string][]string{}
		rubricRun(t, again, "20260103_000000", "z/one", "llava", "A pier.", first)
		loadFolder(t, l, Options{}, rubricFiles(t, again))
		want := map[string]int{"z-one gpt-4o 0 positive": 1, "z-one gpt-4o 0 negative": 1, "z-one gpt-4o 0 failed": 2, "z-one gpt-4o 1 positive": 1, "z-one gpt-4o 1 failed": 3}
		if got := captioners(t, l); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("run again: got %v, want %v", got, want)
		}
		prompts := map[string]int{}
		for _, c := range laketest.All(t, l, data.Captions) {
			prompts[c.Prompt+" "+c.Caption]++
		}
		if want := map[string]int{"capability A quay.": 7, "capability/20260103_000000 A pier.": 7}; fmt.Sprint(prompts) != fmt.Sprint(want) {
			t.Errorf("got captions %v, want %v", prompts, want)
		}
	})
	t.Run("no results file", func(t *testing.T) {
		l := lake(t)
		files := map[string][]string{}
		rubricRun(t, files, "20260101_000000", "z/one", "llava", "A quay.", first)
		folder := rubricFiles(t, files)
		results := loadFolder(t, l, Options{}, filepath.Join(folder, "z__one", "20260101_000000_samples_capability_scene.jsonl"))
		if results[0].Rows["captions"] != 7 || laketest.All(t, l, data.Captions)[0].Captioner != "z-one" {
			t.Errorf("got %+v", results)
		}
	})
}

// Replies of a judge that lmms-eval's evaluator takes although they are odd, as it writes and counts them; and lines that
// it cannot have counted.
func TestLmmsRubricOddReplies(t *testing.T) {
	t.Parallel()
	files := map[string][]string{}
	rubricRun(t, files, "20260101_000000", "z/one", "llava", "A quay.",
		`{"scene": "x", "score": true, "reason": 1, "file_id": "scene_0"}`,
		`{"scene": "x", "score": false, "reason": NaN, "file_id": "scene_1"}`,
		`{"scene": "x", "score": -1.0, "reason": "half \ud83d of a pair", "more": Infinity, "file_id": "scene_2"}`,
		`{"scene": "x", "score": 1, "file_id": "scene_0"}`,
		`{"scene": "x", "sco`)
	files["capability_results/llava/inference/camera_movement.jsonl"] = []string{`{"file_id": "camera_movement_0", "caption": "Up."}`, `{"file_id": "camera_movement_1", "caption": "Left."}`}
	files["capability_results/llava/evaluation/camera_movement.jsonl"] = []string{
		`{"pred": [], "reason": "nothing", "file_id": "camera_movement_0"}`, `{"pred": ["N/A", "left"], "file_id": "camera_movement_1"}`}
	l := laketest.New(t)
	loadFolder(t, l, judged, rubricFiles(t, map[string][]string{"annotations/scene.jsonl": quirks()["annotations/scene.jsonl"],
		"annotations/camera_movement.jsonl": quirks()["annotations/camera_movement.jsonl"]}))
	results := loadFolder(t, l, judged, rubricFiles(t, files))
	got := map[string]string{}
	for _, v := range laketest.All(t, l, data.Judgments) {
		got[v.SampleID] = v.Verdict
	}
	want := map[string]string{"scene_0": "positive", "scene_1": "miss", "scene_2": "negative", "scene_3": "failed", "camera_movement_0": "negative", "camera_movement_1": "miss"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	var left []string
	for _, r := range results {
		left = append(left, leftOut(r.Notes)...)
	}
	if len(left) != 2 || !strings.Contains(left[0], "evaluation/scene.jsonl:4:") || !strings.Contains(left[1], "evaluation/scene.jsonl:5:20: the text ends in the middle of a value") {
		t.Errorf("left out: %q", left)
	}
}

// Option orders: which rule a bank gets.
func TestOptionOrderRules(t *testing.T) {
	t.Parallel()
	bank := func(domains ...string) string {
		items := map[string]any{}
		for _, prefix := range domains {
			for i := range 4 {
				id := fmt.Sprintf("%s_%03d", prefix, i)
				var questions []any
				for k := range 4 {
					questions = append(questions, map[string]any{"question": fmt.Sprintf("Which of %s %d?", id, k), "choices": []string{"red", "green", "blue", "grey"}, "answer": "red"})
				}
				items[id] = questions
			}
		}
		text, err := json.Marshal(items)
		must.Succeed(t, err)
		return string(text)
	}
	load := func(t *testing.T, content string, o Options) (map[string]data.Question, Result) {
		l := laketest.New(t)
		result := mustLoad(t, l, textSource("bank.json", content), o)
		rows := map[string]data.Question{}
		for _, q := range laketest.All(t, l, data.Questions) {
			rows[q.QuestionID] = q
		}
		return rows, result
	}
	// The keys of both banks are in the order of their names, so that the documents come first.
	full, _ := load(t, bank("doc", "nat"), judged)
	alone, result := load(t, bank("nat"), judged)
	said, _ := load(t, bank("doc", "nat"), Options{Order: "per-split"})
	if len(result.Notes) != 1 || !strings.Contains(result.Notes[0], "the bank is the split Natural alone") {
		t.Errorf("got notes %q", result.Notes)
	}
	differ := 0
	for id, q := range alone {
		if q.OrderRule != captionqa.OrderPerSplit || full[id].OrderRule != captionqa.OrderFullBank || said[id].OrderRule != captionqa.OrderPerSplit {
			t.Fatalf("rules are %s, %s and %s", q.OrderRule, full[id].OrderRule, said[id].OrderRule)
		}
		if !slices.Equal(q.OptionOrder, said[id].OptionOrder) {
			t.Errorf("%s: the split alone has the order %v, the split of the whole %v", id, q.OptionOrder, said[id].OptionOrder)
		}
		if !slices.Equal(q.OptionOrder, full[id].OptionOrder) {
			differ++
		}
	}
	if differ < 8 {
		t.Errorf("only %d of %d orders of the split alone differ from those of the full bank", differ, len(alone))
	}
	// A domain of one's own is a full bank, whatever its size.
	if own, _ := load(t, bank("scan"), Options{Domain: "Medical"}); own[slices.Sorted(maps.Keys(own))[0]].OrderRule != captionqa.OrderFullBank {
		t.Error("a domain of one's own is no full bank")
	}
	l := laketest.New(t)
	for order, want := range map[string]string{"shuffled": `there is no rule of option orders "shuffled"`, "full-bank": "the file holds Document alone"} {
		if _, err := Load(t.Context(), l, textSource("bank.json", bank("doc")), Options{Order: order}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("--option-order %s: got error %v", order, err)
		}
	}
}

// FuzzWithoutNaN replaces Python's numbers: the text keeps its length, its line feeds keep their places, and JSON that has
// none of them is not changed.
func FuzzWithoutNaN(f *testing.F) {
	for _, seed := range []string{`{"a": NaN, "b": "NaN \" Infinity", "c": [-Infinity, Infinity]}`, "NaN", `"NaN`, "{\n\"a\": NaN\n}", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := withoutNaN(text)
		if len(got) != len(text) || strings.Count(string(got), "\n") != strings.Count(string(text), "\n") {
			t.Fatalf("%q became %q", text, got)
		}
		if json.Valid(text) && string(got) != string(text) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// The judge's server went away in the middle of a log: that stretch failed, and what it answered before counts. A reader that guesses a
// fifth of its answers right, and one that says cannot, are no failures.
func TestJudgeThatWentAway(t *testing.T) {
	t.Parallel()
	many := func(n int, outcomes ...captionqa.Outcome) (rows []data.Answer) {
		for i := range n {
			rows = append(rows, data.Answer{Outcome: string(outcomes[i%len(outcomes)]), Options: 4, OffersCannot: true})
		}
		return rows
	}
	const wrong = captionqa.Incorrect
	guessed := many(2000, captionqa.Correct, wrong, wrong, wrong, wrong)
	for name, c := range map[string]struct {
		rows   []data.Answer
		failed int
	}{
		"all wrong, many":        {many(40, wrong), 40},
		"all wrong, few":         {many(20, wrong), 0},
		"all cannot":             {many(100, captionqa.Cannot), 0},
		"guessing":               {guessed, 0},
		"went away in the end":   {slices.Concat(guessed, many(200, wrong)), 204}, // with the four wrong ones before
		"went away and was back": {slices.Concat(many(3, captionqa.Correct), many(200, wrong), many(3, captionqa.Correct)), 200},
	} {
		if failed := failUnreached(c.rows); failed != c.failed {
			t.Errorf("%s: %d failed, want %d", name, failed, c.failed)
		}
	}
}
