package gaps

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// A GoneNode is a taxonomy node that candidates are about but that is no longer in their domain's
// taxonomy.
type GoneNode struct {
	Domain      string `json:"domain" parquet:"domain"`
	Category    string `json:"category" parquet:"category"`
	Subcategory string `json:"subcategory" parquet:"subcategory"`
	Aspect      string `json:"aspect" parquet:"aspect"`
	Candidates  int    `json:"candidates" parquet:"n_candidates"`
	Reviewed    int    `json:"reviewed" parquet:"n_reviewed"` // candidates that people have decided on
}

// name is the node without its domain, as sentences show it.
func (n GoneNode) name() string {
	return strings.Join(slices.DeleteFunc([]string{n.Category, n.Subcategory, n.Aspect},
		func(s string) bool { return s == "" }), " > ")
}

// goneNodes is the query for gone nodes.
//
//go:embed gone.sql
var goneNodes string

// Gone lists the gone nodes of all domains.
func Gone(l *data.Lake) ([]GoneNode, error) {
	gone, err := data.QueryAll[GoneNode](l, goneNodes)
	return append([]GoneNode{}, gone...), err // an empty list, since JSON would show nil as null
}

// shownNodes is the number of gone nodes that a sentence names.
const shownNodes = 5

// GoneText is a sentence about candidates of gone nodes. It names the nodes and says what happens
// to the candidates. The text is empty without gone nodes.
func GoneText(gone []GoneNode) string {
	if len(gone) == 0 {
		return ""
	}
	candidates, reviewed := 0, 0
	var names []string
	for i, n := range gone {
		candidates, reviewed = candidates+n.Candidates, reviewed+n.Reviewed
		if i < shownNodes {
			names = append(names, fmt.Sprintf("%s: %s (%d)", n.Domain, n.name(), n.Candidates))
		}
	}
	if more := len(gone) - shownNodes; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	text := fmt.Sprintf("%d candidates are about nodes that are no longer in the taxonomy: %s", candidates,
		strings.Join(names, ", "))
	if reviewed > 0 {
		text += fmt.Sprintf("; people decided on %d of them, and these decisions are kept", reviewed)
	}
	return text + "; run construct leaves them out, and repeats no request if the nodes come back"
}
