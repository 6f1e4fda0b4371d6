package stages

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/llm"
)

// A video goes out whole, as vLLM's video_url, unless the configuration asks for frames; OpenAI's own API has no such
// part, so there the request is refused before it is sent.
func TestVideoIsSentAsVideoURL(t *testing.T) {
	folder := t.TempDir()
	// The first box of an MP4 file: its size, its type and its brand. "AAAAGGZ0eXBtcDQy" is its start in base64.
	mp4 := append([]byte{0, 0, 0, 24}, "ftypmp42\x00\x00\x00\x00isommp42"...)
	if err := os.WriteFile(filepath.Join(folder, "v.mp4"), mp4, 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := newMedia(newLake(t), MediaConfig{Folder: folder, Video: VideoURL})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := m.of(data.Annotation{SampleID: "event_1", Media: "v.mp4", MediaType: rubric.MediaVideo})
	if err != nil || len(parts) != 1 || parts[0].Kind != llm.PartVideo {
		t.Fatalf("%+v %v", parts, err)
	}
	r := llm.Request{Model: "m", Messages: []llm.Message{llm.User(append(parts, llm.Text("Describe it."))...)}, Sampling: llm.Greedy(8), Protocol: "p"}
	body, err := r.Body(llm.DialectVLLM, &llm.Media{})
	if err != nil {
		t.Fatal(err)
	}
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
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	first := sent.Messages[0].Content[0]
	if first.Type != "video_url" || !strings.HasPrefix(first.VideoURL.URL, "data:video/mp4;base64,AAAAGGZ0eXBtcDQy") {
		t.Errorf("sent %+v", first)
	}
	if _, err := r.Body(llm.DialectOpenAI, &llm.Media{}); err == nil {
		t.Error("the openai dialect took a video")
	}
}
