package captionqa

import (
	"fmt"
	"strings"
)

// JoinCategory joins the levels of a taxonomy into one text, as banks have categories;
// SplitCategory splits this text again. A level that contains the separator, or begins or ends with
// white space, is an error.
func JoinCategory(category, subcategory, aspect string) (string, error) {
	joined := category
	switch sign := " " + categorySign; {
	case aspect != "":
		joined += sign + " " + subcategory + sign + " " + aspect
	case subcategory != "":
		joined += sign + " " + subcategory
	case strings.Contains(category, " - "):
		joined += sign // Otherwise SplitCategory would read the name as two levels.
	}
	if first, second, third := SplitCategory(joined); first != category || second != subcategory || third != aspect {
		return "", fmt.Errorf("the category %q, %q, %q cannot be written in one text: "+
			"a level holds %q, or begins or ends with a blank", category, subcategory, aspect, categorySign)
	}
	return joined, nil
}

// categorySign separates the levels that JoinCategory writes.
const categorySign = "->"

// SplitCategory splits a category such as "Attribute - Color" or "Attribute -> Color" into its
// taxonomy levels. The authors' pipeline joins up to three levels; everything after the second
// separator is the aspect.
func SplitCategory(category string) (first, second, third string) {
	sign := " - "
	if strings.Contains(category, categorySign) {
		sign = categorySign
	}
	first, second, _ = strings.Cut(category, sign)
	second, third, _ = strings.Cut(second, sign)
	return strings.TrimSpace(first), strings.TrimSpace(second), strings.TrimSpace(third)
}
