package stages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/data/sample"
	"github.com/captionlake/captionlake/stages/stub"
)

// mediaFolder makes the pictures of the hand-made benchmark, and a world that knows what they show.
func mediaFolder(t testing.TB) (string, *stub.World) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	facts := map[string][]sample.Fact{
		"number_0": {{Text: "There are 3 kettles.", Value: "3", Attribute: "number", Salience: 1}},
		"color_0":  {{Text: "The door is green.", Value: "green", Attribute: "colour", Salience: 1}},
		"style_0":  {{Text: "The style is animated.", Value: "animated", Attribute: "style", Salience: 1}},
	}
	var rows []data.Image
	for i, name := range []string{"color_0", "number_0", "style_0"} {
		picture := image.NewGray(image.Rect(0, 0, 4, 4))
		picture.Set(0, 0, color.Gray{uint8(50 * (i + 1))})
		var b bytes.Buffer
		if err := png.Encode(&b, picture); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "data", name+".png"), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		known, err := json.Marshal(facts[name])
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(b.Bytes())
		rows = append(rows, data.Image{ImageID: name, SHA256: hex.EncodeToString(sum[:]), Facts: string(known)})
	}
	world, err := stub.NewWorld(rows)
	if err != nil {
		t.Fatal(err)
	}
	return dir, world
}

func withMedia(t testing.TB, l *data.Lake) *Config {
	t.Helper()
	dir, world := mediaFolder(t)
	c := judging(serve(t, l, stub.Options{World: world}, nil))
	c.Captions.Captioners = []string{"stub/captioner-large"}
	c.Media.Folder = dir
	return c
}

func TestCaptionsOfMedia(t *testing.T) {
	l := rubricLake(t, false)
	c := withMedia(t, l)
	mustRun(t, l, c, Choice{Stage: CaptionStage, Benchmarks: []string{"capability"}})
	captions := allRows(t, l, data.Captions)
	var ids []string
	for _, row := range captions {
		ids = append(ids, row.ImageID)
		if row.Captioner != "stub-captioner-large" || row.Prompt != "capability" || row.Domain != "CAPability" || row.Provenance != data.ProvenanceSimulated || row.Caption == "" {
			t.Errorf("%+v", row)
		}
	}
	// Of the samples only three have a file; nothing is made up about the others.
	if slices.Sort(ids); !slices.Equal(ids, []string{"color_0", "number_0", "style_0"}) {
		t.Errorf("captions of %q", ids)
	}
	// A run of the benchmark judges what it has captioned.
	mustRun(t, l, c, Choice{Benchmarks: []string{"capability"}})
	if n := len(allRows(t, l, data.Judgments)); n != 3 {
		t.Errorf("%d judgments", n)
	}
}

