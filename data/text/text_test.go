package text

import (
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

func TestClip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, want string
		most       int
	}{
		{"", "", 0}, {"short", "short", 5}, {"longer", "longe…", 5}, {"a€b", "a…", 2}, {"a€b", "a€…", 4}, {"€", "…", 2},
		{"\xff\xff\xff", "\xff\xff…", 2},
	} {
		expect.Equal(t, Clip(c.text, c.most), c.want, c.most)
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]string{
		"A red kettle.":    "A red kettle.",
		" A red kettle.\n": "A red kettle.",
		"<think>It is red.</think>\n\nA red kettle.<|im_end|>": "A red kettle.",
		"It is red.</think>A red kettle.":                      "A red kettle.",
		"\n<think>\nThe user wants":                            "",
		"<think>It is red.</think>":                            "",
		"<thinking>It is red.</thinking>A red kettle.":         "A red kettle.",
		"[THINK]It is red.[/THINK]A red kettle.":               "A red kettle.",
		"◁think▷It is red.◁/think▷A red kettle.":               "A red kettle.",
		"<think>They said </think>.</think>A red kettle.":      "A red kettle.",
		"A red kettle.<|im_end|>\n<|im_start|>user\nAnd this?": "A red kettle.",
		"A red kettle.<|eot_id|><|eot_id|>":                    "A red kettle.",
		"<|im_end|>":                                           "",
		"A sign that says <think>.":                            "A sign that says <think>.",
		"":                                                     "",
	} {
		expect.Equal(t, Answer(reply), want)
		expect.Equal(t, Answer(want), want)
	}
}
