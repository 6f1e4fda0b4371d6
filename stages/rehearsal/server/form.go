package server

import "strings"

// section returns the text under a label of a message: from "Label:" at the start of a line up to
// the next line that starts with one of the other labels. It is empty without the label.
func section(text, label string, others ...string) string {
	_, body, found := strings.Cut("\n"+text, "\n"+label+":")
	if !found {
		return ""
	}
	for _, other := range others {
		body, _, _ = strings.Cut(body, "\n"+other+":")
	}
	return strings.TrimSpace(body)
}
