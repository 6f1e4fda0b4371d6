package ingest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
)

// rubricFiles writes files below a new folder and returns the folder. Lines are joined by line feeds.
func rubricFiles(t testing.TB, files map[string][]string) string {
	t.Helper()
	root := t.TempDir()
	for name, lines := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Succeed(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666))
	}
	return root
}

// loadFolder loads a folder that is good.
func loadFolder(t testing.TB, l *data.Lake, o Options, paths ...string) []Result {
	t.Helper()
	results, skipped, err := LoadPaths(t.Context(), l, paths, o)
	must.Succeed(t, err)
	if len(skipped) > 0 {
		t.Fatalf("skipped %v", skipped)
	}
	return results
}

// quirks are files of the released shape with every quirk that such files have or may have.
func quirks() map[string][]string {
	return map[string][]string{
		"annotations/scene.jsonl": {
			`{"file_id": "scene_0", "file_path": "data/scene/scene_0.jpg", "annotation": "fish market", "task": "scene", "data_type": "image"}`,
			`{"file_id": "scene_1", "file_path": "data/scene/scene_1.jpg", "annotation": "caf\u00e9", "task": "scene", "data_type": "image"}`,
			`{"file_id": "scene_2", "file_path": "data/scene/scene_2.jpg", "annotation": "tunnel", "task": "scene", "data_type": "image"}`,
			``,
			`{"file_id": "scene_3", "file_path": "data/scene/scene_3.jpg", "annotation": "attic", "task": "scene", "data_type": "image"}`,
		},
		"annotations/object_number.jsonl": {
			`{"file_id": "object_number_0", "file_path": "n0.jpg", "annotation": {"umbrella": 4}, "task": "object_number", "data_type": "image"}`,
			`{"file_id": "object_number_1", "file_path": "n1.jpg", "annotation": "{sail boat: 2}", "task": "object_number", "data_type": "image"}`,
			`{"file_id": "object_number_2", "file_path": "n2.jpg", "annotation": {"umbrella": null, "drum": "3"}, "task": "object_number", "data_type": "image"}`,
		},
		"annotations/dynamic_object_number.jsonl": {
			`{"file_id": "dynamic_object_number_0", "file_path": "v0.mp4", "annotation": {"stool": 3, "door": 2, "lamp": 1}, "task": "dynamic_object_number", "data_type": "video"}`,
			`{"file_id": "dynamic_object_number_1", "file_path": "v1.mp4", "annotation": {"sink": 2, "bed": 5}, "task": "dynamic_object_number", "data_type": "video"}`,
		},
		"annotations/camera_movement.jsonl": {
			`{"file_id": "camera_movement_0", "file_path": "m0.mp4", "annotation": "up", "task": "camera_movement", "data_type": "video"}`,
			`{"file_id": "camera_movement_1", "file_path": "m1.mp4", "annotation": "Left", "task": "camera_movement", "data_type": "video"}`,
			`{"file_id": "camera_movement_2", "file_path": "m2.mp4", "annotation": "fixed", "task": "camera_movement", "data_type": "video"}`,
			`{"file_id": "camera_movement_3", "file_path": "m3.mp4", "annotation": "out", "task": "camera_movement", "data_type": "video"}`,
			`{"file_id": "camera_movement_4", "file_path": "m4.mp4", "annotation": "in", "task": "camera_movement", "data_type": "video"}`,
		},
		"annotations/action.jsonl": {
			`{"file_id": "event_5", "file_path": "data/event/event_5.mp4", "annotation": "juggles", "task": "action", "data_type": "video"}`,
		},
		"annotations/event.jsonl": {
			`{"file_id": "event_5", "file_path": "data/event/event_5.mp4", "annotation": "A clown drops a ball.", "task": "event", "data_type": "video"}`,
			`{"file_id": "event_6", "file_path": "data/event/event_6.mp4", "annotation": "The curtain falls.", "task": "event", "data_type": "video"}`,
		},
		"captions/internvl2.5_8b/action.jsonl": {
			`{"file_id": "event_5", "caption": "A clown juggles."}`,
			`{"file_id": "event_6", "caption": "A stage."}`,
		},
		"captions/internvl2.5_8b/event.jsonl": {
			`{"file_id": "event_5", "caption": "A clown juggles."}`,
			`{"file_id": "event_6", "caption": "An empty stage."}`,
		},
		"captions/internvl2.5_8b/scene.jsonl": {
			`{"file_id": "scene_0", "caption": ""}`,
			`{"file_id": "scene_1", "caption": "People sit in a caf\u00e9. \ud83d\ude00"}`,
		},
		"judge_output/internvl2.5_8b/scene.jsonl": {
			`{"scene": "fish market", "score": 1, "reason": "Stated.", "file_id": "scene_0"}`,
			`{"scene": "caf\u00e9", "score": "-1", "reason": "Says pub.", "file_id": "scene_1"}`,
			`{"scene": "tunnel", "score": "unsure", "reason": "Hard to say.", "file_id": "scene_2"}`,
			`{"scene": "moon", "score": 1, "reason": "Who knows.", "file_id": "scene_99"}`,
		},
		"judge_output/internvl2.5_8b/object_number.jsonl": {
			`{"object_number": "{umbrella: 4}", "score": 0, "reason": "No number.", "file_id": "object_number_0"}`,
			`{"object_number": {"sail boat": "2"}, "score": 1, "reason": "Two.", "file_id": "object_number_1"}`,
			`{"response": "` + "```json\\n{'object_number': '{drum: 3}', 'score': '1', 'reason': 'It\\\\'s three.'}\\n```" + `", "file_id": "object_number_2"}`,
		},
		"judge_output/internvl2.5_8b/dynamic_object_number.jsonl": {
			`{"response": [{"object_number": "{stol: 3}", "score": 1, "reason": "a"}, {"object_number": "{door: 2}", "score": -1, "reason": "b"}, {"object_number": "{lamp: 1}", "score": 0, "reason": "c"}], "file_id": "dynamic_object_number_0"}`,
			`{"response": [{"object_number": "{bed: 5}", "score": "1", "reason": "d"}, {"object_number": "{rug: 9}", "score": 1, "reason": "e"}, {"object_number": "{cup: 9}", "score": 1, "reason": "f"}], "file_id": "dynamic_object_number_1"}`,
		},
		"judge_output/internvl2.5_8b/camera_movement.jsonl": {
			`{"pred": ["in", "up"], "reason": "zoom, tilt", "file_id": "camera_movement_0"}`,
			`{"pred": "left: pans left", "reason": "pan", "file_id": "camera_movement_1"}`,
			`{"pred": ["N/A"], "reason": "silent", "file_id": "camera_movement_2"}`,
			`{"pred": "['up', 'down']", "reason": "shaky", "file_id": "camera_movement_3"}`,
			`{"pred": ["spin"], "reason": "whirl", "file_id": "camera_movement_4"}`,
		},
		"judge_output/internvl2.5_8b/action.jsonl": {
			`{"action": "juggles", "score": 1, "reason": "Yes.", "file_id": "event_5"}`,
		},
		"judge_output/internvl2.5_8b/event.jsonl": {
			`{"event": "A clown drops a ball.", "score": 0, "reason": "No.", "file_id": "event_5"}`,
		},
	}
}

