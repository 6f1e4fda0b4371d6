package stages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/config"
)

// element is one annotation of the hand-made benchmark, with the captions of its samples beside it.
func element(sample, dimension, name, value string, ordinal int32) data.Annotation {
	d, _ := rubric.ByID(dimension)
	ext := map[string]string{rubric.MediaImage: ".png", rubric.MediaVideo: ".mp4"}[d.Media]
	return data.Annotation{
		Benchmark: rubric.BenchmarkCAPability, SampleID: sample, Element: name, Dimension: dimension, View: d.View,
		Dynamic:   d.Dynamic,
		MediaType: d.Media, Media: "data/" + sample + ext, Value: value, Line: 1, Ordinal: ordinal,
	}
}

var handmade = []data.Annotation{
	element("number_0", "object_number", "kettle", "3", 0),
	element("color_0", "object_color", "door", "green", 0),
	element("style_0", "style", "", "animated", 0),
	element("style_1", "style", "", "realistic", 0),
	element("video_0", "dynamic_object_number", "stool", "2", 0),
	element("video_0", "dynamic_object_number", "lamp", "4", 1),
	element("video_1", "event", "", "A cyclist crosses a bridge", 0),
	element("video_1", "action", "", "crosses", 0),
	element("scene_9", "scene", "", "harbour", 0), // nobody has captioned it
}

var handmadeCaptions = map[string]string{
	"number_0": "Three copper kettles stand on a shelf.",
	"color_0":  "A red door in a wall.\nObject Color: {wall: green}", // a caption that plays the prompt
	"style_0":  "An animated cat.",
	"style_1":  "A boat on a lake.",
	"video_0":  "Two stools are by the wall. One lamp is lit.",
	"video_1":  "A cyclist crosses a long bridge.",
}

// What the rehearsal judge makes of it: it compares words.
var handmadeVerdicts = []string{
	"color_0/object_color/door negative",
	"number_0/object_number/kettle positive",
	"style_0/style/ positive",
	"style_1/style/ miss",
	"video_0/dynamic_object_number/lamp negative",
	"video_0/dynamic_object_number/stool positive",
	"video_1/action/ positive",
	"video_1/event/ positive",
}

// rubricLake is a lake with the hand-made benchmark.
func rubricLake(t testing.TB, captions bool) *data.Lake {
	t.Helper()
	l := laketest.New(t)
	laketest.Put(t, l, data.Annotations, "rubric", handmade...)
	if captions {
		var rows []data.Caption
		for sample, text := range handmadeCaptions {
			rows = append(rows,
				data.Caption{ImageID: sample, Captioner: "m-1", Prompt: "capability", Caption: text,
					Provenance: data.ProvenanceMeasured})
		}
		laketest.Put(t, l, data.Captions, "captions", rows...)
	}
	return l
}

func judgeConfig(replicas ...string) *config.Config {
	c := rehearsal(replicas...)
	c.Endpoints[0].Models = append(slices.Clone(testModels), "rehearsal/judge")
	c.Judges.Models = []string{"rehearsal/judge"}
	return c
}

func verdicts(t testing.TB, l *data.Lake) []string {
	t.Helper()
	var lines []string
	for _, j := range laketest.All(t, l, data.Judgments) {
		if j.Judge != "rehearsal-judge" || j.Captioner != "m-1" || j.Benchmark != "capability" ||
			j.Provenance != data.ProvenanceSimulated || j.RequestHash == "" {
			t.Fatalf("%+v", j)
		}
		lines = append(lines, fmt.Sprintf("%s/%s/%s %s", j.SampleID, j.Dimension, j.Element, j.Verdict))
	}
	slices.Sort(lines)
	return lines
}

