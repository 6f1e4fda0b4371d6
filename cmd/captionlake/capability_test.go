package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// command runs a command of the program and returns what it prints.
func command(t *testing.T, args ...string) string {
	t.Helper()
	out, _ := exits(t, exitOK, args...)
	return out
}

// rehearse starts a rehearsal server that counts the requests, and writes the configuration of it.
func rehearse(t *testing.T, dir string) (config string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	handler := rehearsalserver.New(rehearsalserver.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			asked.Add(1)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	config = filepath.Join(dir, "captionlake.yaml")
	text := fmt.Sprintf("endpoints:\n  - name: rehearsal\n    replicas: [%s/v1]\n    models: [rehearsal/judge]\n    concurrency: {max: 64}\n", server.URL)
	must.Succeed(t, os.WriteFile(config, []byte(text), 0o666))
	return config, asked
}

// The three commands that score a captioner, on a folder of the release's shape made by hand.
func TestScoreACaptioner(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"annotations/scene.jsonl": `{"file_id": "scene_0", "file_path": "data/scene/scene_0.jpg", "annotation": "harbour", "task": "scene", "data_type": "image"}
{"file_id": "scene_1", "file_path": "data/scene/scene_1.jpg", "annotation": "tunnel", "task": "scene", "data_type": "image"}`,
		"annotations/dynamic_object_number.jsonl": `{"file_id": "dyn_0", "file_path": "data/dyn/0.mp4", "annotation": {"stool": 2, "lamp": 4}, "task": "dynamic_object_number", "data_type": "video"}`,
		"captions/my-model/scene.jsonl": `{"file_id": "scene_0", "caption": "Boats lie in a harbour."}
{"file_id": "scene_1", "caption": "A quiet street."}`,
		"captions/my-model/dynamic_object_number.jsonl": `{"file_id": "dyn_0", "caption": "Two stools stand there. A lamp is lit."}`,
	} {
		path := filepath.Join(dir, "bench", filepath.FromSlash(name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Succeed(t, os.WriteFile(path, []byte(text+"\n"), 0o666))
	}
	lake := lakeOf(t, "analyzed")
	config, asked := rehearse(t, dir)
	command(t, "--lake", lake, "ingest", filepath.Join(dir, "bench"))
	command(t, "--lake", lake, "run", "judge", "--config", config, "--judge", "rehearsal/judge",
		"--captioner", "my-model")
	command(t, "--lake", lake, "analyze", "--select", "+capability_figures")
	if asked.Load() != 4 {
		t.Errorf("%d requests for four elements", asked.Load())
	}
	// The rehearsal judge finds the harbour and the two stools, another number of lamps, and no tunnel.
	got := command(t, "--lake", lake, "sql", "--format", "csv",
		"select section, judge, provenance, n_all, n_hit, n_correct, n_missing, figure as f1 from capability_figures where origin = 'judgments' and kind = 'dimension' and metric = 'f1' order by section")
	want := "section,judge,provenance,n_all,n_hit,n_correct,n_missing,f1\n" +
		"dynamic_object_number,rehearsal-judge,simulated,2,2,1,0,50.0\n" + // precision and recall 1/2
		"scene,rehearsal-judge,simulated,2,1,1,0,66.66666666666667\n" // precision 1, recall 1/2
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestJudgeReleasedCaptions judges the released captions of GPT-4o with the rehearsal judge.
func TestJudgeReleasedCaptions(t *testing.T) {
	must.Slow(t)
	released := laketest.Shared(t, "capability")
	var dimensions []string
	for _, d := range rubric.Dimensions() {
		dimensions = append(dimensions, d.ID)
	}
	dir := t.TempDir()
	for _, folder := range []string{"annotations", "captions/gpt-4o-0806", "judge_output/gpt-4o-0806"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(dir, "released", folder), 0o777))
		for _, d := range dimensions {
			must.Succeed(t, os.Symlink(filepath.Join(released, folder, d+".jsonl"),
				filepath.Join(dir, "released", folder, d+".jsonl")))
		}
	}
	lake := lakeOf(t, "analyzed")
	command(t, "--lake", lake, "ingest", "--reader", "gpt-4-turbo", filepath.Join(dir, "released"))
	query := func(sql string) string { return command(t, "--lake", lake, "sql", "--format", "csv", sql) }
	elements := must.Get(strconv.ParseInt(strings.Fields(query("select count(*) as n from annotations"))[1], 10, 64))(t)

	config, asked := rehearse(t, dir)
	for range 2 {
		command(t, "--lake", lake, "run", "judge", "--config", config, "--judge", "rehearsal/judge", "--captioner",
			"gpt-4o-0806")
		if asked.Load() != elements {
			t.Errorf("%d requests for %d elements", asked.Load(), elements)
		}
	}

	command(t, "--lake", lake, "analyze")
	want := fmt.Sprintf("judge,provenance,n_annotated,accounted,n_failed,dimensions\ngpt-4-turbo,measured,%d,%d,0,%d\nrehearsal-judge,simulated,%d,%d,0,%d\n",
		elements, elements, len(dimensions), elements, elements, len(dimensions))
	got := query(`select judge, provenance, sum(n_annotated) as n_annotated, sum(n_all + n_unparsed + n_failed + n_missing) as accounted,
		sum(n_failed) as n_failed, count(*) as dimensions from capability_figures where origin = 'judgments' and kind = 'dimension' and metric = 'f1' group by judge, provenance order by judge`)
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got, want := query("select count(*) as n, count(distinct request_hash) as hashes, min(state) as state from calls"), fmt.Sprintf("n,hashes,state\n%d,%d,ok\n", elements, elements); got != want {
		t.Errorf("calls: got %q, want %q", got, want)
	}
	if got := query("select sum(n_missing) as missing, sum(n_unparsed) as unparsed from capability_figures where kind = 'dimension' and judge = 'rehearsal-judge'"); got != "missing,unparsed\n0,0\n" {
		t.Errorf("of the rehearsal judge: %q", got)
	}
}
