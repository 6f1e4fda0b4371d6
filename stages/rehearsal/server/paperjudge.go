package server

import "strings"

// judgeRubric says whether a caption states an annotation, in prompts of CAPability's layout
// (Figure A3), and judges open answers in the same way. These prompts have no system message. An
// annotation may be "{subject: value}" or a plain text.
//
// In: a user message that begins with "Given an image caption", "Given a video caption" or "Given a
// question" and asks for JSON. It has lines "Image Caption: …" or "Video Caption: …" and the
// annotated element, or the list of categories. Out: JSON of rubricScore or rubricCategories.
func (*World) judgeRubric(_ Profile, a Ask) Say {
	var verdict any = rubricScore{0, "The request cannot be made out."}
	caption, annotation, categories, ok := takePaperApart(a.User)
	switch {
	case ok && len(categories) > 0:
		verdict = judgeCategories(sentencesOf(caption), categories)
	case ok:
		verdict = judgeAnnotation(sentencesOf(caption), annotation)
	}
	return Say{Text: string(encode(verdict))}
}

// takePaperApart finds the caption in a prompt of CAPability's paper, and the annotation or the
// list of categories; ok is false if the prompt has another form. Captions are untrusted and may
// contain the words around them. So of the words before a caption the first occurrence counts, and
// of the words after it the last.
func takePaperApart(user string) (caption, annotation string, categories []string, ok bool) {
	if _, rest, found := strings.Cut(user, "\nCorrect Answer: "); found && strings.HasPrefix(user, "Given a question") {
		annotation, caption, ok = strings.Cut(rest, "\nModel Answer: ")
		return before(caption, "\nPlease compare "), annotation, nil, ok
	}
	// In the other two forms the caption comes first, and then a line with the annotation, or rules
	// with the list of categories.
	_, rest, found := strings.Cut(user, " Caption: ")
	if !found {
		return "", "", nil, false
	}
	end := strings.LastIndex(rest, "\nPlease analyze ")
	if end < 0 {
		return "", "", nil, false
	}
	body, rules := rest[:end], rest[end:]
	if _, list, closed := strings.Cut(rules, " into the following categories: ['"); closed {
		list, _, ok = strings.Cut(list, "']")
		return body, "", strings.Split(list, "', '"), ok
	}
	at := strings.LastIndex(body, "\n")
	if at < 0 {
		return "", "", nil, false
	}
	_, annotation, ok = strings.Cut(body[at:], ": ") // The annotation comes after the name of the annotated element.
	return body[:at], annotation, nil, ok
}

// before is a text up to the last occurrence of a mark.
func before(text, mark string) string {
	if i := strings.LastIndex(text, mark); i >= 0 {
		return text[:i]
	}
	return text
}
