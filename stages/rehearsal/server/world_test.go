package server

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/must"
)

// Of a picture that nobody knows, an imagining world says what is true of one of the sample set's, the same each time and whatever the taxonomy:
// writers ask, and validators mostly choose the writer's key.
func TestImaginedPictures(t *testing.T) {
	t.Parallel()
	bare, err := NewWorld(nil)
	must.Succeed(t, err)
	w, err := NewWorld(nil)
	must.Succeed(t, err)
	must.Succeed(t, w.Imagine())
	say := func(w *World, a Ask) string { return reply(t, w, a).Text }
	captions := map[string]bool{}
	written, chosen, right := 0, 0, 0
	for _, picture := range []string{"aa", "bb", "cc", "dd", "ee", "ff"} {
		caption := Ask{Model: "rehearsal/captioner-large", User: captionqa.LongText, Images: []string{picture}}
		if said, again := say(w, caption), say(w, caption); said != again || !strings.Contains(say(bare, caption), "does not know") {
			t.Errorf("of %s is said %q, and without imagination %q", picture, say(w, caption), say(bare, caption))
		}
		captions[say(w, caption)] = true
		for _, node := range []string{"Tools", "Food", "Light", "Order"} {
			questions, err := construct.ReadWritten(say(w, Ask{
				Model: "rehearsal/writer-a", System: construct.GenerateSystem, Images: []string{picture}, User: construct.GenerateUser(construct.Node{Domain: "kitchen", Category: "Things", Subcategory: node}),
			}))
			must.Succeed(t, err)
			for _, q := range questions {
				written++
				p, err := construct.PresentValidation(q.Question, q.Options)
				must.Succeed(t, err)
				choice, option, _ := construct.ReadValidation(p, say(w, Ask{Model: "rehearsal/validator-a", System: construct.ValidateSystem, User: p.User, Images: []string{picture}}))
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
		t.Errorf("%d captions of six pictures; of %d questions validators answer %d, %d as the writer", len(captions), written, chosen, right)
	}
}
