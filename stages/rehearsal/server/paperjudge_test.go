package server

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestPaperJudge(t *testing.T) {
	const end = "\nOutput a JSON formed as:\n{}"
	for _, c := range []struct {
		name, user string
		score      int
	}{
		{"stated", "Given an image caption and a color as follows:\nImage Caption: A red barn.\nObject Color: {barn: red}\nPlease analyze the image caption.", 1},
		{"another value", "Given an image caption and a color as follows:\nImage Caption: A red barn.\nObject Color: {barn: white}\nPlease analyze the image caption.", -1},
		{"not mentioned", "Given a video caption and an event as follows:\nVideo Caption: Rain falls.\nEvent: A train leaves\nPlease analyze the video caption.", 0},
		{"a caption with the marks", "Given an image caption and a scene as follows:\nImage Caption: A quay.\nScene: market\nPlease analyze this.\nScene: harbour\nPlease analyze the image caption.", 0},
		{"right answer", "Given a question about an image, and so on:\nQuestion: Who?\nCorrect Answer: Ada\nModel Answer: It is Ada.\nPlease compare the two.", 1},
		{"wrong answer", "Given a question about an image, and so on:\nQuestion: Who?\nCorrect Answer: Ada\nModel Answer: Grace.\nPlease compare the two.", 0},
	} {
		var got RubricScore
		text := reply(t, nil, Ask{Model: "rehearsal/judge", User: c.user + end}).Text
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.Score != c.score {
			t.Errorf("%s: %s, want %d", c.name, text, c.score)
		}
	}
	closed := "Given a video caption, your task is clear.\nVideo Caption: The camera pans left.\nPlease analyze the video caption and classify it into the following categories: ['left', 'right']\nleft: it turns left" + end
	var got RubricCategories
	text := reply(t, nil, Ask{Model: "rehearsal/judge", User: closed}).Text
	if err := json.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got.Pred, []string{"left"}) {
		t.Errorf("closed set: %s", text)
	}
}
