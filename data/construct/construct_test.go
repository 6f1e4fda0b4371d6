package construct

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func TestReadWritten(t *testing.T) {
	t.Parallel()
	one := []Draft{{"What?", []string{"x", "y"}, "x"}}
	const question = `{"question":"What?","options":["x","y"],"answer":"x"}`
	for _, c := range []struct {
		reply string
		want  []Draft
		fault string
	}{
		{`{"questions":[` + question + `]}`, one, ""},
		{`[` + question + `]`, one, ""},
		{"```json\n[" + question + "]\n```", one, ""},
		{"<think>hm, [1]</think>\n[" + question + "]", one, ""},
		{`{"questions":[]}`, []Draft{}, ""},
		{`[]`, []Draft{}, ""},
		{"", nil, "it is not JSON"},
		{"There is none.", nil, "it is not JSON"},
		{`{}`, nil, "its JSON has no list of questions"},
		{`{"questions":null}`, nil, "its JSON has no list of questions"},
		{`[null]`, nil, "its question 1 has not all of question, options and answer"},
		{`[` + question + `,{"question":"What?","options":["x"]}]`, nil,
			"its question 2 has not all of question, options and answer"},
		{`[{"question":5}]`, nil, "its list of questions cannot be read"},
		{`{"questions":[` + question, nil, "it is not the JSON that was asked for"},
		{"```\n[]", nil, "it is not JSON"},
	} {
		got, err := ReadDrafts(c.reply)
		if (err == nil) != (c.fault == "") || err != nil && !strings.HasPrefix(err.Error(), c.fault) {
			t.Errorf("%s: error %v, want %q", c.reply, err, c.fault)
		}
		expect.Equal(t, got, c.want, c.reply)
	}
}

func TestGenerateUser(t *testing.T) {
	t.Parallel()
	expect.Equal(t, GenerateUser(Node{Domain: "kitchen", Category: "Tools", Aspect: "Sharp\nones"}),
		"Domain: kitchen\nCategory: Tools\nAspect: Sharp ones")
	var schema any
	must.Succeed(t, json.Unmarshal([]byte(GenerateSchema), &schema))
}

func TestPresentBlind(t *testing.T) {
	t.Parallel()
	options := []string{"a", "b", "c", "d"}
	first := map[string]int{}
	for trial := range 400 {
		p := must.Get(PresentBlind(1, "i/1", "Which?", options, trial))(t)
		again, _ := PresentBlind(1, "i/1", "Which?", options, trial)
		must.Equal(t, again, p, "the same trial is presented in two ways")
		if strings.Contains(p.User, "Caption") || !strings.HasPrefix(p.User, "Question:\nWhich?\n\nOptions:\nA. ") {
			t.Fatal(p.User)
		}
		for position, letter := range []string{"A", "B", "C", "D"} {
			must.Equal(t, options[must.Get(p.Read(letter))(t)], p.Texts[position], letter)
		}
		expect.Refusal(p.Read("E"))(t)
		first[p.Texts[0]]++
	}
	// Each of four options comes first in 100 of 400 trials, give or take 3 × √(400 × 1/4 × 3/4) = 26.
	for _, o := range options {
		expect.Between(t, first[o], 74, 126, o)
	}
	expect.Refusal(PresentBlind(1, "i/1", "Which?", make([]string, 27), 0))(t)
}

func TestReadValidation(t *testing.T) {
	t.Parallel()
	p := must.Get(PresentValidation("Which?", []string{"x", "y"}))(t)
	expect.Contains(t, p.User, "A. x\nB. y\nC. AMBIGUOUS_QUESTION\nD. UNANSWERABLE_FROM_IMAGE\n"+
		"E. NOT_SUITABLE_FOR_CAPTION_EVAL\nF. NONE_OF_THE_ABOVE\n")
	for _, c := range []struct {
		reply, choice string
		option        int
	}{
		{"A", ChoiceOption, 0}, {"b.", ChoiceOption, 1}, {"C", ChoiceAmbiguous, -1}, {"D", ChoiceUnanswerable, -1},
		{"E", ChoiceUnsuitable, -1},
		{"F", ChoiceNone, -1}, {"G", ChoiceUnparsed, -1}, {"none_of_the_above.", ChoiceNone, -1}, {"", ChoiceUnparsed,
			-1}, {"A or B", ChoiceUnparsed, -1},
		{"<think>A</think>B", ChoiceOption, 1},
	} {
		choice, option, err := ReadValidation(p, c.reply)
		if choice != c.choice || option != c.option || (err != nil) != (c.choice == ChoiceUnparsed) {
			t.Errorf("%q: %s %d %v, want %s %d", c.reply, choice, option, err, c.choice, c.option)
		}
	}
	expect.Refusal(PresentValidation("Which?", make([]string, 23)))(t)
}

func TestRoute(t *testing.T) {
	t.Parallel()
	key, other, flag, unread := Verdict{ChoiceOption, 1}, Verdict{ChoiceOption, 0}, Verdict{ChoiceNone, -1},
		Verdict{ChoiceUnparsed, 1}
	for _, c := range []struct {
		verdicts []Verdict
		want     string
	}{
		{[]Verdict{key, key}, RouteAccept}, {[]Verdict{key, key, key}, RouteAccept},
		{[]Verdict{flag, {ChoiceAmbiguous, -1}}, RouteDiscard},
		{[]Verdict{key, flag}, RouteReview}, {[]Verdict{key, other}, RouteReview}, {[]Verdict{other, other},
			RouteReview},
		{[]Verdict{key, unread}, RouteReview}, {[]Verdict{flag, unread}, RouteReview}, {[]Verdict{key}, RouteReview},
		{nil, RouteReview},
	} {
		expect.Equal(t, RouteOf(c.verdicts, 1), c.want)
	}
}

// Replies come from models and may be anything. A reply that can be read can be read again.
func FuzzReplies(f *testing.F) {
	for _, reply := range []string{"A", `{"questions":[{"question":"What?","options":["x","y"],"answer":"x"}]}`,
		"```json\n[]\n```", "[null]", "<think>", "\xff"} {
		f.Add(reply)
	}
	p := must.Get(PresentValidation("Which?", []string{"x", "y"}))(f)
	f.Fuzz(func(t *testing.T, reply string) {
		choice, option, err := ReadValidation(p, reply)
		if (err != nil) != (choice == ChoiceUnparsed) || (choice == ChoiceOption) != (option >= 0 && option < 2) {
			t.Fatal(choice, option, err)
		}
		written, err := ReadDrafts(reply)
		if err != nil {
			return
		}
		text := must.Get(json.Marshal(written))(t)
		again, err := ReadDrafts(string(text))
		if err != nil || !slices.EqualFunc(written, again, func(a, b Draft) bool {
			return a.Question == b.Question && a.Answer == b.Answer && slices.Equal(a.Options, b.Options)
		}) {
			t.Fatalf("%q is read as %q, and then as %q, %v", reply, written, again, err)
		}
	})
}
