package construct

import (
	"fmt"
	"strconv"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/text"
)

// ProtocolBlind names the rules of blind trials. A changed prompt needs a new protocol.
const ProtocolBlind = "construct/blind/1"

// BlindSystem is the system message of a blind trial. The paper gives its content: the model cannot
// see the image and must answer with a single option letter (section 4.3.2). The paper does not
// print the prompt; these words are ours.
const BlindSystem = "You are given a multiple-choice question about an image that you CANNOT see. " +
	"Choose the option that is most likely from the question and the options alone. " +
	"Answer with a SINGLE LETTER (A, B, C, ...), no explanation."

// BlindTemperature is the sampling temperature of blind trials. A model's guesses have a
// distribution, and the ten trials are a sample of it.
const BlindTemperature = 1.0

// A Presentation is a candidate as a model sees it: the question, and the options with letters, in
// an order that may differ from the candidate's order.
type Presentation struct {
	User  string   // the user message
	Texts []string // options in presented order
	Order []int32  // for each presented option, its position in the candidate's options
}

// PresentBlind presents a candidate for one blind trial; trials are counted from 0. Seed, candidate
// and trial determine the order of the options. More options than letters are an error.
func PresentBlind(seed int64, candidateID, question string, options []string, trial int) (Presentation, error) {
	return present(question, options,
		shuffled(len(options), strconv.FormatInt(seed, 10), candidateID, strconv.Itoa(trial)))
}

// present presents a question without a caption. order has, for each presented option, its position
// in options.
func present(question string, options []string, order []int32) (Presentation, error) {
	p := Presentation{Order: order, Texts: make([]string, len(options))}
	for i, place := range order {
		p.Texts[i] = options[place]
	}
	user, err := captionqa.UserPrompt("", question, p.Texts)
	p.User = captionqa.WithoutCaption(user)
	return p, err
}

// Read is the position, in the candidate's options, of the option that a reply names. A reply that
// names no option is an error.
func (p Presentation) Read(reply string) (int, error) {
	position, ok := captionqa.ParseStrict(text.Answer(reply), p.Texts)
	if !ok {
		return 0, fmt.Errorf("it names none of the %d options", len(p.Texts))
	}
	return int(p.Order[position]), nil
}
