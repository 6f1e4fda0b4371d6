package rubric

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A Question is the question form of an annotation. A question without options is open, and a judge
// decides about the answer.
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
// right. Questions about spatial relations offer the same options: the paper's text lists these
// questions among the multiple-choice questions (section B.4), although Figure A5 shows an open
// question. A question about a number offers the number and three wrong numbers (numberOptions).
// Questions about closed sets offer all categories of the set in the papers' order. Figure A5 shows
// four categories of each set, but the accuracies of Table 6 for camera movements, down to 15.7,
// fit seven options better than four.
// Questions about colours, texts and characters are open, and so are questions about numbers that
// are not written in digits. The wrong numbers and the order of the options are drawn by seed,
// benchmark, sample, dimension and object, so every annotation has its own draw.
func (d *Dimension) Question(e Element, benchmark, sample string, seed uint64) Question {
	text := questionTexts[d.ID]
	q := Question{Text: fmt.Sprintf(text, d.Media, e.Value, e.Name)}
	// A number of 31 bits fits into an int on every machine.
	number, err := strconv.ParseUint(strings.TrimSpace(e.Value), 10, 31)
	isNumber := err == nil
	switch {
	case strings.HasSuffix(d.ID, "object_number") && isNumber: // also dynamic_object_number
		key := fmt.Sprintf("%d\x00%s\x00%s\x00%s\x00%s", seed, benchmark, sample, d.ID, e.Name)
		q.Options, q.Answer = numberOptions(int(number), rand.New(rand.NewChaCha8(sha256.Sum256([]byte(key)))))
	case d.Closed():
		q.Options = d.categoryNames()
		q.Answer = slices.Index(q.Options, e.Value) // Elements has made sure that the set has the value.
	case strings.Contains(text, "%[2]s"): // The question states the value, so yes, the first option, is right.
		q.Options = []string{"Yes.", "No.", "Can't tell."}
	}
	return q
}

// questionTexts are the questions of the dimensions: %[1]s is the medium, %[2]s the value of the
// element, and %[3]s the name of its object. A text need not use all three.
var questionTexts = map[string]string{
	"object_category":          "Does the object '%[2]s' appear in the %[1]s?",
	"spatial_relation":         "Is this relationship true of the %[1]s: '%[2]s'?",
	"scene":                    "Does the scene '%[2]s' fit the %[1]s?",
	"action":                   "Does the action '%[2]s' appear in the %[1]s?",
	"event":                    "Does the event '%[2]s' happen in the %[1]s?",
	"object_number":            "How many '%[3]s' appear in this %[1]s?",
	"dynamic_object_number":    "How many '%[3]s' appear in this %[1]s?",
	"object_color":             "What is the color of the object '%[3]s' in the %[1]s?",
	"OCR":                      "What are the texts in the %[1]s?",
	"character_identification": "Who is this person or character in the %[1]s?",
	"camera_angle":             "What is the camera angle when shooting this %[1]s?",
	"camera_movement":          "What is the direction of camera movement when shooting this %[1]s?",
	"style":                    "What is the style of this %[1]s?",
}

// numberOptions are a number and three other numbers. The other numbers are drawn from the three
// numbers below the number, if they are at least 1, and the three above it. So 0 is an option only
// if it is the number. answer is the position of the number among the options.
func numberOptions(number int, r *rand.Rand) (options []string, answer int) {
	var near []int
	for other := number - 3; other <= number+3; other++ {
		if other != number && other >= 1 {
			near = append(near, other)
		}
	}
	r.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
	numbers := append(near[:3], number)
	r.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	for _, option := range numbers {
		options = append(options, strconv.Itoa(option))
	}
	return options, slices.Index(numbers, number)
}