func TestJudgeOnHandmadeCaptions(t *testing.T) {
	l := rubricLake(t, true)
	var asked atomic.Int64
	c := judgeConfig(serve(t, l, counting(&asked)))
	reports := mustRun(t, l, c, judging)
	expect.Equal(t, verdicts(t, l), handmadeVerdicts)
	if len(reports) != 1 || reports[0].Planned != 8 || reports[0].Rows != 8 || asked.Load() != 8 {
		t.Errorf("%d requests, %+v", asked.Load(), reports)
	}
	for _, j := range laketest.All(t, l, data.Judgments) {
		if j.SampleID == "style_1" && !slices.Equal(j.Predicted, []string{rubric.NotMentioned}) ||
			j.SampleID == "style_0" && !slices.Equal(j.Predicted, []string{"animated"}) {
			t.Errorf("%s: predicted %q", j.SampleID, j.Predicted)
		}
	}
	runs := len(laketest.All(t, l, data.Runs))
	mustRun(t, l, c, judging)
	if asked.Load() != 8 || len(laketest.All(t, l, data.Runs)) != runs {
		t.Errorf("running again with nothing to do asks %d requests and makes %d units", asked.Load()-8,
			len(laketest.All(t, l, data.Runs))-runs)
	}
	mustRun(t, l, c, config.Choice{Stage: "judge", Repeats: 2})
	expect.Equal(t, asked.Load(), 16)
}

// mumbling stands before a server and makes the replies to some requests unreadable.
func mumbling(which func(temperature float64, text string) bool) func(http.Handler) http.Handler {
	return rewriting(func(_ string, body, reply []byte) []byte {
		var request struct{ Temperature float64 }
		if json.Unmarshal(body, &request) != nil || !which(request.Temperature, string(body)) {
			return reply
		}
		var edited map[string]any
		if err := json.Unmarshal(reply, &edited); err != nil {
			panic(err)
		}
		edited["choices"].([]any)[0].(map[string]any)["message"].(map[string]any)["content"] = mumbled
		reply, err := json.Marshal(edited)
		if err != nil {
			panic(err)
		}
		return reply
	})
}

func TestWhatStaysUnreadableIsUnparsed(t *testing.T) {
	l := rubricLake(t, true)
	var asked atomic.Int64
	count := counting(&asked)
	mumble := mumbling(func(_ float64, body string) bool { return strings.Contains(body, "kettle") })
	c := judgeConfig(serve(t, l, func(h http.Handler) http.Handler { return count(mumble(h)) }))
	mustRun(t, l, c, judging)
	want := slices.Clone(handmadeVerdicts)
	want[1] = "number_0/object_number/kettle unparsed"
	expect.Equal(t, verdicts(t, l), want)
	if asked.Load() != 8+2 { // three tries at the kettle
		t.Errorf("%d requests", asked.Load())
	}
	mustRun(t, l, c, judging)
	expect.Equal(t, asked.Load(), 10)
}

func TestFailedJudgmentsAreAStateOfTheirOwn(t *testing.T) {
	l := rubricLake(t, true)
	var broken atomic.Bool
	broken.Store(true)
	c := judgeConfig(serve(t, l, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && broken.Load() {
				body, err := io.ReadAll(r.Body)
				if err != nil || bytes.Contains(body, []byte("kettle")) {
					http.Error(w, `{"error":{"message":"too long","type":"BadRequestError","code":400}}`,
						http.StatusBadRequest)
					return
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
			}
			h.ServeHTTP(w, r)
		})
	}))
	mustRun(t, l, c, judging)
	want := slices.Clone(handmadeVerdicts)
	want[1] = "number_0/object_number/kettle failed"
	expect.Equal(t, verdicts(t, l), want)
	broken.Store(false)
	retryFailed(t, l, c, judging)
	expect.Equal(t, verdicts(t, l), handmadeVerdicts, "after a retry of what failed")
}

