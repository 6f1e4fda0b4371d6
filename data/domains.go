package data

import (
	"slices"

	"github.com/captionlake/captionlake/data/captionqa"
)

// DomainOverall is the domain of rows that sum over domains.
const DomainOverall = "Overall"

// IsDomainSum reports whether rows of this domain sum over domains. Tables use several names for
// such a sum.
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

// OrderRule is the rule for dealing the option orders of a bank with these domains: a single
// published domain is a split, any other bank is a full bank.
func (b Benchmark) OrderRule(domains []string) string {
	if len(domains) == 1 && slices.Contains(b.DomainNames(), domains[0]) {
		return captionqa.OrderPerSplit
	}
	return captionqa.OrderFullBank
}

// WithOwn returns the benchmark's domains and then, by name, the user's own domains among the names
// found. found may hold a name twice; published domains and sums in found add nothing.
func (b Benchmark) WithOwn(found []string) []Domain {
	out := slices.Clone(b.Domains)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(found))) {
		if !IsDomainSum(name) && !slices.Contains(b.DomainNames(), name) {
			out = append(out, Domain{Name: name})
		}
	}
	return out
}
