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

// judgeCategories lists the categories that one of the caption's sentences names.
func judgeCategories(caption []sentence, categories []string) rubricCategories {
	var named []string
	for _, c := range categories {
		words := content(c)
		if slices.ContainsFunc(caption, func(s sentence) bool { return s.has(words) }) {
			named = append(named, strings.TrimSpace(c))
		}
	}
	if len(named) == 0 {
		return rubricCategories{Pred: []string{"N/A"}, Reason: "The caption names no category."}
	}
	return rubricCategories{Pred: named, Reason: "The caption names these categories."}
}

// judgeAnnotation says whether the caption's sentences state an annotation, contradict it or do not
// mention it.
func judgeAnnotation(caption []sentence, annotation string) rubricScore {
	subject, value, pair := strings.Cut(strings.Trim(annotation, "{} "), ":")
	if !pair {
		subject, value = "", annotation
	}
	about, stated := content(subject), content(value)
	mentioned := false
	for _, s := range caption {
		mentions := s.has(about)
		if s.has(stated) && (len(about) == 0 || mentions) {
			return rubricScore{1, "The caption states it."}
		}
		mentioned = mentioned || mentions
	}
	if mentioned {
		return rubricScore{-1, "The caption mentions the subject with something else."}
	}
	return rubricScore{0, "The caption does not mention it."}
}
