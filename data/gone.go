package data

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A GoneNode is a node that candidates are about and that the taxonomy of their domain does not have any more.
type GoneNode struct {
	Domain      string `json:"domain"`
	Category    string `json:"category"`
	Subcategory string `json:"subcategory"`
	Aspect      string `json:"aspect"`
	Candidates  int    `json:"candidates"`
	Reviewed    int    `json:"reviewed"` // of the candidates, those that people decided on
}

// name is the node as sentences have it, without its domain.
func (n GoneNode) name() string {
	return strings.Join(slices.DeleteFunc([]string{n.Category, n.Subcategory, n.Aspect}, func(s string) bool { return s == "" }), " > ")
}

// A nodeKey tells nodes apart.
type nodeKey struct {
	Domain      string `parquet:"domain"`
	Category    string `parquet:"category"`
	Subcategory string `parquet:"subcategory"`
	Aspect      string `parquet:"aspect"`
}

// Nodes are the nodes of the taxonomies that the lake holds.
type Nodes map[nodeKey]bool

// Nodes reads the taxonomies.
func (l *Lake) Nodes() (Nodes, error) {
	nodes := Nodes{}
	for n, err := range Project[nodeKey](l, Taxonomy, nil) {
		if err != nil {
			return nil, err
		}
		nodes[n] = true
	}
	return nodes, nil
}

// NodesOf are the nodes of one taxonomy, as the lake would hold it.
func NodesOf(taxonomy []TaxonomyNode) Nodes {
	nodes := Nodes{}
	for _, t := range taxonomy {
		nodes[nodeKey{t.Domain, t.Category, t.Subcategory, t.Aspect}] = true
	}
	return nodes
}

// Have reports whether the node that a candidate is about is there.
func (n Nodes) Have(c Candidate) bool {
	return n[nodeKey{c.Domain, c.Category, c.Subcategory, c.Aspect}]
}

// Gone counts the candidates of the lake that are about none of the nodes, in the order of the nodes' names; of one domain, or of all
// where it is empty. It reads the candidates' columns that name the node, and the reviews where there are such candidates.
func (l *Lake) Gone(nodes Nodes, domain string) ([]GoneNode, error) {
	type candidate struct {
		ID          string `parquet:"candidate_id"`
		Domain      string `parquet:"domain"`
		Category    string `parquet:"category"`
		Subcategory string `parquet:"subcategory"`
		Aspect      string `parquet:"aspect"`
	}
	var where Where
	if domain != "" {
		where = Where{"domain": domain}
	}
	about := map[string]nodeKey{} // gone nodes by candidate
	counts := map[nodeKey]*GoneNode{}
	for c, err := range Project[candidate](l, Candidates, where) {
		if err != nil {
			return nil, err
		}
		key := nodeKey{c.Domain, c.Category, c.Subcategory, c.Aspect}
		if nodes[key] {
			continue
		}
		if counts[key] == nil {
			counts[key] = &GoneNode{Domain: c.Domain, Category: c.Category, Subcategory: c.Subcategory, Aspect: c.Aspect}
		}
		counts[key].Candidates++
		about[c.ID] = key
	}
	if len(about) > 0 {
		type review struct {
			ID string `parquet:"candidate_id"`
		}
		for r, err := range Project[review](l, Reviews, nil) {
			if err != nil {
				return nil, err
			}
			if key, gone := about[r.ID]; gone {
				counts[key].Reviewed++
				delete(about, r.ID) // One candidate counts once, however many people decided on it.
			}
		}
	}
	gone := make([]GoneNode, 0, len(counts))
	for _, n := range counts {
		gone = append(gone, *n)
	}
	slices.SortFunc(gone, func(a, b GoneNode) int {
		return cmp.Or(cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.name(), b.name()))
	})
	return gone, nil
}

// shownNodes is how many gone nodes a sentence names.
const shownNodes = 5

// GoneText is a sentence about the candidates whose nodes are gone: which nodes, and what becomes of the candidates. It is empty when there
// are none.
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
	text := fmt.Sprintf("%d candidates are about nodes that the taxonomy does not have any more: %s", candidates, strings.Join(names, ", "))
	if reviewed > 0 {
		text += fmt.Sprintf("; people decided on %d of them, and what they decided is kept", reviewed)
	}
	return text + "; run construct leaves them out, and asks nothing again if the nodes are put back"
}
