package captionqa

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// A Reading is what a reply to a question says.
type Reading struct {
	Outcome       Outcome
	Choice        *int32    // position of the chosen option among the bank's options; nil unless one of them was chosen
	Probabilities []float64 // of each presented option under ProtocolProbabilities; else nil
}

// Read reads a reply to a presented question under a protocol. key is the position of the right option; logprobs the
// log-probabilities of the reply as the lake records them, empty without. The error says that these cannot be decoded.
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
	position, ok := ParseUpstream(reply, len(p.Texts))
	return p.reading(position, ok, options, key), nil
}

// ReadStrict reads a reply as Read does, by ParseStrict.
func (p Presentation) ReadStrict(reply string, options, key int) Reading {
	position, ok := ParseStrict(reply, p.Texts)
	return p.reading(position, ok, options, key)
}

// reading is what the choice of a presented option says; ok is false when none was chosen.
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

// A candidate is one token that could have come, as the lake records log-probabilities.
type candidate struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
}

// letterProbabilities sums, for each presented option, the probabilities of the first token's candidates that are its
// letter, white space and case aside. What a server does not list counts as 0, so the sum is at most 1.
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

// likeliest is the position of the largest probability, the first of equal ones; false when all are 0.
func likeliest(probabilities []float64) (position int, ok bool) {
	for i, p := range probabilities {
		if p > 0 && (!ok || p > probabilities[position]) {
			position, ok = i, true
		}
	}
	return position, ok
}

// AssumedTokens is how long a caption that is still to be made is taken to be: the paper's mean number of words under its
// prompt (CaptionQA Figure 13) at four tokens for three words. A prompt of the user's own counts as Simple.
func AssumedTokens(prompt string) int {
	words, known := map[string]int{PromptShort: 22, PromptLong: 510, PromptTaxonomyHinted: 650}[prompt]
	if !known {
		words = 356
	}
	return words * 4 / 3
}
