package server

import (
	"slices"
	"strings"
)

// rubricScore is the rubric judge's reply for an annotation with a value (CAPability's released
// judge output): 1 if the caption states it correctly, -1 if it states it wrongly, 0 if it does not
// state it.
type rubricScore struct {
	Score  int    `json:"score"`
	Reason string `json:"reason"`
}

// rubricCategories is the rubric judge's reply for a closed set of categories: the categories that
// the caption names, or N/A.
type rubricCategories struct {
	Pred   []string `json:"pred"`
	Reason string   `json:"reason"`
}

func judgeCategories(known []sentence, categories []string) rubricCategories {
	out := rubricCategories{Reason: "The caption names these categories."}
	for _, c := range categories {
		words := content(c)
		if c = strings.TrimSpace(c); c != "" &&
			slices.ContainsFunc(known, func(s sentence) bool { return s.has(words) }) {
			out.Pred = append(out.Pred, c)
		}
	}
	if len(out.Pred) == 0 {
		return rubricCategories{Pred: []string{"N/A"}, Reason: "The caption names no category."}
	}
	return out
}

func judgeAnnotation(known []sentence, annotation string) rubricScore {
	subject, value, pair := strings.Cut(strings.Trim(annotation, "{} "), ":")
	if !pair {
		subject, value = "", annotation
	}
	about, stated := content(subject), content(value)
	mentioned := false
	for _, s := range known {
		switch {
		case s.has(stated) && (len(about) == 0 || s.has(about)):
			return rubricScore{1, "The caption states it."}
		case len(about) > 0 && s.has(about):
			mentioned = true
		}
	}
	if mentioned {
		return rubricScore{-1, "The caption mentions the subject with something else."}
	}
	return rubricScore{0, "The caption does not mention it."}
}
