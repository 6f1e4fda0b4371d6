package spelling

import (
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

func TestNearest(t *testing.T) {
	known := []string{"gpt-5", "gpt-4o", "gemini-2.5-pro", "leaderboard", "Qwen/Qwen2.5-VL-7B-Instruct"}
	for name, want := range map[string]string{
		"gtp-5": "gpt-5", "GPT-5": "gpt-5", "laederbord": "leaderboard",
		"Qwen/Qwen2.5-VL-7B-Instuct": "Qwen/Qwen2.5-VL-7B-Instruct", "llava": "", "": "",
	} {
		expect.Equal(t, Nearest(name, known), want)
	}
	expect.Equal(t, Meant("look", known, "gtp-5", "gpt-4o", "laederboard", "gtp-5"), "did you mean gpt-5 and leaderboard?")
	expect.Equal(t, Meant("look", known, "gpt-5", "llava"), "look")
}
