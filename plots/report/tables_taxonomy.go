package report

import (
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots"
)

// taxonomyMart is the mart that has the taxonomies.
const taxonomyMart = "taxonomy_nodes"

// taxonomyTables are the taxonomies of the domains: Tables 5 to 8 of the paper, then those of other domains.
func taxonomyTables(domains []data.Domain) []paperTable {
	const first = 5 // the paper's number of the first of them
	var out []paperTable
	for i, d := range domains {
		t := paperTable{
			name: "taxonomy_" + d.Column, title: "Taxonomy of the " + d.Name + " domain", paper: "as CaptionQA, Tables 5–8, for another domain",
			needs: []string{taxonomyMart},
			build: func(ts plots.Tables) (*Grid, error) { return taxonomy(ts, d.Name) },
		}
		if i < len(data.CaptionQA().Domains) {
			t.name, t.paper = fmt.Sprintf("table_%02d_taxonomy_%s", first+i, d.Column), fmt.Sprintf("CaptionQA, Table %d", first+i)
		}
		out = append(out, t)
	}
	return out
}

// taxonomy has a row for each node that nothing is below, under its category.
func taxonomy(ts plots.Tables, domain string) (*Grid, error) {
	s := open(ts, taxonomyMart).where("domain", domain)
	levels, below, places, examples := s.Floats("level"), s.Floats("n_below"), s.Floats("place"), s.Lists("examples")
	counts := map[float64]int{}
	for _, l := range levels {
		counts[l]++
	}
	s = s.with("shown", func(i int) any { return strings.Join(examples[i], ", ") }).sorted(func(a, b int) int { return int(places[a] - places[b]) })
	below = s.Floats("n_below")
	s = s.pick(func(i int) bool { return below[i] == 0 })
	categories := s.TextOrNone("category")
	subcategory, shown := words("subcategory", "Subcategory"), prose("shown", "Examples")
	subcategory.Once, shown.ID = true, "examples"
	g, err := s.layout([]layoutColumn{subcategory, words("aspect", "Aspect"), shown}, func(i int) (string, string) { return categories[i], "" })
	if err == nil {
		g.note(fmt.Sprintf("%d categories, %d subcategories and %d aspects.", counts[1], counts[2], counts[3]))
	}
	return g, err
}
