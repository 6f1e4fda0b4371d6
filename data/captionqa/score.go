package captionqa

import "strconv"

// Outcome is the result of one answer.
type Outcome string

// The outcomes of an answer. The paper has the first three (CaptionQA section 3.4). The authors'
// evaluation code counts Unparsed and Failed as incorrect. We count these two outcomes separately,
// with the score of an incorrect answer.
const (
	Correct   Outcome = "correct"   // the reader chose the key
	Incorrect Outcome = "incorrect" // the reader chose another option
	Cannot    Outcome = "cannot"    // the reader chose the cannot option
	Unparsed  Outcome = "unparsed"  // the reply names no option
	Failed    Outcome = "failed"    // there is no reply
)

// Score returns the points of one answer (CaptionQA section 3.4): 1 when correct, 1/K + 0.05 when
// the reader said that it cannot answer, else 0. k is the paper's K, the number of options without
// the cannot option. The result is bit-identical to the authors' (1.0 / K) + 0.05. If k is below 1,
// the outcome Cannot scores 0.
func Score(outcome Outcome, k int) float64 {
	switch {
	case outcome == Correct:
		return 1
	case outcome == Cannot && k >= 1:
		return 1/float64(k) + 0.05
	}
	return 0
}

// FileScore returns a score as the authors' result files hold it: rounded to four decimals as
// Python's round(score, 4) does, so that 1/3 + 0.05 becomes 0.3833. Published averages are means of
// these rounded scores.
func FileScore(score float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(score, 'f', 4, 64), 64) // a number's text always parses
	return rounded
}

// Decide returns the outcome of a parsed reply, as published by the authors' evaluation code.
// offered are the options in original order; the cannot option comes last if it is offered. choice
// is the original position of the option that the reader chose, or −1 if the reader chose no
// option. key is the original position of the right option. An option with the text CannotOption
// counts as cannot at any position, even if it is the key. A choice outside the options is
// unparsed.
func Decide(offered []string, choice, key int) Outcome {
	switch {
	case choice < 0 || choice >= len(offered):
		return Unparsed
	case offered[choice] == CannotOption:
		return Cannot
	case choice == key:
		return Correct
	}
	return Incorrect
}

// KeyIndex returns the position of the key in the bank's options: the first option that equals the
// answer's text, ignoring white space at the ends (as published by the authors' evaluation code,
// which skips a question without a key).
func KeyIndex(options []string, answer string) (int, bool) {
	answer = pythonStrip(answer)
	for i, option := range options {
		if pythonStrip(option) == answer {
			return i, true
		}
	}
	return 0, false
}