func TestCapabilityQuirks(t *testing.T) {
	t.Parallel()
	root := rubricFiles(t, quirks())
	l := laketest.New(t)
	results := loadFolder(t, l, Options{Reader: "gpt-4-turbo"}, root)
	if len(results) != 3 {
		t.Fatalf("%d results, want one for the annotations, one for the captions and one for the judgments: %+v", len(results), results)
	}
	var got []string
	for _, a := range laketest.All(t, l, data.Annotations) {
		got = append(got, fmt.Sprintf("%s %s [%s] %s %s %v %s line %d.%d", a.SampleID, a.Dimension, a.Element, a.Value, a.View, a.Dynamic, a.MediaType, a.Line, a.Ordinal))
	}
	equalLines(t, "annotations", got, []string{
		"camera_movement_0 camera_movement [] up camera true video line 1.0",
		"camera_movement_1 camera_movement [] left camera true video line 2.0",
		"camera_movement_2 camera_movement [] fixed camera true video line 3.0",
		"camera_movement_3 camera_movement [] out camera true video line 4.0",
		"camera_movement_4 camera_movement [] in camera true video line 5.0",
		"dynamic_object_number_0 dynamic_object_number [door] 2 object true video line 1.1",
		"dynamic_object_number_0 dynamic_object_number [lamp] 1 object true video line 1.2",
		"dynamic_object_number_0 dynamic_object_number [stool] 3 object true video line 1.0",
		"dynamic_object_number_1 dynamic_object_number [bed] 5 object true video line 2.1",
		"dynamic_object_number_1 dynamic_object_number [sink] 2 object true video line 2.0",
		"event_5 action [] juggles temporal true video line 1.0",
		"event_5 event [] A clown drops a ball. temporal true video line 1.0",
		"event_6 event [] The curtain falls. temporal true video line 2.0",
		"object_number_0 object_number [umbrella] 4 object false image line 1.0",
		"object_number_1 object_number [sail boat] 2 object false image line 2.0",
		"object_number_2 object_number [drum] 3 object false image line 3.0",
		"scene_0 scene [] fish market global false image line 1.0",
		"scene_1 scene [] café global false image line 2.0",
		"scene_2 scene [] tunnel global false image line 3.0",
		"scene_3 scene [] attic global false image line 5.0",
	})
	got = nil
	for _, c := range laketest.All(t, l, data.Captions) {
		got = append(got, fmt.Sprintf("%s %s %s %s %d %q", c.ImageID, c.Captioner, c.Prompt, c.Domain, c.Words, c.Caption))
	}
	equalLines(t, "captions", got, []string{
		`event_5 internvl2.5-8b capability CAPability 3 "A clown juggles."`,
		`event_6 internvl2.5-8b capability CAPability 2 "A stage."`,
		`event_6 internvl2.5-8b capability/event CAPability 3 "An empty stage."`,
		`scene_0 internvl2.5-8b capability CAPability 0 ""`,
		`scene_1 internvl2.5-8b capability CAPability 6 "People sit in a café. 😀"`,
	})
	got = nil
	for _, r := range laketest.All(t, l, data.Judgments) {
		if r.Benchmark != "capability" || r.Judge != "gpt-4-turbo" || r.Captioner != "internvl2.5-8b" || r.Provenance != data.ProvenanceMeasured {
			t.Errorf("row %+v", r)
		}
		got = append(got, fmt.Sprintf("%s %s [%s] %s %v %q", r.SampleID, r.Dimension, r.Element, r.Verdict, r.Predicted, r.Reason))
	}
	equalLines(t, "judgments", got, []string{
		`camera_movement_0 camera_movement [] positive [in up] "zoom, tilt"`,
		`camera_movement_1 camera_movement [] positive [left] "pan"`,
		`camera_movement_2 camera_movement [] miss [N/A] "silent"`,
		`camera_movement_3 camera_movement [] negative [up down] "shaky"`,
		`camera_movement_4 camera_movement [] unparsed [] "whirl"`,
		`dynamic_object_number_0 dynamic_object_number [door] negative [] "b"`,
		`dynamic_object_number_0 dynamic_object_number [lamp] miss [] "c"`,
		`dynamic_object_number_0 dynamic_object_number [stool] positive [] "a"`, // misspelt by the judge, matched by order
		`dynamic_object_number_1 dynamic_object_number [bed] positive [] "d"`,   // of three answers to two elements, by name
		`event_5 action [] positive [] "Yes."`,
		`event_5 event [] miss [] "No."`,
		`object_number_0 object_number [umbrella] miss [] "No number."`,
		`object_number_1 object_number [sail boat] positive [] "Two."`,
		`object_number_2 object_number [drum] positive [] "It's three."`,
		`scene_0 scene [] positive [] "Stated."`,
		`scene_1 scene [] negative [] "Says pub."`,
		`scene_2 scene [] unparsed [] "Hard to say."`,
	})
	equalLines(t, "notes", slices.Concat(results[0].Notes, results[1].Notes, results[2].Notes), []string{
		"internvl2.5_8b: 1 media files were captioned twice, differently; the second captions have the dimension in the name of their prompt",
		"internvl2.5_8b: 1 captions are empty",
		"internvl2.5_8b/scene.jsonl: 1 of 4 samples have no judgment, 1 answers give no verdict, 1 judged samples are not annotated; first line 3: \"score\" is not one of -1, 0 and 1",
		"internvl2.5_8b/dynamic_object_number.jsonl: 1 elements have no answer, 2 answers are about no annotated element",
		"internvl2.5_8b/camera_movement.jsonl: 1 answers give no verdict; first line 5: \"pred\" is no list of categories of camera_movement",
		"internvl2.5_8b/event.jsonl: 1 of 2 samples have no judgment",
	})
	for _, r := range loadFolder(t, l, Options{Reader: "gpt-4-turbo"}, root) {
		if r.Changed {
			t.Errorf("%s was loaded twice", r.Path)
		}
	}
}

