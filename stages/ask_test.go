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
	"path/filepath"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/sample"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// mediaFolder makes the pictures of the hand-made benchmark, and a world that knows what they show.
func mediaFolder(t testing.TB) (string, *rehearsalserver.World) {
	t.Helper()
	dir := t.TempDir()
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "data"), 0o777))
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
		must.Succeed(t, png.Encode(&b, picture))
		must.Write(t, filepath.Join(dir, "data", name+".png"), b.Bytes())
		known := must.Get(json.Marshal(facts[name]))(t)
		sum := sha256.Sum256(b.Bytes())
		rows = append(rows, data.Image{ImageID: name, SHA256: hex.EncodeToString(sum[:]), Facts: string(known)})
	}
	world := must.Get(rehearsalserver.NewWorld(rows))(t)
	return dir, world
}

func mediaConfig(t testing.TB, l *data.Lake) *config.Config {
	t.Helper()
	dir, world := mediaFolder(t)
	c := judgeConfig(serveAs(t, l, rehearsalserver.Options{World: world}))
	c.Captions.Captioners = []string{"rehearsal/captioner-large"}
	c.Media.Folder = dir
	return c
}

func TestCaptionsOfMedia(t *testing.T) {
	l := rubricLake(t, false)
	c := mediaConfig(t, l)
	mustRun(t, l, c, config.Choice{Stage: "caption", Benchmarks: []string{"capability"}})
	captions := laketest.All(t, l, data.Captions)
	var ids []string
	for _, row := range captions {
		ids = append(ids, row.ImageID)
		if row.Captioner != "rehearsal-captioner-large" || row.Prompt != "capability" || row.Domain != "CAPability" ||
			row.Provenance != data.ProvenanceSimulated || row.Caption == "" {
			t.Errorf("%+v", row)
		}
	}
	// Of the samples only three have a file; nothing is made up about the others.
	if slices.Sort(ids); !slices.Equal(ids, []string{"color_0", "number_0", "style_0"}) {
		t.Errorf("captions of %q", ids)
	}
	// A run of the benchmark judges what it has captioned.
	mustRun(t, l, c, config.Choice{Benchmarks: []string{"capability"}})
	expect.Equal(t, len(laketest.All(t, l, data.Judgments)), 3)
}

func TestMediaFaults(t *testing.T) {
	l := rubricLake(t, false)
	c := mediaConfig(t, l)
	c.Media.Folder = ""
	expect.Refusal(runAll(t.Context(), l, c,
		config.Choice{Stage: "caption", Benchmarks: []string{"capability"}}))(t, "not configured")
	c.Media.Folder = t.TempDir()
	expect.Refusal(runAll(t.Context(), l, c,
		config.Choice{Stage: "caption", Benchmarks: []string{"capability"}}))(t, "none of the media files")
}

func TestAskAndJudgeOpenAnswers(t *testing.T) {
	l := rubricLake(t, false)
	c := mediaConfig(t, l)
	reports := mustRun(t, l, c, config.Choice{Stage: "ask", Benchmarks: []string{"capability"}})
	var lines []string
	for _, a := range laketest.All(t, l, data.ElementAnswers) {
		if a.Model != "rehearsal-captioner-large" || a.Provenance != data.ProvenanceSimulated || a.RequestHash == "" {
			t.Errorf("%+v", a)
		}
		lines = append(lines, fmt.Sprintf("%s %s %q by %q: %s", a.Dimension, a.Element, a.Answer, a.Judge, a.Outcome))
	}
	slices.Sort(lines)
	// The rehearsal captioner answers an open question with the things that it sees; the judge
	// finds the colour in it.
	want := []string{
		`object_color door "The door is green." by "rehearsal-judge": correct`,
		`object_number kettle "3" by "": correct`,
		`style  "animated" by "": correct`,
	}
	expect.Equal(t, lines, want)
	if len(reports) != 2 || reports[0].Answered != 3 || reports[1].Answered != 1 {
		t.Errorf("%+v", reports)
	}
	for _, r := range mustRun(t, l, c, config.Choice{Stage: "ask", Benchmarks: []string{"capability"}}) {
		expect.Equal(t, r.Answered, 0, "a second run asks requests")
	}
	c.Judges.Models = nil
	expect.Refusal(runAll(t.Context(), l, c,
		config.Choice{Stage: "ask", Benchmarks: []string{"capability"}}))(t, "need a judge")
}
