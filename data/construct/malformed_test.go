package construct

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

func TestMalformed(t *testing.T) {
	t.Parallel()
	colours := []string{"Red", "Blue", "Green"}
	many := make([]string, 27)
	for i := range many {
		many[i] = strings.Repeat("x", i+1)
	}
	for _, c := range []struct {
		question string
		options  []string
		key      int
		want     string
	}{
		{"What colour is the car?", colours, 0, ""},
		{"车是什么颜色？", []string{"红色", "蓝色"}, 1, ""},
		{" ?! ", colours, 0, NoQuestion},
		{"What colour is it?", nil, 0, NoOptions},
		{"What colour is it?", []string{"Red"}, 0, NoOptions},
		{"Which string is it?", many[:26], 25, ""},
		{"Which string is it?", many, 0, TooManyOptions},
		{"What colour is it?", []string{"Red", " "}, 0, emptyOption},
		{"Which sign is it?", []string{"+", "−"}, 0, ""},
		{"Which sign is it?", []string{"+", " + "}, 0, DuplicateOption},
		{"What colour is it?", []string{"Red", "red."}, 0, DuplicateOption},
		{"What is it?", []string{"A dog", "The dog"}, 0, DuplicateOption},
		{"What is it?", []string{"Red and blue", "Blue and red"}, 0, DuplicateOption},
		{"What is it?", []string{"Red on blue", "Blue on red"}, 0, ""},
		{"How cold is it?", []string{"-5", "5"}, 0, ""},
		{"How much is it?", []string{"1.5", "15"}, 0, ""},
		{"Which letter is it?", []string{"A", "The"}, 0, ""},
		{"How many are there?", []string{"1-3", "3-5"}, 0, OverlapOption},
		{"How many are there?", []string{"1 to 3 people", "4 to 5 people"}, 0, ""},
		{"How long is it?", []string{"1-3 cm", "1-3 m"}, 0, ""},
		{"What is it?", []string{"Red", "Red or blue"}, 0, OverlapOption},
		{"What is it?", []string{"Table", "Table and chairs"}, 0, ""},
		{"What is it?", []string{"Red", "Blue", "All of the above"}, 0, OverlapOption},
		{"What is it?", []string{"Red", "Blue", "Both A and B"}, 0, OverlapOption},
		{"What is it?", []string{"Red", "Both cars"}, 0, ""},
		{"What colour is it?", colours, -1, NoKey},
		{"What colour is it?", colours, 3, NoKey},
		{"What colour is the red car?", colours, 0, AnswerNamed},
		{"What colour is the red car?", colours, 1, ""},
		{"Is the car red or blue?", colours, 0, ""},
		{"Is there a car with no wheels?", []string{"Yes", "No"}, 1, ""},
		{"Which reddish hue is it?", colours, 0, ""},
		{"What colour is the car according to the caption?", colours, 0, NamesCaption},
		{"What does the description mention first?", colours, 0, ""},
		{"What colour has the caption of Figure 2?", colours, 0, ""},
		{"Which colour does the caption state? The caption says one.", colours, 0, NamesCaption},
		{"Which colour is in the image description?", colours, 0, NamesCaption},
	} {
		expect.Equal(t, Malformed(c.question, c.options, c.key), c.want, c.options, c.key)
	}
}

func TestKeyOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		answer  string
		options []string
		want    int
	}{
		{"Blue", []string{"Red", "Blue"}, 1}, {"blue.", []string{"Red", "Blue"}, 1}, {"Green",
			[]string{"Red", "Blue"}, -1},
		{"red", []string{"Red", "RED"}, -1}, {"RED", []string{"Red", "RED"}, 1}, {"", []string{"", "x"}, 0}, {" ",
			[]string{"", "x"}, -1}, {"x", nil, -1},
	} {
		expect.Equal(t, KeyOf(c.answer, c.options), c.want, c.options)
	}
}

// Generators write anything. Options that pass have each its own meaning.
func FuzzMalformed(f *testing.F) {
	f.Add("What colour is the car?", "Red\nBlue", 0)
	f.Add("How many?", "1-3\n3-5", 1)
	f.Add("\xff", "\xff\n\x00", 5)
	f.Add("Which?", "a\nthe\n-\n−5", 2)
	f.Fuzz(func(t *testing.T, question, lines string, key int) {
		options := strings.Split(lines, "\n")
		reason := Malformed(question, options, key)
		if reason == "" && (key < 0 || key >= len(options) || KeyOf(options[key], options) != key) {
			t.Fatalf("key %d of %q is kept", key, options)
		}
	})
}
