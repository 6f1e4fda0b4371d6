package media

import (
	"encoding/json"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// A video goes out whole, as vLLM's video_url, unless the configuration asks for frames; OpenAI's
// own API has no such part, so there the request is refused before it is sent.
func TestVideoIsSentAsVideoURL(t *testing.T) {
	folder := t.TempDir()
	// The first box of an MP4 file: its size, its type and its brand. "AAAAGGZ0eXBtcDQy" is its start
	// in base64.
	mp4 := append([]byte{0, 0, 0, 24}, "ftypmp42\x00\x00\x00\x00isommp42"...)
	must.Write(t, filepath.Join(folder, "v.mp4"), mp4)
	m := must.Get(Open(laketest.New(t), config.Media{Folder: folder, Video: config.VideoURL}))(t)
	parts, err := m.Of(data.Annotation{SampleID: "event_1", Media: "v.mp4", MediaType: rubric.MediaVideo})
	if err != nil || len(parts) != 1 || parts[0].Kind != llm.PartVideo {
		t.Fatalf("%+v %v", parts, err)
	}
	r := llm.Request{Model: "m", Messages: []llm.Message{llm.User("Describe it.", parts...)},
		Sampling: llm.Greedy(8), Protocol: "p"}
	body := must.Get(r.Body(llm.DialectVLLM, &llm.Media{}))(t)
	var sent struct {
		Messages []struct {
			Content []struct {
				Type     string `json:"type"`
				VideoURL struct {
					URL string `json:"url"`
				} `json:"video_url"`
			} `json:"content"`
		} `json:"messages"`
	}
	must.Succeed(t, json.Unmarshal(body, &sent))
	first := sent.Messages[0].Content[0]
	if first.Type != "video_url" || !strings.HasPrefix(first.VideoURL.URL, "data:video/mp4;base64,AAAAGGZ0eXBtcDQy") {
		t.Errorf("sent %+v", first)
	}
	if _, err := r.Body(llm.DialectOpenAI, &llm.Media{}); err == nil {
		t.Error("the openai dialect took a video")
	}
}

// Paths of annotations are foreign text: none leads out of the media folder.
func TestMediaPathsStayInTheFolder(t *testing.T) {
	files := must.Get(Open(laketest.New(t), config.Media{Folder: t.TempDir()}))(t)
	for _, path := range []string{"../secret.png", "/etc/hostname"} {
		expect.Refusal(files.Of(data.Annotation{SampleID: "x", Media: path}))(t, "leaves the media folder")
	}
}

// A file is read for its digest once, in this run and in later ones, until its size or its time
// changes.
func TestMediaDigestsAreRemembered(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "p.png")
	write := func(content string, at time.Time) {
		t.Helper()
		must.Write(t, path, content)
		must.Succeed(t, os.Chtimes(path, at, at))
	}
	l := laketest.New(t)
	then := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	look := func(read bool) (digest string) {
		t.Helper()
		files := must.Get(Open(l, config.Media{Folder: folder}))(t)
		for range 3 {
			parts, err := files.Of(data.Annotation{SampleID: "s", Media: "p.png", MediaType: rubric.MediaImage})
			if err != nil || len(parts) != 1 {
				t.Fatalf("%+v %v", parts, err)
			}
			digest = parts[0].SHA256
		}
		expect.Equal(t, files.changed, read, "the file was read")
		files.Save()
		return digest
	}
	write("one", then)
	first := look(true)
	expect.Equal(t, look(false), first, "the remembered digest is another one")
	write("two", then.Add(time.Second))
	if look(true) == first {
		t.Error("the file has changed, and its digest has not")
	}
}

func TestFramesNeedFFmpeg(t *testing.T) {
	video := filepath.Join(t.TempDir(), "v.mp4")
	must.Write(t, video, "no video")
	t.Setenv("PATH", t.TempDir())
	folder := filepath.Join(t.TempDir(), "frames", "v-8")
	expect.Failure(t, cutFrames(video, folder, 8), "is not installed")
}

// The frames of a video that counts its seconds in shades of grey lie at equal distances over its
// whole length.
func TestFramesAreUniform(t *testing.T) {
	for _, tool := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	dir := t.TempDir()
	video := filepath.Join(dir, "v.mp4")
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=black:s=64x64:r=10:d=8", "-vf",
		"geq=lum=16+N*2.5:cb=128:cr=128", "-pix_fmt", "yuv420p", video).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files := must.Get(Open(laketest.New(t), config.Media{Folder: dir, Video: config.VideoFrames, Frames: 4}))(t)
	parts := must.Get(files.Of(data.Annotation{SampleID: "v", Media: "v.mp4", MediaType: rubric.MediaVideo}))(t)
	must.Equal(t, len(parts), 4)
	must.Succeed(t, cutFrames(video, filepath.Dir(parts[0].Path), 4))
	var shades []int
	for _, p := range parts {
		f := must.Get(os.Open(p.Path))(t)
		picture, _, err := image.Decode(f)
		must.Succeed(t, f.Close())
		must.Succeed(t, err)
		shades = append(shades, int(color.GrayModel.Convert(picture.At(32, 32)).(color.Gray).Y))
	}
	// 8 s in 4 frames: two seconds apart, 20 frames of the video and so 50 steps of luma, 58 of grey.
	for i := 1; i < 4; i++ {
		expect.Between(t, shades[i]-shades[i-1], 50, 66, shades)
	}
	must.Write(t, video, "no video")
	expect.Refusal(files.cut(video, strings.Repeat("0", 64)))(t, "ffprobe")
}