func equalLines(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestCapabilityAuthorsFolders(t *testing.T) {
	t.Parallel()
	// The authors' repository has the same files below evaluation/output and inference/output.
	files := map[string][]string{}
	for name, lines := range quirks() {
		name = strings.Replace(name, "judge_output/", "evaluation/output/", 1)
		files[strings.Replace(name, "captions/", "inference/output/", 1)] = lines
	}
	released, authors := laketest.New(t), laketest.New(t)
	loadFolder(t, released, Options{Reader: "gpt-4-turbo"}, rubricFiles(t, quirks()))
	loadFolder(t, authors, Options{Reader: "gpt-4-turbo"}, rubricFiles(t, files))
	if a, b := laketest.All(t, released, data.Judgments), laketest.All(t, authors, data.Judgments); fmt.Sprint(a) != fmt.Sprint(b) || len(a) == 0 {
		t.Errorf("judgments differ: %d and %d", len(a), len(b))
	}
	if a, b := laketest.All(t, released, data.Captions), laketest.All(t, authors, data.Captions); !slices.Equal(a, b) || len(a) == 0 {
		t.Errorf("captions differ: %d and %d", len(a), len(b))
	}
}

func TestCapabilityLmmsEval(t *testing.T) {
	t.Parallel()
	root := rubricFiles(t, map[string][]string{
		"logs/capability_results/qwen2.5vl_72b/inference/scene.jsonl": {
			`{"file_id": "scene_0", "caption": "A market.", "annotation": "fish market", "task": "scene"}`,
		},
		"logs/capability_results/qwen2.5vl_72b/evaluation/scene.jsonl": {
			`{"scene": "fish market", "score": "1", "reason": "r", "file_id": "scene_0"}`,
		},
		"logs/Qwen__Qwen2.5-VL-7B-Instruct/20250801_samples_capability_scene.jsonl": {
			`{"doc_id": 0, "doc": {"file_id": "scene_0", "annotation": "fish market"}, "target": "fish market", "resps": [["A quay. "]], "capability_inference_result": {"file_id": "scene_0", "caption": "A quay.", "annotation": "fish market", "task": "scene"}, "capability_precision": {"file_id": "scene_0", "caption": "A quay."}}`,
		},
	})
	l := laketest.New(t)
	_, _, err := LoadPaths(t.Context(), l, []string{root}, Options{Reader: "gpt-4-turbo"})
	if err == nil || !strings.Contains(err.Error(), "the lake has no annotations of capability to hold the judgments against") {
		t.Fatalf("without annotations: %v", err)
	}
	loadFolder(t, l, Options{Reader: "gpt-4-turbo"}, rubricFiles(t, map[string][]string{"annotations/scene.jsonl": quirks()["annotations/scene.jsonl"]}))
	loadFolder(t, l, Options{Reader: "gpt-4-turbo"}, root)
	var got []string
	for _, c := range laketest.All(t, l, data.Captions) {
		got = append(got, c.Captioner+" "+c.Caption)
	}
	for _, r := range laketest.All(t, l, data.Judgments) {
		got = append(got, r.Captioner+" "+r.Judge+" "+r.Verdict)
	}
	equalLines(t, "rows", got, []string{"qwen2.5-vl-72b A market.", "qwen2.5-vl-7b A quay.", "qwen2.5-vl-72b gpt-4-turbo positive"})
}

func TestCapabilityOptions(t *testing.T) {
	t.Parallel()
	root := rubricFiles(t, quirks())
	l := laketest.New(t)
	loadFolder(t, l, Options{Domain: "CV-CapBench"}, filepath.Join(root, "annotations"))
	loadFolder(t, l, Options{Domain: "cv-capbench", Captioner: "NVILA-8B", Reader: "GPT-4o", Prompt: "Simple"}, filepath.Join(root, "judge_output"), filepath.Join(root, "captions"))
	for _, r := range laketest.All(t, l, data.Judgments) {
		if r.Benchmark != "cv-capbench" || r.Judge != "gpt-4o" || r.Captioner != "nvila-8b" {
			t.Fatalf("row %+v", r)
		}
	}
	for _, c := range laketest.All(t, l, data.Captions) {
		if c.Domain != "CV-CapBench" || c.Captioner != "nvila-8b" || !strings.HasPrefix(c.Prompt, "Simple") {
			t.Fatalf("row %+v", c)
		}
	}
}

func TestCapabilityFaults(t *testing.T) {
	t.Parallel()
	scene := func(lines ...string) map[string][]string {
		return map[string][]string{"annotations/scene.jsonl": lines}
	}
	for _, c := range []struct {
		name  string
		files map[string][]string
		want  []string
	}{
		{"every fault of the file is reported", scene(
			`{"file_id": "a", "annotation": "pier", "task": "scene"}`,
			`{"file_id": "a", "annotation": "dock", "task": "scene"}`,
			`{"file_id": "b", "annotation": {"x": 1}}`,
			`{"file_id": "c", "annotation": "pier", "task": "weather"}`,
			`{"file_id": "d", "annotation": "pier", "task": "style"}`,
			`{"file_id": "e", "annotation": "pier", "data_type": "video"}`,
			`{"file_id": 7, "annotation": "pier"}`,
			`{"annotation": "pier"}`,
			`{"file_id": "f", "annotation": "pier", "annotation": "dock"}`,
			`[1]`,
			`{"file_id": "g", "annotation": 'pier'}`,
			`{"file_id": "h", "annotation": "half a \ud83d"}`,
			`{"file_id": "i", "annot`,
		), []string{
			`2:2: the file_id "a" has a record on line 1 already: keep one of the two`,
			`3:18: the annotation of scene is a dictionary, where a text belongs`,
			`4:40: "weather" is no dimension of CAPability: correct the task`,
			`5:40: the task is style, but the file is named after scene: move the record or rename the file`,
			`6:40: "data_type" is "video", but scene is annotated on images: correct it`,
			`7:2: "file_id" holds no text: correct it`,
			`8:1: the record has no "file_id": correct or remove the line`,
			`9:40: the key "annotation" was given on line 9 already: keep one of the two`,
			`10:1: a record belongs here, {…}: correct or remove the line`,
			`11:32: not JSON: invalid character '\'' at start of value; fix the file or fetch it again`,
			`12:32: the string holds half of a surrogate pair, so a character was cut in two: write the file again with whole characters`,
			`13:24: the text ends in the middle of a value: it was cut off; fetch or write it again`,
		}},
		{"a category that there is not", map[string][]string{"annotations/style.jsonl": {`{"file_id": "a", "annotation": "baroque"}`}}, []string{
			`1:18: "baroque" is no category of style: it has realistic, animated, special effect, old-fashioned, pixel art, sketch art, abstract art, impressionism art, cubism art`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := rubricFiles(t, c.files)
			l := laketest.New(t)
			_, _, err := LoadPaths(t.Context(), l, []string{root}, Options{Reader: "gpt-4-turbo"})
			if err == nil {
				t.Fatal("the files were taken")
			}
			var got []string
			for line := range strings.SplitSeq(err.Error(), "\n") {
				_, after, _ := strings.Cut(line, ".jsonl:")
				got = append(got, after)
			}
			equalLines(t, "faults", got, c.want)
			if rows := laketest.All(t, l, data.Annotations); len(rows) > 0 {
				t.Errorf("%d rows of a file with faults", len(rows))
			}
		})
	}
}

func TestCapabilityJudgmentsWithoutModelOrAnnotations(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	root := rubricFiles(t, quirks())
	loadFolder(t, l, Options{Reader: "gpt-4-turbo"}, filepath.Join(root, "annotations"))
	scene := quirks()["judge_output/internvl2.5_8b/scene.jsonl"]
	for _, c := range []struct {
		file  string
		lines []string
		want  string
	}{
		{"judge_output/scene.jsonl", scene, "neither the file nor the command says which model wrote the captions"},
		{"judge_output/m/weather.jsonl", scene, "the name is no dimension of CAPability"},
		{"judge_output/m/style.jsonl", []string{`{"pred": ["realistic"], "reason": "r", "file_id": "style_0"}`}, "the lake has no annotations of style"},
	} {
		_, _, err := LoadPaths(t.Context(), l, []string{rubricFiles(t, map[string][]string{c.file: c.lines})}, Options{Reader: "gpt-4-turbo"})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.file, err)
		}
	}
}

