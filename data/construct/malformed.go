package construct

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Reasons why a candidate is malformed, as tables have them, in the order of the checks.
const (
	NoQuestion     = "no_question"      // the question has no letter or digit
	NoOptions      = "no_options"       // fewer than two options
	TooManyOptions = "too_many_options" // more than MaxOptions
	emptyOption    = "empty_option"     // an option has no letter, digit or symbol
	// two options have the same meaning: they differ only in letter case, punctuation, articles or the
	// order of parts that "and" joins
	DuplicateOption = "duplicate_option"
	// two options can be right together: ranges that share numbers, "all of the above", "A or B"
	OverlapOption = "overlapping"
	NoKey         = "no_key"            // the key is not among the options
	AnswerNamed   = "answer_named"      // the question names the key, and no other option
	NamesCaption  = "names_the_caption" // the question mentions the caption, which readers of pictures do not have

	Unparsed = "unparsed" // the generator's reply cannot be read; Malformed never gives this reason
)

// MaxOptions is the largest number of options: each option needs a letter of its own.
const MaxOptions = 26

// Malformed is the reason why a generated question cannot be asked, as FaultOf finds it; empty if
// the question can be asked.
func Malformed(question string, options []string, key int) string {
	return FaultOf(question, options, key).Reason
}

// A Fault says why a question cannot be asked.
type Fault struct {
	Reason string // the first reason that holds, in the order above; empty if the question can be asked
	// positions of the options with the fault, from 0; empty if the fault is in the question or in
	// the number of options
	Options []int
}

// FaultOf says why a question cannot be asked. key is the position of the right option, from 0; any
// other number means that there is no key.
//
// The paper names two rules that need a model: the blind test and the validators (sections 4.3.2
// and 4.4). FaultOf needs no model. In doubt it finds no fault, and the validators decide about the
// question.
func FaultOf(question string, options []string, key int) Fault {
	switch {
	case len(words(question)) == 0:
		return Fault{Reason: NoQuestion}
	case len(options) < 2:
		return Fault{Reason: NoOptions}
	case len(options) > MaxOptions:
		return Fault{Reason: TooManyOptions}
	}
	if i := slices.IndexFunc(options, func(o string) bool { return meaning(o) == "" }); i >= 0 {
		return Fault{emptyOption, []int{i}}
	}
	if pair := pairOf(options, func(a, b string) bool { return meaning(a) == meaning(b) }); pair != nil {
		return Fault{DuplicateOption, pair}
	}
	if i := slices.IndexFunc(options, aboutOthers.MatchString); i >= 0 {
		return Fault{OverlapOption, []int{i}}
	}
	if pair := pairOf(options, overlap); pair != nil {
		return Fault{OverlapOption, pair}
	}
	switch {
	case key < 0 || key >= len(options):
		return Fault{Reason: NoKey}
	case answerNamed(question, options, key):
		return Fault{AnswerNamed, []int{key}}
	case namesCaption.MatchString(question):
		return Fault{Reason: NamesCaption}
	}
	return Fault{}
}

// KeyOf is the position, from 0, of an answer among the options: the option with the same text, or
// else the only option with the same meaning; -1 if there is no such option.
func KeyOf(answer string, options []string) int {
	if i := slices.Index(options, answer); i >= 0 {
		return i
	}
	found := -1
	for i, option := range options {
		if meaning(option) == "" || meaning(option) != meaning(answer) {
			continue
		}
		if found >= 0 { // Two options have the meaning, so the answer is ambiguous.
			return -1
		}
		found = i
	}
	return found
}

// pairOf are the positions of two related options, the earlier first; nil if no two are related.
func pairOf(options []string, related func(a, b string) bool) []int {
	for i, a := range options {
		for j := i + 1; j < len(options); j++ {
			if related(a, options[j]) {
				return []int{i, j}
			}
		}
	}
	return nil
}

var wordPattern = regexp.MustCompile(`(?:\p{Nd}+(?:[.,]\p{Nd}+)*|[\pL\pM])+`)