func TestMediaFaults(t *testing.T) {
	l := rubricLake(t, false)
	c := withMedia(t, l)
	c.Media.Folder = ""
	if _, err := runAll(t.Context(), l, c, Choice{Stage: CaptionStage, Benchmarks: []string{"capability"}}); err == nil || !strings.Contains(err.Error(), "not configured") {
		t.Errorf("no folder: %v", err)
	}
	c.Media.Folder = t.TempDir()
	if _, err := runAll(t.Context(), l, c, Choice{Stage: CaptionStage, Benchmarks: []string{"capability"}}); err == nil || !strings.Contains(err.Error(), "none of the media files") {
		t.Errorf("empty folder: %v", err)
	}
	files, err := newMedia(l, c.Media)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../secret.png", "/etc/hostname"} {
		if _, err := files.of(data.Annotation{SampleID: "x", Media: path}); err == nil || !strings.Contains(err.Error(), "leaves the media folder") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestFramesNeedFFmpeg(t *testing.T) {
	video := filepath.Join(t.TempDir(), "v.mp4")
	if err := os.WriteFile(video, []byte("no video"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	folder := filepath.Join(t.TempDir(), "frames", "v-8")
	if err := cutFrames(video, folder, 8); err == nil || !strings.Contains(err.Error(), "is not installed") {
		t.Errorf("got %v", err)
	}
}

// The frames of a video that counts its seconds in shades of grey lie at equal distances over its whole length.
func TestFramesAreUniform(t *testing.T) {
	for _, tool := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	dir := t.TempDir()
	video := filepath.Join(dir, "v.mp4")
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=black:s=64x64:r=10:d=8", "-vf", "geq=lum=16+N*2.5:cb=128:cr=128", "-pix_fmt", "yuv420p", video).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files, err := newMedia(newLake(t), MediaConfig{Folder: dir, Video: VideoFrames, Frames: 4})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := files.of(data.Annotation{SampleID: "v", Media: "v.mp4", MediaType: rubric.MediaVideo})
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) != 4 {
		t.Fatalf("%d frames", len(parts))
	}
	var shades []int
	for _, p := range parts {
		f, err := os.Open(p.Path)
		if err != nil {
			t.Fatal(err)
		}
		picture, _, err := image.Decode(f)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		shades = append(shades, int(color.GrayModel.Convert(picture.At(32, 32)).(color.Gray).Y))
	}
	// 8 s in 4 frames: two seconds apart, 20 frames of the video and so 50 steps of luma, 58 of grey.
	for i := 1; i < 4; i++ {
		if d := shades[i] - shades[i-1]; d < 50 || d > 66 {
			t.Errorf("shades %v", shades)
		}
	}
	if err := os.WriteFile(video, []byte("no video"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := files.cut(video, strings.Repeat("0", 64)); err == nil || !strings.Contains(err.Error(), "ffprobe") {
		t.Errorf("a broken video: %v", err)
	}
}

func TestQuestionForms(t *testing.T) {
	yes := []string{"Yes.", "No.", "Can't tell."}
	for _, c := range []struct {
		dimension, name, value, text string
		options                      []string
		answer                       int
	}{
		{"object_category", "", "face mask", "Does the object 'face mask' appear in the image?", yes, 0},
		{"object_color", "cup", "blue", "What is the color of the object 'cup' in the image?", nil, 0},
		{"object_number", "cup", "many", "How many 'cup' appear in this image?", nil, 0},
		{"spatial_relation", "", "the cup is on the tray", "Is this relationship true of the image: 'the cup is on the tray'?", yes, 0},
		{"scene", "", "harbour", "Does the scene 'harbour' fit the image?", yes, 0},
		{"camera_angle", "", "low angle", "What is the camera angle when shooting this image?", []string{"level angle", "high angle", "low angle", "dutch angle"}, 2},
		{"OCR", "", "EXIT", "What are the texts in the image?", nil, 0},
		{"character_identification", "", "Ada", "Who is this person or character in the image?", nil, 0},
		{"action", "", "runs", "Does the action 'runs' appear in the video?", yes, 0},
		{"camera_movement", "", "fixed", "What is the direction of camera movement when shooting this video?", []string{"left", "right", "up", "down", "in", "out", "fixed"}, 6},
		{"event", "", "it rains", "Does the event 'it rains' happen in the video?", yes, 0},
	} {
		d, _ := rubric.ByID(c.dimension)
		q := questionOf(annotated{d, element("s", c.dimension, c.name, c.value, 0)}, 0)
		if q.Text != c.text || !slices.Equal(q.Options, c.options) || q.Answer != c.answer || q.open() != (c.options == nil) {
			t.Errorf("%s: %+v", c.dimension, q)
		}
	}
	style, _ := rubric.ByID("style")
	if q := questionOf(annotated{style, element("s", "style", "", "cubism art", 0)}, 0); len(q.Options) != 9 || q.Options[q.Answer] != "cubism art" {
		t.Errorf("style: %+v", q)
	}
}

// Distractors are near, all different, positive unless the number is 0, and always the same for one seed.
func TestNumberQuestions(t *testing.T) {
	d, _ := rubric.ByID("dynamic_object_number")
	answers := map[int]bool{}
	for n := range 40 {
		for s := range 20 {
			a := annotated{d, element(fmt.Sprint("s", s), d.ID, "chair", strconv.Itoa(n), 0)}
			q := questionOf(a, 7)
			if !slices.Equal(q.Options, questionOf(a, 7).Options) {
				t.Fatalf("%d: two draws of one seed differ", n)
			}
			answers[q.Answer] = true
			if len(q.Options) != 4 || q.Options[q.Answer] != strconv.Itoa(n) {
				t.Fatalf("%d: %+v", n, q)
			}
			seen := map[int]bool{}
			for _, o := range q.Options {
				m, err := strconv.Atoi(o)
				if err != nil || m < 0 || m == 0 && n > 0 || m < n-3 || m > n+3 || seen[m] {
					t.Fatalf("%d: options %q", n, q.Options)
				}
				seen[m] = true
			}
		}
	}
	if len(answers) != 4 {
		t.Errorf("the right answer stands at %v only", answers)
	}
}

func TestAskAndJudgeOpenAnswers(t *testing.T) {
	l := rubricLake(t, false)
	c := withMedia(t, l)
	reports := mustRun(t, l, c, Choice{Stage: AskStage, Benchmarks: []string{"capability"}})
	var lines []string
	for _, a := range allRows(t, l, data.ElementAnswers) {
		if a.Model != "stub-captioner-large" || a.Provenance != data.ProvenanceSimulated || a.RequestHash == "" {
			t.Errorf("%+v", a)
		}
		lines = append(lines, fmt.Sprintf("%s %s %q by %q: %s", a.Dimension, a.Element, a.Answer, a.Judge, a.Outcome))
	}
	slices.Sort(lines)
	// The rehearsal captioner answers an open question with what it sees; the judge finds the colour in it.
	want := []string{
		`object_color door "The door is green." by "stub-judge": correct`,
		`object_number kettle "3" by "": correct`,
		`style  "animated" by "": correct`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if len(reports) != 2 || reports[0].Answered != 3 || reports[1].Answered != 1 {
		t.Errorf("%+v", reports)
	}
	for _, r := range mustRun(t, l, c, Choice{Stage: AskStage, Benchmarks: []string{"capability"}}) {
		if r.Answered != 0 {
			t.Errorf("a second run asks %d requests", r.Answered)
		}
	}
	c.Judges.Models = nil
	if _, err := runAll(t.Context(), l, c, Choice{Stage: AskStage, Benchmarks: []string{"capability"}}); err == nil || !strings.Contains(err.Error(), "need a judge") {
		t.Errorf("without a judge: %v", err)
	}
}
