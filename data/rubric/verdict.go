package rubric

import (
	"slices"
	"strconv"
	"strings"
)

// A Verdict is what a judgment of one element came to, as the table judgments holds it.
type Verdict string

// The verdicts. The first three are those of CAPability section 3.2; the other two keep what cannot be counted apart.
const (
	Positive Verdict = "positive" // the caption mentions the element's dimension, and correctly
	Negative Verdict = "negative" // it mentions it, but not as annotated
	Miss     Verdict = "miss"     // it does not mention it
	Unparsed Verdict = "unparsed" // the judge's reply cannot be read
	Failed   Verdict = "failed"   // the judge gave no reply
)

// ScoreVerdict turns the score of an open-ended dimension into a verdict: 1, −1 and 0 are positive, negative and miss
// (CAPability Figure A3). Any other score is none.
func ScoreVerdict(score int) (v Verdict, ok bool) {
	switch score {
	case 1:
		return Positive, true
	case -1:
		return Negative, true
	case 0:
		return Miss, true
	}
	return "", false
}

// CategoryVerdict turns the categories that a judge found in a caption into a verdict: positive if the annotated one is
// among them, miss if the judge wrote only N/A, else negative (CAPability appendix B.2).
func CategoryVerdict(annotated string, predicted []string) Verdict {
	switch {
	case len(predicted) == 1 && predicted[0] == NotMentioned:
		return Miss
	case slices.Contains(predicted, annotated):
		return Positive
	}
	return Negative
}

// readScore reads a score that a judge wrote as a number or as text; true and false are 1 and 0, as Python and with it the
// authors' evaluator has them. The typographic minus is one that models write.
func readScore(value any) (int, bool) {
	if truth, ok := value.(bool); ok {
		if truth {
			return 1, true
		}
		return 0, true
	}
	text, ok := scalar(value)
	if !ok {
		return 0, false
	}
	text = strings.Replace(strings.TrimSpace(text), "−", "-", 1)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != -1 && x != 0 && x != 1 {
		return 0, false
	}
	return int(x), true
}

// readCategories reads the categories that a judge wrote: a list, one text, or a text that holds a list. As in the
// authors' evaluator N/A overrides whatever is beside it, and an empty list is a list: it does not hold the annotated
// category, so that the verdict is negative. A category outside the set is not read.
func (d *Dimension) readCategories(value any) (names []string, ok bool) {
	var items []any
	switch v := value.(type) {
	case []any:
		items = v
	case string:
		items = d.splitCategories(v)
	default:
		return nil, false
	}
	for _, item := range items {
		text, isText := item.(string)
		if !isText {
			return nil, false
		}
		if strings.EqualFold(strings.TrimSpace(text), NotMentioned) {
			names = append(names, NotMentioned)
			continue
		}
		name, known := d.Category(text)
		if !known {
			return nil, false
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if slices.Contains(names, NotMentioned) {
		names = []string{NotMentioned}
	}
	return names, true
}

// splitCategories reads one text as the categories it lists.
func (d *Dimension) splitCategories(text string) []any {
	text = strings.TrimSpace(text)
	if value, length, err := ParseLiteral(text); err == nil && length == len(text) {
		if list, ok := value.([]any); ok {
			return list
		}
	}
	if _, whole := d.Category(text); whole || !strings.Contains(text, ",") {
		return []any{text}
	}
	var items []any
	for part := range strings.SplitSeq(text, ",") {
		items = append(items, strings.TrimSpace(part))
	}
	return items
}
