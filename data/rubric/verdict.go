package rubric

import (
	"slices"
	"strconv"
	"strings"
)

// A Verdict is the result of judging one element, as the table judgments holds it.
type Verdict string

// The verdicts. CAPability section 3.2 has the first three. The other two mark elements without a
// readable judgment.
const (
	Positive Verdict = "positive" // the caption mentions the element's dimension, as annotated
	Negative Verdict = "negative" // the caption mentions the element's dimension, but not as annotated
	Miss     Verdict = "miss"     // the caption does not mention the element's dimension
	Unparsed Verdict = "unparsed" // the judge's reply cannot be read
	Failed   Verdict = "failed"   // the judge gave no reply
)

// categoryVerdict turns the categories that a judge found in a caption into a verdict: positive if
// the annotated category is among them, miss if the judge wrote only N/A, else negative (CAPability
// appendix B.2).
func categoryVerdict(annotated string, predicted []string) Verdict {
	switch {
	case len(predicted) == 1 && predicted[0] == NotMentioned:
		return Miss
	case slices.Contains(predicted, annotated):
		return Positive
	}
	return Negative
}

// scoreVerdict reads a score that a judge wrote as a number or as text: 1 is positive, −1 negative
// and 0 miss (CAPability Figure A3); any other score is invalid. true counts as 1 and false as 0,
// as in Python and so in the authors' evaluator. Models also write the typographic minus.
func scoreVerdict(value any) (verdict Verdict, ok bool) {
	switch value {
	case true:
		return Positive, true
	case false:
		return Miss, true
	}
	text, _ := scalar(value) // The text of any other value is empty, and ParseFloat refuses it.
	score, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), "−", "-", 1), 64)
	if err != nil {
		return "", false
	}
	verdict, ok = map[float64]Verdict{1: Positive, -1: Negative, 0: Miss}[score]
	return verdict, ok
}

// readCategories reads the categories that a judge wrote: a list, one text, or a text that holds a
// list. As in the authors' evaluator, N/A overrides all other categories, and an empty list is
// valid: it does not have the annotated category, so the verdict is negative. ok is false if a
// category is not in the set.
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

// splitCategories splits one text into the categories that it lists: a written list, one category
// with an explanation that may contain commas, or categories between commas.
func (d *Dimension) splitCategories(text string) []any {
	text = strings.TrimSpace(text)
	if value, length, err := ParseLiteral(text); err == nil && length == len(text) {
		if list, ok := value.([]any); ok {
			return list
		}
	}
	if _, isOne := d.Category(text); isOne {
		return []any{text}
	}
	var items []any
	for item := range strings.SplitSeq(text, ",") {
		items = append(items, item)
	}
	return items
}
