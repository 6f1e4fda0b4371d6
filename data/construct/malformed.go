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
	// two options have the same meaning and differ only in letter case, punctuation or the order of words
	DuplicateOption = "duplicate_option"
	// two options can be right together: ranges that share numbers, "all of the above", "A or B"
	OverlapOption = "overlapping"
	NoKey         = "no_key"            // the key is not among the options
	AnswerNamed   = "answer_named"      // the question names the key, and no other option
	NamesCaption  = "names_the_caption" // the question mentions the caption, which readers of pictures do not have

	Unparsed = "unparsed" // not a reason of Malformed: the generator's reply cannot be read
)

// MaxOptions is the number of options that can have a letter.
const MaxOptions = 26

// Malformed says why a generated question cannot be asked; empty if it can. It is the reason of
// FaultOf.
func Malformed(question string, options []string, key int) string {
	return FaultOf(question, options, key).Reason
}

// A Fault says why a question cannot be asked.
type Fault struct {
	Reason string // the first of the reasons above that holds; empty if the question can be asked
	// positions of the options with the fault, from 0; empty if the fault is in the question or the number of options
	Options []int
}

// FaultOf says why a question cannot be asked. key is the position of the right option, from 0; any
// other number means that there is no key.
//
// The paper names two rules that need a model: the blind test and the validators (sections 4.3.2
// and 4.4). The faults here need no model. In doubt a question is kept and goes to the validators.
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

// KeyOf is the position of the answer among the options: the equal text, otherwise the only option
// with the same meaning; -1 without one.
func KeyOf(answer string, options []string) int {
	if i := slices.Index(options, answer); i >= 0 {
		return i
	}
	found := -1
	for i, o := range options {
		if m := meaning(o); m != "" && m == meaning(answer) {
			if found >= 0 {
				return -1
			}
			found = i
		}
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

// words are the runs of letters and digits of a text in lower case. A point or comma within a
// number belongs to it.
func words(text string) []string { return wordPattern.FindAllString(strings.ToLower(text), -1) }

// meaning is an option in a normal form: its words, with the parts that "and" joins in alphabetical
// order. Options with the same meaning have the same form. An option of symbols is unchanged.
func meaning(option string) string {
	all := words(option)
	if len(all) == 0 {
		return strings.TrimSpace(option)
	}
	// A sign changes a number: -5 is not 5, and 5 % is 5.
	if trimmed := strings.TrimSpace(option); strings.HasPrefix(trimmed, "-") || strings.HasPrefix(trimmed, "−") {
		all[0] = "-" + all[0]
	}
	all = slices.DeleteFunc(all, func(w string) bool { return w == "a" || w == "an" || w == "the" })
	if len(all) == 0 {
		return strings.TrimSpace(strings.ToLower(option)) // the option is an article, or the letter A
	}
	parts := strings.Split(strings.Join(all, " "), " and ")
	slices.Sort(parts)
	return strings.Join(parts, " and ")
}

// aboutOthers matches an option about other options: after the shuffle it would refer to the wrong ones.
var aboutOthers = regexp.MustCompile(`(?i)\b(all|both|any|either|neither|none|some|two|more than one) of (the|these|those) (above|below|others?|options?|answers?|choices?)\b|\b(both|either) (option )?[A-Z] (and|or) (option )?[A-Z]\b`)

var span = regexp.MustCompile(`^\D*?(\d+(?:\.\d+)?)\s*(?:-|–|—|\bto\b)\s*(\d+(?:\.\d+)?)(\D*)$`)

// overlap reports whether two options can be right together: two ranges share a number, or one
// option is a choice ("A or B") that contains the other.
func overlap(a, b string) bool {
	if x, y := span.FindStringSubmatch(a), span.FindStringSubmatch(b); x != nil && y != nil &&
		strings.TrimSpace(x[3]) == strings.TrimSpace(y[3]) {
		lowA, highA, okA := bounds(x)
		lowB, highB, okB := bounds(y)
		return okA && okB && lowA <= highB && lowB <= highA
	}
	part := func(whole, part string) bool {
		choices := strings.Split(strings.Join(words(whole), " "), " or ")
		return len(choices) > 1 && slices.Contains(choices, strings.Join(words(part), " "))
	}
	return part(a, b) || part(b, a)
}

func bounds(found []string) (low, high float64, ok bool) {
	low, errLow := strconv.ParseFloat(found[1], 64)
	high, errHigh := strconv.ParseFloat(found[2], 64)
	return low, high, errLow == nil && errHigh == nil && low <= high
}

// answerNamed reports whether the question gives its key away: it names the key and none of the
// other options. Keys of one letter, yes and no do not count, since many questions contain them by
// chance.
func answerNamed(question string, options []string, key int) bool {
	asked := " " + strings.Join(words(question), " ") + " "
	named := func(option string) bool {
		said := strings.Join(words(option), " ")
		return len([]rune(said)) > 1 && said != "yes" && said != "no" && strings.Contains(asked, " "+said+" ")
	}
	if !named(options[key]) {
		return false
	}
	for i, o := range options {
		if i != key && named(o) {
			return false
		}
	}
	return true
}

// namesCaption matches questions about a captioner's text. Pictures of documents and shops have
// captions and descriptions of their own, and questions about these are allowed.
var namesCaption = regexp.MustCompile(`(?i)\b(according to|based on|mentioned in|described in|stated in|given in|from|by) (the|this|that) ((given|provided) )?(image )?caption\b|\b(the|this) (image )?caption (says?|states?|mentions?|describes?|tells?|provides?)\b|\bimage description\b`)
