package review

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/web"
)

// draft is a question during an edit.
type draft struct {
	Question string
	Options  []string
	Key      int // position of the right option; -1 without one
	Note     string
	Faults   []fault // why the draft was not stored
}

// fault says what is wrong with a draft, and in which field.
type fault struct {
	At   string // id of the field
	Text string
}

// Of reports whether a field has a fault.
func (d draft) Of(at string) bool {
	return slices.ContainsFunc(d.Faults, func(f fault) bool { return f.At == at })
}

// Focus is the id of the field with the focus: the first field with a fault, or the question.
func (d draft) Focus() string { return append(d.Faults, fault{At: questionField})[0].At }

// questionField is the id of the field of the question.
const questionField = "question"

// optionField is the id of the field of an option.
func optionField(i int) string { return "option-" + strconv.Itoa(i) }

// draftOf is the draft at the beginning of an edit. It has the texts as pages show them, so that
// the reviewer sees hidden characters, too.
func draftOf(q construct.Item) draft {
	d := draft{Question: data.Plain(q.Question), Key: q.Answer}
	for _, o := range q.Options {
		d.Options = append(d.Options, data.Plain(o))
	}
	return d
}

// readDraft reads a draft from the form. It drops an option that was emptied, and the key follows
// its option.
func readDraft(form url.Values) draft {
	clean := func(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }
	d := draft{Question: clean(form.Get("question")), Note: clean(form.Get("note")), Key: -1}
	key := number(form.Get("key"))
	for i, text := range form["option"] {
		option := clean(text)
		if option == "" {
			continue
		}
		if i == key {
			d.Key = len(d.Options)
		}
		d.Options = append(d.Options, option)
	}
	return d
}

// Fields are the texts of the fields for options: all options, and two empty fields for new
// options.
func (d draft) Fields() []string { return append(slices.Clone(d.Options), "", "") }

// number reads a position from a form; -1 if it is invalid.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// item is the draft as a question. A text that the user did not change keeps its original bytes,
// although the form has shown it as plain text.
func (d draft) item(before construct.Item) construct.Item {
	originals := map[string]string{} // by the text that the form has shown
	for _, text := range append([]string{before.Question}, before.Options...) {
		originals[strings.TrimSpace(data.Plain(text))] = text
	}
	original := func(text string) string {
		if unchanged, known := originals[text]; known {
			return unchanged
		}
		return text
	}
	after := construct.Item{Question: original(d.Question), Answer: d.Key}
	for _, option := range d.Options {
		after.Options = append(after.Options, original(option))
	}
	return after
}

// check finds the faults of an edited question before it is stored: texts that a page cannot show,
// or else the first fault that construct.FaultOf finds.
func check(q construct.Item) (faults []fault) {
	field, name := questionField, "The question" // of the text; the options follow after the question
	for i, text := range append([]string{q.Question}, q.Options...) {
		// Plain writes RuneError in place of each character that a page cannot show.
		if before, _, hidden := strings.Cut(data.Plain(text), string(utf8.RuneError)); hidden {
			faults = append(faults, fault{field,
				fmt.Sprintf("%s: character %d cannot be shown, but readers would get it. Write it again.",
					name, utf8.RuneCountInString(before)+1)})
		}
		field, name = optionField(i), "Option "+web.Letter(i)
	}
	f := construct.FaultOf(q.Question, q.Options, q.Answer)
	if len(faults) > 0 || f.Reason == "" {
		return faults
	}
	letter := func(n int) string { return web.Letter(f.Options[n]) } // of the nth option with the fault
	field = questionField
	text := "The question is malformed: " + f.Reason + "."
	switch f.Reason {
	case construct.NoQuestion:
		text = "The question has no word. Write one."
	case construct.NoOptions: // The form has the first empty field there.
		field, text = optionField(len(q.Options)), "There are fewer than two options. Add one."
	case construct.TooManyOptions: // The fault is at the first option without a letter.
		field, text = optionField(construct.MaxOptions),
			fmt.Sprintf("There are %d options, and %d letters. Remove some.", len(q.Options), construct.MaxOptions)
	case construct.DuplicateOption:
		text = "Options " + letter(0) + " and " + letter(1) + " say the same. Change or remove one of them."
	case construct.OverlapOption:
		text = "Option " + letter(0) + " is about other options, which readers see in another order. Write what it means."
		if len(f.Options) == 2 {
			text = "Options " + letter(0) + " and " + letter(1) + " can be right together. Change or remove one of them."
		}
	case construct.NoKey:
		field, text = "key-0", "No option is the key. Choose the right one."
	case construct.AnswerNamed:
		text = "The question names the key, option " + letter(0) +
			", and no other option, so it gives the answer away. Write it in other words."
	case construct.NamesCaption:
		text = "The question speaks of the caption. Ask about the picture."
	}
	// AnswerNamed has an option, too, but the question has to change.
	if len(f.Options) > 0 && f.Reason != construct.AnswerNamed {
		field = optionField(f.Options[len(f.Options)-1])
	}
	return []fault{{field, text}}
}

// equal reports whether two questions are the same, byte for byte.
func equal(a, b construct.Item) bool {
	return a.Question == b.Question && slices.Equal(a.Options, b.Options) && a.Answer == b.Answer
}