// words are the runs of letters and the numbers of a text in lower case. A point or comma between
// digits belongs to the number.
func words(text string) []string { return wordPattern.FindAllString(strings.ToLower(text), -1) }

// meaning is an option in a normal form: its words without articles, with the parts that "and"
// joins in alphabetical order. Options with the same meaning have the same form. An option without
// letters and digits is its own form.
func meaning(option string) string {
	all, trimmed := words(option), strings.TrimSpace(option)
	if len(all) == 0 {
		return trimmed
	}
	// A minus changes the meaning of a number: -5 is not 5. Other symbols do not: 5 % is 5.
	if strings.HasPrefix(trimmed, "-") || strings.HasPrefix(trimmed, "−") {
		all[0] = "-" + all[0]
	}
	all = slices.DeleteFunc(all, func(word string) bool { return word == "a" || word == "an" || word == "the" })
	if len(all) == 0 {
		return strings.ToLower(trimmed) // the option is an article, or the letter A
	}
	parts := strings.Split(strings.Join(all, " "), " and ")
	slices.Sort(parts)
	return strings.Join(parts, " and ")
}

// aboutOthers matches an option about other options, such as "both of the above". After the shuffle
// of the options, such an option would mean the wrong options.
var aboutOthers = regexp.MustCompile(`(?i)` +
	`\b(all|both|any|either|neither|none|some|two|more than one) of (the|these|those) ` +
	`(above|below|others?|options?|answers?|choices?)\b|` +
	`\b(both|either) (option )?[A-Z] (and|or) (option )?[A-Z]\b`)

// span matches a range of numbers: its lower end, its upper end, and the unit after it.
var span = regexp.MustCompile(`^\D*?(\d+(?:\.\d+)?)\s*(?:-|–|—|\bto\b)\s*(\d+(?:\.\d+)?)(\D*)$`)

// overlap reports whether two options can be right together: both are ranges that share a number,
// or one option is a choice ("A or B") that contains the other option.
func overlap(a, b string) bool {
	spanA, spanB := span.FindStringSubmatch(a), span.FindStringSubmatch(b)
	// Ranges are only compared if they have the same unit, which is group 3 of span.
	if spanA != nil && spanB != nil && strings.TrimSpace(spanA[3]) == strings.TrimSpace(spanB[3]) {
		lowA, highA, okA := ends(spanA)
		lowB, highB, okB := ends(spanB)
		return okA && okB && lowA <= highB && lowB <= highA
	}
	isChoice := func(option, of string) bool {
		choices := strings.Split(strings.Join(words(of), " "), " or ")
		return len(choices) > 1 && slices.Contains(choices, strings.Join(words(option), " "))
	}
	return isChoice(a, b) || isChoice(b, a)
}

// ends are the ends of a range that span found; false if they are not numbers in growing order.
func ends(found []string) (low, high float64, ok bool) {
	low, errLow := strconv.ParseFloat(found[1], 64)
	high, errHigh := strconv.ParseFloat(found[2], 64)
	return low, high, errLow == nil && errHigh == nil && low <= high
}

// answerNamed reports whether the question gives its key away: it names the key and none of the
// other options. Keys of one letter, yes and no do not count, since many questions contain them by
// chance.
func answerNamed(question string, options []string, key int) bool {
	asked := " " + strings.Join(words(question), " ") + " "
	isNamed := func(option string) bool {
		name := strings.Join(words(option), " ")
		return len([]rune(name)) > 1 && name != "yes" && name != "no" && strings.Contains(asked, " "+name+" ")
	}
	for i, option := range options {
		if isNamed(option) != (i == key) {
			return false
		}
	}
	return true
}

// namesCaption matches questions about a captioner's text. Documents and shops in a picture may
// show captions and descriptions, and questions about such texts in the picture are allowed.
var namesCaption = regexp.MustCompile(`(?i)` +
	`\b(according to|based on|mentioned in|described in|stated in|given in|from|by) ` +
	`(the|this|that) ((given|provided) )?(image )?caption\b|` +
	`\b(the|this) (image )?caption (says?|states?|mentions?|describes?|tells?|provides?)\b|\bimage description\b`)
