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
	Probabilities []float64 // of each presented option under ProtocolProbabilities; otherwise nil
}

// Read reads a reply to a presented question under a protocol. key is the position of the right
// option. logprobs are the recorded log-probabilities of the reply; they may be empty. The error
// says that they cannot be decoded.
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
	position, ok := parseUpstream(reply, len(p.Texts))
	return p.reading(position, ok, options, key), nil
}

// ReadStrict is Read with ParseStrict.
func (p Presentation) ReadStrict(reply string, options, key int) Reading {
	position, ok := ParseStrict(reply, p.Texts)
	return p.reading(position, ok, options, key)
}

// reading is the result for a chosen presented option; ok is false if none was chosen.
func (p Presentation) reading(position int, ok bool, options, key int) (r Reading) {
	choice := int32(-1)
	if ok {
		choice = p.Order[position]
	}
	r.Outcome = Decide(p.Offered, int(choice), key)
	if ok && int(choice) < options {
		r.Choice = &choice
	}
	return r
}

// A candidate is one possible token, as the lake records log-probabilities.
type candidate struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
}

// letterProbabilities sums the probabilities of the first token's candidates for each presented
// option. A candidate counts for an option if it is its letter, ignoring white space and case.
// Letters that the server does not list count as 0, so the sum is at most 1.
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
		candidates = []candidate{tokens[0].candidate}
	}
	sums := make([]float64, options)
	for _, c := range candidates {
		letter := strings.ToUpper(strings.TrimSpace(c.Token))
		if len(letter) == 1 && letter[0] >= 'A' && int(letter[0]-'A') < options {
			sums[letter[0]-'A'] += math.Exp(c.Logprob)
		}
	}
	return sums, nil
}

// likeliest is the position of the largest probability, the first if several are equal; false if
// all are 0.
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
		words = 356
	}
	return words * 4 / 3
}
