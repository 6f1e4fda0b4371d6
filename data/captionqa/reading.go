package captionqa

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// A Reading is the result of reading a reply to a question.
type Reading struct {
	Outcome       Outcome
	Choice        *int32    // position of the chosen option among the bank's options; nil unless one of them was chosen
	Probabilities []float64 // probability of each presented option under ProtocolProbabilities; otherwise nil
}

// Read reads a reply to a presented question under a protocol. options is the number of the bank's
// options, and key the position of the right one among them. logprobs are the recorded
// log-probabilities of the reply; they may be empty. The error says that the log-probabilities
// cannot be decoded; then the outcome is Unparsed.
func (p Presentation) Read(protocol, reply, logprobs string, options, key int) (Reading, error) {
	switch protocol {
	case ProtocolProbabilities:
		probabilities, err := letterProbabilities(logprobs, len(p.Texts))
		position, ok := likeliest(probabilities)
		r := p.reading(position, ok, options, key)
		r.Probabilities = probabilities
		return r, err
	case ProtocolWithoutCannot:
		return p.ReadStrict(reply, options, key), nil
	}
	// The other protocols read replies with the authors' parser.
	position, ok := ParseUpstream(reply, len(p.Texts))
	return p.reading(position, ok, options, key), nil
}

// ReadStrict reads a reply as Read does, with ParseStrict in place of the protocol's parser.
func (p Presentation) ReadStrict(reply string, options, key int) Reading {
	position, ok := ParseStrict(reply, p.Texts)
	return p.reading(position, ok, options, key)
}

// reading is the result of a reply that names the option at a presented position; named is false if
// the reply names no option.
func (p Presentation) reading(position int, named bool, options, key int) Reading {
	if !named {
		return Reading{Outcome: Unparsed}
	}
	choice := p.Order[position]
	r := Reading{Outcome: Decide(p.Offered, int(choice), key)}
	if int(choice) < options { // The cannot option is not one of the bank's options.
		r.Choice = &choice
	}
	return r
}

// A candidate is a token that the model might have written, as the lake records log-probabilities.
type candidate struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
}

// letterProbabilities are the probabilities of the presented options. The probability of an option
// is the sum over all candidates for the first token that are the option's letter, ignoring white
// space and case. A letter that the server does not list has the probability 0, so all
// probabilities together are at most 1. The result is nil if there are no log-probabilities.
func letterProbabilities(logprobs string, options int) ([]float64, error) {
	if logprobs == "" {
		return nil, nil
	}
	var tokens []struct {
		candidate
		Top []candidate `json:"top"`
	}
	if err := json.Unmarshal([]byte(logprobs), &tokens); err != nil {
		return nil, fmt.Errorf("unreadable log-probabilities: %w", err)
	}
	if len(tokens) == 0 {
		return nil, nil
	}
	candidates := tokens[0].Top
	if len(candidates) == 0 {
		candidates = []candidate{tokens[0].candidate} // the token that the model wrote
	}
	sums := make([]float64, options)
	for _, c := range candidates {
		letter := strings.ToUpper(strings.TrimSpace(c.Token))
		if position, ok := letterIndex(letter); ok && position < options {
			sums[position] += math.Exp(c.Logprob)
		}
	}
	return sums, nil
}

// likeliest is the position of the largest probability, the first if several are equal. ok is false
// if no probability is above 0.
func likeliest(probabilities []float64) (position int, ok bool) {
	for i, p := range probabilities {
		if p > 0 && (!ok || p > probabilities[position]) {
			position, ok = i, true
		}
	}
	return position, ok
}

// AssumedTokens estimates the length of a caption that does not exist yet: the paper's mean number
// of words under its prompt (CaptionQA Figure 13), at four tokens for three words. A user's own
// prompt counts as Simple.
func AssumedTokens(prompt string) int {
	words, known := map[string]int{PromptShort: 22, PromptLong: 510, PromptTaxonomyHinted: 650}[prompt]
	if !known {
		words = 356 // under the prompt Simple
	}
	return words * 4 / 3
}
