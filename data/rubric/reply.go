package rubric

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/text"
)

// maxReply is the longest reply that is read, in bytes. A judge writes a few hundred bytes.
const maxReply = 256 << 10

// maxAttempts is how many opening braces of a reply are tried as the start of an answer.
const maxAttempts = 256

// A Reply is a judge's reply about one element.
type Reply struct {
	Verdict   Verdict  // Positive, Negative or Miss; Unparsed with an error
	Predicted []string // categories found in the caption, or NotMentioned alone; nil for open-ended dimensions
	Reason    string   // the judge's reason; empty when it gave none
}

// unparsed is a reply that could not be read.
func unparsed(reason string) Reply { return Reply{Verdict: Unparsed, Reason: reason} }

// ReadReply reads the text of a judge's reply about one element. It looks for the answer after a
// reasoning model's thoughts, with or without Markdown fences, with text before or after it, in
// JSON or in Python's notation. Two answers that contradict each other are an error. On an error
// the reply is Unparsed, and the request may be repeated.
func (d *Dimension) ReadReply(e Element, reply string) (Reply, error) {
	if len(reply) > maxReply {
		return unparsed(""), fmt.Errorf("the reply is longer than %d bytes", maxReply)
	}
	rest := text.Answer(reply)
	var answers []Reply
	firstFault := errors.New("the reply holds no dictionary")
	for attempt := range maxAttempts {
		brace := strings.IndexByte(rest, '{')
		if brace < 0 {
			break
		}
		rest = rest[brace:]
		value, length, err := ParseLiteral(rest)
		if err != nil {
			length = 1 // The next attempt begins after this brace.
		}
		rest = rest[length:]
		var answer Reply
		if err == nil {
			answer, err = d.ReadAnswer(e, value)
		}
		if err == nil {
			answers = append(answers, answer)
		} else if attempt == 0 {
			firstFault = err // If there is no answer, the caller gets the error of the first brace.
		}
	}
	switch {
	case len(answers) == 0:
		return unparsed(""), firstFault
	case slices.ContainsFunc(answers, func(r Reply) bool { return r.Verdict != answers[0].Verdict }):
		return unparsed(""), errors.New("the reply holds answers that contradict each other")
	}
	return answers[0], nil
}

// ReadAnswer reads a judge's answer about one element from a parsed value: a dictionary with
// "score" for open-ended dimensions or "pred" for closed ones, and "reason". A value that is a text
// is a raw reply, and ReadReply reads it. ReadAnswer does not check whether the judge copied the
// element faithfully: released judgments correct spelling and quotation marks, and still count.
func (d *Dimension) ReadAnswer(e Element, value any) (Reply, error) {
	if text, ok := value.(string); ok {
		return d.ReadReply(e, text)
	}
	answer, ok := value.(Object)
	if !ok {
		return unparsed(""), errors.New("the answer is no dictionary")
	}
	given, _ := answer.Get("reason")
	reason, _ := scalar(given) // empty if there is no reason
	if d.Closed() {
		pred, present := answer.Get("pred")
		if !present {
			return unparsed(reason), errors.New(`the answer has no "pred"`)
		}
		predicted, ok := d.readCategories(pred)
		if !ok {
			return unparsed(reason), fmt.Errorf(`"pred" is no list of categories of %s`, d.ID)
		}
		return Reply{categoryVerdict(e.Value, predicted), predicted, reason}, nil
	}
	score, present := answer.Get("score")
	if !present {
		return unparsed(reason), errors.New(`the answer has no "score"`)
	}
	verdict, ok := scoreVerdict(score)
	if !ok {
		return unparsed(reason), errors.New(`"score" is not one of -1, 0 and 1`)
	}
	return Reply{Verdict: verdict, Reason: reason}, nil
}

// An elementReply is the result of reading one element's answer from a record.
type elementReply struct {
	Reply
	Missing bool  // whether the record has no answer about the element, which was then not judged
	Err     error // why the reply is Unparsed
}

// ReadRecord reads a record of released judgments about one media file, which may have several
// elements. The answer is the record itself or the value of "response": a list with one answer for
// each element in the annotation's order, a single answer, or the raw text of a reply. If the list
// has another length, each answer belongs to the element with the object that the answer names; an
// element that no answer names is Missing. The replies are in the order of the elements. stray
// counts answers that belong to no element, or to an element that has an answer already.
func (d *Dimension) ReadRecord(elements []Element, record Object) (replies []elementReply, stray int) {
	replies = make([]elementReply, len(elements))
	for i := range replies {
		replies[i].Missing = true
	}
	answers := []any{record}
	if response, ok := record.Get("response"); ok {
		answers = []any{response}
		if list, ok := response.([]any); ok {
			answers = list
		}
	}
	for place, answer := range answers {
		element := place // position of the element that the answer is about
		if len(answers) != len(elements) {
			dictionary, _ := answer.(Object)
			name := d.copiedName(dictionary)
			element = slices.IndexFunc(elements,
				func(e Element) bool { return name != "" && strings.EqualFold(e.Name, name) })
		}
		if element < 0 || !replies[element].Missing { // no element, or an element that has an answer already
			stray++
			continue
		}
		reply, err := d.ReadAnswer(elements[element], answer)
		replies[element] = elementReply{Reply: reply, Err: err}
	}
	return replies, stray
}
