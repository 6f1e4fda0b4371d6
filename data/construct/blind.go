package construct

import (
	"fmt"
	"strconv"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/text"
)

// ProtocolBlind names how candidates are tried without their image; another prompt is another protocol.
const ProtocolBlind = "construct/blind/1"

// BlindSystem is the system message of a blind trial. The paper says what it has to say: that the model cannot see the image and must answer
// with a single option letter (section 4.3.2). It does not print the prompt: these words are ours.
const BlindSystem = "You are given a multiple-choice question about an image that you CANNOT see. Choose the option that is most likely from the question " +
	"and the options alone. Answer with a SINGLE LETTER (A, B, C, ...), no explanation."

// BlindTemperature is the sampling temperature of blind trials: what a model would guess is a distribution, of which ten trials are a sample.
const BlindTemperature = 1.0

// A Presented is a candidate as a model sees it: its options in an order of their own, with letters.
type Presented struct {
	User  string   // what is asked
	Texts []string // options in presented order
	Order []int32  // place in the candidate's options of each presented one
}

// PresentBlind presents one blind trial of a candidate, from 0: the options in an order that seed, candidate and trial draw. More options than
// letters are an error.
func PresentBlind(seed int64, candidateID, question string, options []string, trial int) (Presented, error) {
	p, err := present(question, options, shuffled(len(options), strconv.FormatInt(seed, 10), candidateID, strconv.Itoa(trial)))
	p.User = captionqa.WithoutCaption(p.User)
	return p, err
}

func present(question string, options []string, order []int32) (Presented, error) {
	p := Presented{Order: order, Texts: make([]string, len(options))}
	for i, place := range order {
		p.Texts[i] = options[place]
	}
	var err error
	p.User, err = captionqa.UserPrompt("", question, p.Texts)
	return p, err
}

// Read is the place in the candidate's options that a reply names; the error says that it names none.
func (p Presented) Read(reply string) (int, error) {
	position, ok := captionqa.ParseStrict(text.Answer(reply), p.Texts)
	if !ok {
		return 0, fmt.Errorf("it names none of the %d options", len(p.Texts))
	}
	return int(p.Order[position]), nil
}
