package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
)

// The exported files of CAPability's thirteen dimensions equal the ingested files, byte for byte. A
// sample without a caption is an error.
func TestExportCapability(t *testing.T) {
	dir, lake := t.TempDir(), lakeOf(t, "analyzed")
	captions := func(captioner string, dimension string, n int) (text string) {
		for i := range n {
			text += fmt.Sprintf(`{"file_id":"%s_%d","caption":"“%s” by %s."}`+"\n", dimension, i, dimension, captioner)
		}
		file := filepath.Join(dir, "captions", captioner, dimension+".jsonl")
		must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Write(t, file, text)
		return text
	}
	want := map[string]string{}
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "annotations"), 0o777))
	for _, d := range rubric.Dimensions() {
		value := `"harbour"`
		if d.Closed() {
			value = fmt.Sprintf("%q", d.Categories[0].Name)
		} else if d.Shape == rubric.ShapeObject {
			value = `{"stool": 2}`
		}
		line := `{"file_id": "%s_%d", "file_path": "data/x.jpg", "annotation": ` +
			value + `, "task": "%[1]s", "data_type": "` + d.Media + `"}` + "\n"
		text := fmt.Sprintf(line, d.ID, 0) + fmt.Sprintf(line, d.ID, 1)
		must.Write(t, filepath.Join(dir, "annotations", d.ID+".jsonl"), text)
		want[d.ID], _ = captions("whole", d.ID, 2), captions("gap", d.ID, 1)
	}
	out := filepath.Join(dir, "out")
	command(t, "--lake", lake, "ingest", filepath.Join(dir, "annotations"), filepath.Join(dir, "captions"))
	command(t, "--lake", lake, "show", "--export", "capability-submission", "--captioner", "whole", "--out", out)
	expect.Equal(t, len(want), 13)
	for name, text := range want {
		expect.Equal(t, string(must.Read(t, filepath.Join(out, "whole", name+".jsonl"))), text, name)
	}
	_, said := exits(t, exitFailure, "--lake", lake, "show", "--export", "capability-submission", "--captioner", "gap",
		"--out", out)
	expect.Contains(t, said, "gap has no caption for 13 of the 26 samples of the lake's annotations: OCR_1, action_1,")
}

// The programs of the leaderboards and stores accept the exports: the published rows of all
// captioners, and the samples of a measured captioner.
func TestExportsAreRead(t *testing.T) {
	laketest.Slow(t, "installs every-eval-ever and huggingface_hub from PyPI")
	dir, lake := t.TempDir(), lakeOf(t, "analyzed")
	for name, text := range map[string]string{
		"bank.json": `{"nat_001": [{"question": "Is it red?", "choices": ["yes", "no"], "answer": "yes",
			"category": "Attribute - Color"}]}`,
		"captions.json": `{"nat_001": "A red kettle."}`,
		"results.json": `{"nat_001": [{"question": "Is it red?", "choices": ["yes", "no"], "ground_truth": "yes",
			"model_answer": "yes",
 "model_response": "A", "is_correct": true, "is_cannot_answer": false, "score": 1.0,
"category": "Attribute - Color"}]}`,
	} {
		must.Write(t, filepath.Join(dir, name), text)
	}
	out := filepath.Join(dir, "out")
	command(t, "--lake", lake, "show", "--export", "hub-results", "--out", out)
	command(t, "--lake", lake, "ingest", filepath.Join(dir, "bank.json"))
	command(t, "--lake", lake, "ingest", "--captioner", "Qwen/Qwen2.5-VL-3B-Instruct", "--prompt", "Own",
		"--reader", "gpt-5",
		filepath.Join(dir, "captions.json"), filepath.Join(dir, "results.json"))
	command(t, "--lake", lake, "analyze")
	command(t, "--lake", lake, "show", "--export", "every-eval-ever", "--out", out)
	said := runScript(t, filepath.Join("testdata", "exports.py"), dir)
	expect.Contains(t, said, "98 records and samples are valid",
		"captionqa-Long-qwen2.5-72b-published.yaml Borise/CaptionQA captionqa 89.82")
}
