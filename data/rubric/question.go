package rubric

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A Question is the question form of an annotation. Without options it is open, and a judge decides
// about the answer.
type Question struct {
	Text    string
	Options []string // in the order in which they are shown
	Answer  int      // position of the right option
}

// Open reports whether the question has no options.
func (q Question) Open() bool { return len(q.Options) == 0 }

// Question turns an annotated element into a question, worded after CAPability Figure A5.
//
// Questions about a thing, a scene, an action or an event offer yes, no and can't tell, and yes is
// right. So do questions about spatial relations: the paper's text lists them among the
// multiple-choice questions (section B.4), although its figure shows an open one. Numbers have
// three distractors, drawn with the seed from the three numbers below and above, in drawn order.
// Closed sets offer all their categories in the papers' order. The figure shows four of each, but
// the accuracies of Table 6 for camera movements, down to 15.7, fit seven options better than four.
// Colours, texts and characters are open questions, and so are numbers that are not written in
// digits. benchmark and sample name the annotation for the draw.
func (d *Dimension) Question(e Element, benchmark, sample string, seed uint64) Question {
	medium := d.Media
	whether := func(format string, args ...any) Question {
		return Question{Text: fmt.Sprintf(format, args...), Options: []string{"Yes.", "No.", "Can't tell."}}
	}
	switch d.ID {
	case "object_category":
		return whether("Does the object '%s' appear in the %s?", e.Value, medium)
	case "spatial_relation":
		return whether("Is this relationship true of the %s: '%s'?", medium, e.Value)
	case "scene":
		return whether("Does the scene '%s' fit the %s?", e.Value, medium)
	case "action":
		return whether("Does the action '%s' appear in the %s?", e.Value, medium)
	case "event":
		return whether("Does the event '%s' happen in the %s?", e.Value, medium)
	case "object_number", "dynamic_object_number":
		text := fmt.Sprintf("How many '%s' appear in this %s?", e.Name, medium)
		if n, err := strconv.Atoi(strings.TrimSpace(e.Value)); err == nil && n >= 0 {
			key := fmt.Sprintf("%d\x00%s\x00%s\x00%s\x00%s", seed, benchmark, sample, d.ID, e.Name)
			options, answer := numberOptions(n, rand.New(rand.NewChaCha8(sha256.Sum256([]byte(key)))))
			return Question{text, options, answer}
		}
		return Question{Text: text}
	case "object_color":
		return Question{Text: fmt.Sprintf("What is the color of the object '%s' in the %s?", e.Name, medium)}
	case "OCR":
		return Question{Text: fmt.Sprintf("What are the texts in the %s?", medium)}
	case "character_identification":
		return Question{Text: fmt.Sprintf("Who is this person or character in the %s?", medium)}
	}
	text := map[string]string{
		"camera_angle":    "What is the camera angle when shooting this %s?",
		"camera_movement": "What is the direction of camera movement when shooting this %s?",
		"style":           "What is the style of this %s?",
	}[d.ID]
	names := d.categoryNames()
	return Question{fmt.Sprintf(text, medium), names, slices.Index(names, e.Value)}
}

// numberOptions are a number and three others from the three numbers below and above it. No option
// is negative. 0 is an option only if it is the number.
func numberOptions(n int, r *rand.Rand) (options []string, answer int) {
	var near []int
	for m := max(min(n, 1), n-3); m <= n+3; m++ {
		if m != n {
			near = append(near, m)
		}
	}
	r.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
	numbers := append(near[:3:3], n)
	r.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	for _, m := range numbers {
		options = append(options, strconv.Itoa(m))
	}
	return options, slices.Index(numbers, n)
}