// TestCapabilityReleased holds the verdicts of the released judgments against a second, naive reading of the files.
func TestCapabilityReleased(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	root := laketest.Shared(t, "capability")
	l := laketest.New(t)
	loadFolder(t, l, Options{Reader: "gpt-4-turbo"}, root)
	if n := len(laketest.All(t, l, data.Annotations)); n != 11994 {
		t.Errorf("%d annotated elements, want 11,994: 11,631 files, of which 202 have 565 elements", n)
	}
	if n := len(laketest.All(t, l, data.Captions)); n != 10643 {
		t.Errorf("%d captions, want 10,643: 11,639 in the files, of which 996 are those of events again", n)
	}
	registry, err := data.Registry()
	must.Succeed(t, err)
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
			if !maps.Equal(got[key], want) {
				t.Errorf("%s: %+v, want %+v", key, got[key], want)
			}
		}
	}
	if len(got) != 6*13 {
		t.Errorf("%d captioners and dimensions, want 78", len(got))
	}
}

// naiveCounts counts the verdicts of one released file as the authors' evaluator does, without any code of ours.
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
	f, err := os.Open(path)
	must.Succeed(t, err)
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

// FuzzCapability reads any text as the lines of each kind of file: no panic, every fault has a place within the file,
// and what is read obeys its dimension.
func FuzzCapability(f *testing.F) {
	for _, lines := range quirks() {
		f.Add(strings.Join(lines, "\n"))
	}
	f.Add("{\"file_id\": \"scene_0\", \"score\": {\"a\": [1")
	f.Add("\n\n\xff{}\r\n{\"file_id\": \"\", \"response\": [[]]}")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		lines := strings.Count(text, "\n") + 1
		rubricKindOf([]byte(text))
		for _, d := range rubric.Dimensions() {
			s := textSource(d.ID+".jsonl", text)
			j := &Job{Source: s}
			err := eachRubricLine(j, s, func(l *rubricLine) error {
				if _, ok := l.dimension(&d); !ok {
					return nil
				}
				l.need("file_id")
				value, _ := l.object.Get("annotation")
				elements, err := d.Elements(value)
				if err != nil {
					elements = []rubric.Element{{Name: "thing", Value: "7"}}
				}
				replies, _ := d.ReadRecord(elements, l.object)
				if len(replies) != len(elements) {
					t.Fatalf("%d replies about %d elements", len(replies), len(elements))
				}
				return nil
			})
			must.Succeed(t, err)
			for _, fault := range j.faults.All {
				if fault.Line < 1 || fault.Line > lines || fault.Col < 1 || fault.Message == "" {
					t.Fatalf("fault %+v in %d lines", fault, lines)
				}
			}
		}
	})
}
