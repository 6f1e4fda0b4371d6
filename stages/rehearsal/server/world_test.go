package server

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/must"
)

// Of a picture that nobody knows, an imagining world says what is true of one of the sample set's,
// the same each time and whatever the taxonomy: writers ask, and validators mostly choose the
// writer's key.
func TestImaginedPictures(t *testing.T) {
	t.Parallel()
	bare := must.Get(NewWorld(nil))(t)
	w := must.Get(NewWorld(nil))(t)
	must.Succeed(t, w.Imagine())
	say := func(w *World, a Ask) string { return reply(t, w, a).Text }
	captions := map[string]bool{}
	written, chosen, right := 0, 0, 0
	for _, picture := range []string{"aa", "bb", "cc", "dd", "ee", "ff"} {
		caption := Ask{Model: "rehearsal/captioner-large", User: captionqa.LongText, Images: []string{picture}}
		if said, again := say(w, caption), say(w, caption); said != again ||
			!strings.Contains(say(bare, caption), "does not know") {
			t.Errorf("of %s is said %q, and without imagination %q", picture, say(w, caption), say(bare, caption))
		}
		captions[say(w, caption)] = true
		for _, node := range []string{"Tools", "Food", "Light", "Order"} {
			questions := must.Get(construct.ReadDrafts(say(w, Ask{
				Model: "rehearsal/writer-a", System: construct.GenerateSystem, Images: []string{picture},
				User: construct.GenerateUser(construct.Node{Domain: "kitchen", Category: "Things", Subcategory: node}),
			})))(t)
			for _, q := range questions {
				written++
				p := must.Get(construct.PresentValidation(q.Question, q.Options))(t)
				choice, option, _ := construct.ReadValidation(p,
					say(w, Ask{Model: "rehearsal/validator-a", System: construct.ValidateSystem, User: p.User,
						Images: []string{picture}}))
				if choice == construct.ChoiceOption {
					chosen++
					if q.Options[option] == q.Answer {
						right++
					}
				}
			}
		}
	}
	if len(captions) < 4 || written < 20 || right < written/2 {
		t.Errorf("%d captions of six pictures; of %d questions validators answer %d, %d as the writer", len(captions),
			written, chosen, right)
	}
}

func TestPaperJudge(t *testing.T) {
	const end = "\nOutput a JSON formed as:\n{}"
	for _, c := range []struct {
		name, user string
		score      int
	}{
		{"stated", "Given an image caption and a color as follows:\nImage Caption: A red barn.\nObject Color: {barn: " +
			"red}\nPlease analyze the image caption.", 1},
		{"another value",
			"Given an image caption and a color as follows:\nImage Caption: A red barn.\nObject Color: {barn: white}\n" +
				"Please analyze the image caption.", -1},
		{"not mentioned",
			"Given a video caption and an event as follows:\nVideo Caption: Rain falls.\nEvent: A train leaves\nPlease " +
				"analyze the video caption.", 0},
		{"a caption with the marks",
			"Given an image caption and a scene as follows:\nImage Caption: A quay.\nScene: market\nPlease analyze this.\n" +
				"Scene: harbour\nPlease analyze the image caption.", 0},
		{"right answer",
			"Given a question about an image, and so on:\nQuestion: Who?\nCorrect Answer: Ada\nModel Answer: It is Ada.\n" +
				"Please compare the two.", 1},
		{"wrong answer",
			"Given a question about an image, and so on:\nQuestion: Who?\nCorrect Answer: Ada\nModel Answer: Grace.\nPlease " +
				"compare the two.", 0},
	} {
		var got rubricScore
		text := reply(t, nil, Ask{Model: "rehearsal/judge", User: c.user + end}).Text
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.Score != c.score {
			t.Errorf("%s: %s, want %d", c.name, text, c.score)
		}
	}
	closed := "Given a video caption, your task is clear.\nVideo Caption: The camera pans left.\nPlease analyze the " +
		"video caption and classify it into the following categories: ['left', 'right']\nleft: it turns left" + end
	var got rubricCategories
	text := reply(t, nil, Ask{Model: "rehearsal/judge", User: closed}).Text
	if err := json.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got.Pred, []string{"left"}) {
		t.Errorf("closed set: %s", text)
	}
}