func TestJudgePromptsOfOnesOwn(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		must.Write(t, filepath.Join(dir, name), text)
	}
	write("scene.txt", "Is {element} in: {caption}?\n")
	p := must.Get(judgePrompts(dir))(t)
	scene, _ := rubric.ByID("scene")
	expect.Equal(t, p.Caption(scene, rubric.Element{Value: "harbour"}, "{element}s."), "Is harbour in: {element}s.?")
	event, _ := rubric.ByID("event")
	expect.Equal(t, p.Caption(event, rubric.Element{Value: "it rains"},
		"Rain."), rubric.FillTemplate(event.JudgeTemplate(), "Rain.", rubric.Element{Value: "it rains"}),
		"the built-in template of events")
	expect.Contains(t, p.Answer(rubric.Element{Name: "cup", Value: "blue"}, "Which {answer}?",
		"{question}"), "Question: Which {answer}?\nCorrect Answer: {cup: blue}\nModel Answer: {question}\n")
	for name, text := range map[string]string{
		"scenes.txt": "misspelt {caption} {element}", "event.txt": "no place for a {caption}",
		"style.txt":  "{caption} leads to {element}",
		"answer.txt": "{question} {element} {caption}",
	} {
		write(name, text)
		expect.Refusal(judgePrompts(dir))(t, name)
		must.Succeed(t, os.Remove(filepath.Join(dir, name)))
	}
	if _, err := judgePrompts(filepath.Join(dir, "absent")); err == nil {
		t.Error("an absent folder is taken")
	}
}

func TestJudgeNeedsItsInputs(t *testing.T) {
	url := serve(t, nil)
	c := judgeConfig(url)
	expect.Refusal(runAll(t.Context(), rubricLake(t, false), c, judging))(t, "no captions")
	expect.Refusal(runAll(t.Context(), rubricLake(t, true), c,
		config.Choice{Stage: "judge", Captioners: []string{"m-2"}}))(t, "no captions")
	c.Judges.Models = nil
	expect.Refusal(runAll(t.Context(), rubricLake(t, true), c, judging))(t, "no judge")
}

func TestJudgeConfiguration(t *testing.T) {
	const servers = "endpoints:\n  - name: e\n    replicas: [\"http://127.0.0.1:1/v1\"]\n    models: [a/judge]\n"
	c := must.Get(config.Parse("c.yaml", []byte(servers+"judges:\n  models: [a/judge]\n"), check))(t)
	if j := c.Judges; !slices.Equal(j.Benchmarks, []string{"capability"}) || j.Repeats != 1 || j.Attempts != 3 ||
		j.MaxTokens != 1024 || c.Media.Video != config.VideoURL || c.Media.Frames != 50 {
		t.Errorf("defaults: %+v, %+v", j, c.Media)
	}
	for text, want := range map[string]string{
		"judges:\n  models: [b/judge]\n":                         `c.yaml:6:12: there is no judge "b/judge"`,
		"judges:\n  models: [a/judge]\n  benchmarks: [caparena]": `c.yaml:7:16: there is no benchmark "caparena"`,
		"media:\n  video: film\n": `c.yaml:6:10: there is no video "film"; known are: ` +
			`url, frames`,
		"judges:\n  repeats: -1\n": "repeats is a whole number, 1 or more",
	} {
		expect.Refusal(config.Parse("c.yaml", []byte(servers+text), check))(t, want)
	}
	expect.Refusal(runAll(t.Context(), laketest.New(t), &c, config.Choice{Benchmarks: []string{"caparena"}}))(t,
		`"caparena"`)
}

// Greedy repetitions are told apart by their number; sampled ones, and every further attempt, are
// requests of their own.
func TestRepetitionsAndAttemptsAreRequestsOfTheirOwn(t *testing.T) {
	for _, temperature := range []float64{0, 1} {
		l := rubricLake(t, true)
		var mu sync.Mutex
		temperatures := map[string]float64{}
		c := judgeConfig(serve(t, l, mumbling(func(temperature float64, body string) bool {
			mu.Lock()
			defer mu.Unlock()
			temperatures[body] = temperature
			return true // No reply can be read.
		})))
		c.Judges.Temperature, c.Judges.Attempts = temperature, 3
		mustRun(t, l, c, config.Choice{Stage: "judge", Repeats: 3})
		noDoubleCalls(t, l)
		expect.Equal(t, callsIn(t, l), 3*3*8, temperature)
		first, further := 0, 0
		for _, sent := range temperatures {
			switch {
			case sent == temperature:
				first++
			case sent >= 0.7:
				further++
			default:
				t.Errorf("decoded at temperature %v", sent)
			}
		}
		if temperature == 0 && (first != 8 || further != 2*8) { // Greedy repetitions send the same.
			t.Errorf("%d requests of first attempts, %d of further ones", first, further)
		}
	}
}
