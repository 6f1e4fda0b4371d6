package data

import (
	"slices"

	"github.com/captionlake/captionlake/data/captionqa"
)

// DomainOverall is the domain of rows that sum domains up.
const DomainOverall = "Overall"

// IsDomainSum reports whether rows of this domain sum several domains up, under any of the names that tables use.
func IsDomainSum(domain string) bool {
	return slices.Contains([]string{"", DomainOverall, "Total", "All"}, domain)
}

// DomainNames are the names of the published domains in the paper's order.
func (b Benchmark) DomainNames() []string {
	names := make([]string, len(b.Domains))
	for i, d := range b.Domains {
		names[i] = d.Name
	}
	return names
}

// OrderRule is the rule by which the option orders of a bank with these domains are dealt: a published domain alone is a split, and any other
// bank is a full one.
func (b Benchmark) OrderRule(domains []string) string {
	if len(domains) == 1 && slices.Contains(b.DomainNames(), domains[0]) {
		return captionqa.OrderPerSplit
	}
	return captionqa.OrderFullBank
}

// WithOwn returns the benchmark's domains and after them, by name, the user's own among the names found, which may repeat and may
// hold published domains and sums.
func (b Benchmark) WithOwn(found []string) []Domain {
	out := slices.Clone(b.Domains)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(found))) {
		if !IsDomainSum(name) && !slices.Contains(b.DomainNames(), name) {
			out = append(out, Domain{Name: name})
		}
	}
	return out
}
