package data

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
)

// ScoreColumn is the column of headline marts that has the domain's score: a name that SQL takes without quotes, whatever the domain's.
func (d Domain) ScoreColumn() string { return d.Column + "_score" }

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

// CompareDomains orders domains: the published ones as the paper does, a user's own by name, sums over domains last.
func (b Benchmark) CompareDomains(x, y string) int {
	if s, t := IsDomainSum(x), IsDomainSum(y); s != t {
		return map[bool]int{true: 1, false: -1}[s]
	}
	return PublishedFirst(b.DomainNames())(x, y)
}

// WithOwn returns the benchmark's domains and after them, by name, the user's own among the names found, which may repeat and may
// hold published domains and sums. Each has a column: that of an own domain is its name in lower case with underscores. A name
// that is the same in this form as another or as a column that headline marts have anyway gets one that is not.
func (b Benchmark) WithOwn(found []string) []Domain {
	out := slices.Clone(b.Domains)
	taken := map[string]bool{}
	for _, d := range out {
		taken[d.Column] = true
	}
	own := map[string]bool{}
	for _, name := range found {
		own[name] = !IsDomainSum(name) && !slices.Contains(b.DomainNames(), name)
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !own[name] {
			continue
		}
		column := ownColumn(name)
		if taken[column] {
			sum := sha256.Sum256([]byte(name))
			column += "_" + hex.EncodeToString(sum[:4])
		}
		taken[column] = true
		out = append(out, Domain{Name: name, Column: column})
	}
	return out
}

// headlineColumns are the columns of headline marts that are no domains, and the ends of names of columns that belong to one.
var (
	headlineColumns = []string{
		"all", "captioner", "captioner_name", "model", "model_id", "model_type", "n_domains", "n_failed", "n_questions", "n_unparsed", "note", "origin",
		"overall", "overall_present", "condition_id", "images_present", "overall_questions", "overall_images", "per_image", "prompt", "protocol", "provenance", "rank", "reader", "run_id", "size", "unit",
	}
	domainSuffixes = []string{"_se", "_low", "_high", "_images", "_score", "_freedom"}
)

// ownColumn is a user's domain as the name of a column: at most 40 letters and digits of ASCII, and underscores.
func ownColumn(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	column := strings.Join(words, "_")
	column = strings.TrimRight(column[:min(len(column), 40)], "_")
	switch {
	case column == "":
		return "domain"
	case column[0] <= '9', slices.Contains(headlineColumns, column),
		slices.ContainsFunc(domainSuffixes, func(end string) bool { return strings.HasSuffix(column, end) }):
		return "domain_" + column
	}
	return column
}
