package construct

import (
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/text"
)

// ProtocolValidate names the rules of validation. A changed prompt needs a new protocol.
const ProtocolValidate = "construct/validate/1"

// Choices of a validator, as tables have them.
const (
	ChoiceOption       = "option"       // one of the question's options
	ChoiceAmbiguous    = "ambiguous"    // AMBIGUOUS_QUESTION
	ChoiceUnanswerable = "unanswerable" // UNANSWERABLE_FROM_IMAGE
	ChoiceUnsuitable   = "unsuitable"   // NOT_SUITABLE_FOR_CAPTION_EVAL
	ChoiceNone         = "none"         // NONE_OF_THE_ABOVE
	ChoiceUnparsed     = "unparsed"     // a reply that cannot be read
	ChoiceFailed       = "failed"       // no reply
)

// flags are the four meta-flags that are offered after the options, in the paper's order (section
// 4.4).
var flags = []struct{ text, choice string }{
	{"AMBIGUOUS_QUESTION", ChoiceAmbiguous},
	{"UNANSWERABLE_FROM_IMAGE", ChoiceUnanswerable},
	{"NOT_SUITABLE_FOR_CAPTION_EVAL", ChoiceUnsuitable},
	{"NONE_OF_THE_ABOVE", ChoiceNone},
}

// Flag is the choice that an offered option stands for if it is a meta-flag; empty for other
// options.
func Flag(option string) string {
	for _, f := range flags {
		if f.text == option {
			return f.choice
		}
	}
	return ""
}

// ValidateSystem is the system message of a validator. The paper says that a validator is
// instructed to select one option (section 4.4), and prints no prompt; these words are ours.
const ValidateSystem = "Task: answer a multiple-choice question about the image, or flag it.\n\n" +
	"Choose the option that is right for the image. Choose a flag instead if the question deserves it:\n" +
	"AMBIGUOUS_QUESTION: more than one option is right, or the question can be read in more than one way.\n" +
	"UNANSWERABLE_FROM_IMAGE: the image does not show what is asked.\n" +
	"NOT_SUITABLE_FOR_CAPTION_EVAL: " +
	"no caption of the image could be expected to tell, as for long reasoning or trifles.\n" +
	"NONE_OF_THE_ABOVE: the question is clear and can be answered, but no option is right.\n" +
	"Answer with a SINGLE LETTER (A, B, C, ...), no explanation."

// PresentValidation presents a candidate to a validator: its options in their order, and then the
// four meta-flags. With more than 22 options the flags have no letter left, which is an error.
func PresentValidation(question string, options []string) (Presentation, error) {
	all := slices.Clone(options)
	for _, f := range flags {
		all = append(all, f.text)
	}
	order := make([]int32, len(all))
	for i := range order {
		order[i] = int32(i)
	}
	return present(question, all, order)
}

// ReadValidation reads a validator's choice among the options of PresentValidation: ChoiceOption
// with the option's position, or the choice of a flag with the position -1. A reply may give the
// name of a flag instead of its letter. The error says why a reply cannot be read.
func ReadValidation(p Presentation, reply string) (choice string, option int, err error) {
	options := len(p.Texts) - len(flags) // The flags come after the options.
	// The name of a flag may be in bold or in quotation marks, or end in a full stop.
	name := strings.ToUpper(strings.Trim(text.Answer(reply), ".*`\"'"))
	if choice := Flag(name); choice != "" {
		return choice, -1, nil
	}
	position, err := p.Read(reply)
	if err != nil {
		return ChoiceUnparsed, -1, fmt.Errorf("it names none of the %d options and no flag", options)
	}
	if position >= options {
		return Flag(p.Texts[position]), -1, nil
	}
	return ChoiceOption, position, nil
}

// ProtocolRoute names the rule of RouteOf.
const ProtocolRoute = "construct/route/1"

// Routes of a candidate after validation, as tables have them.
const (
	RouteAccept  = "accept"  // all validators chose the key
	RouteDiscard = "discard" // all validators chose a flag: to be discarded, if a person agrees
	RouteReview  = "review"  // everything else: a person decides
)

// A Verdict is one validator's choice.
type Verdict struct {
	Choice string
	Option int // position of the chosen option; only meaningful with ChoiceOption
}

// RouteOf is the route of a candidate (CaptionQA section 4.4). The candidate is accepted if all
// validators, two or more, chose its key, and suggested for discarding if all of them chose a flag.
// Otherwise a person decides, also if there are fewer than two verdicts.
func RouteOf(verdicts []Verdict, key int) string {
	choseKey, flagged := 0, 0
	for _, v := range verdicts {
		switch {
		case v.Choice == ChoiceOption && v.Option == key:
			choseKey++
		case slices.ContainsFunc(flags, func(f struct{ text, choice string }) bool { return f.choice == v.Choice }):
			flagged++
		}
	}
	switch {
	case len(verdicts) < 2:
		return RouteReview
	case choseKey == len(verdicts):
		return RouteAccept
	case flagged == len(verdicts):
		return RouteDiscard
	}
	return RouteReview
}
