package rubric

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

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
		{"object_number", "cup", "9223372036854775807", "How many 'cup' appear in this image?", nil, 0},
		{"spatial_relation", "", "the cup is on the tray",
			"Is this relationship true of the image: 'the cup is on the tray'?", yes, 0},
		{"scene", "", "harbour", "Does the scene 'harbour' fit the image?", yes, 0},
		{"camera_angle", "", "low angle", "What is the camera angle when shooting this image?",
			[]string{"level angle", "high angle", "low angle", "dutch angle"}, 2},
		{"OCR", "", "EXIT", "What are the texts in the image?", nil, 0},
		{"character_identification", "", "Ada", "Who is this person or character in the image?", nil, 0},
		{"action", "", "runs", "Does the action 'runs' appear in the video?", yes, 0},
		{"camera_movement", "", "fixed", "What is the direction of camera movement when shooting this video?",
			[]string{"left", "right", "up", "down", "in", "out", "fixed"}, 6},
		{"event", "", "it rains", "Does the event 'it rains' happen in the video?", yes, 0},
	} {
		d, _ := ByID(c.dimension)
		q := d.Question(Element{c.name, c.value}, "capability", "s", 0)
		if q.Text != c.text || !slices.Equal(q.Options, c.options) || q.Answer != c.answer ||
			q.Open() != (c.options == nil) {
			t.Errorf("%s: %+v", c.dimension, q)
		}
	}
	style, _ := ByID("style")
	if q := style.Question(Element{Value: "cubism art"}, "capability", "s", 0); len(q.Options) != 9 ||
		q.Options[q.Answer] != "cubism art" {
		t.Errorf("style: %+v", q)
	}
}

// Distractors are near, all different, positive unless the number is 0, and always the same for one
// seed.
func TestNumberQuestions(t *testing.T) {
	d, _ := ByID("dynamic_object_number")
	answers := map[int]bool{}
	for n := range 40 {
		for s := range 20 {
			e, sample := Element{"chair", strconv.Itoa(n)}, fmt.Sprint("s", s)
			q := d.Question(e, "capability", sample, 7)
			must.Equal(t, q.Options, d.Question(e, "capability", sample, 7).Options, n)
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
	expect.Equal(t, len(answers), 4, answers)
}
