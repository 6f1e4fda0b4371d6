package analytics

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

var (
	joinedBy = regexp.MustCompile(`(?s)\bjoin\b.*?\b(?:using\s*\(([^)]*)\)|on\s+(.*?)(?:\b(?:inner|left|full|cross|where|group|window|union)\b|;|\n\),|$))`)
	joinedOn = regexp.MustCompile(`(?:^|and\s+)\w+\.(\w+)\s*=\s*\w+\.\w+`)
	comment  = regexp.MustCompile(`--[^\n]*`)
)

// joinColumns are the columns of each join of a query that both sides have under one name or are held to be equal in.
func joinColumns(query string) (joins [][]string) {
	for _, m := range joinedBy.FindAllStringSubmatch(comment.ReplaceAllString(query, ""), -1) {
		var columns []string
		for _, c := range strings.Split(m[1], ",") {
			columns = append(columns, strings.TrimSpace(c))
		}
		for _, on := range joinedOn.FindAllStringSubmatch(m[2], -1) {
			columns = append(columns, on[1])
		}
		joins = append(joins, columns)
	}
	return joins
}

// TestJoinsNameConditions: above the folds, what is about one condition is joined by condition_id, and not by the six texts that it stands
// for: a text that is forgotten there would count rows twice.
func TestJoinsNameConditions(t *testing.T) {
	texts := func(columns []string) (n int) {
		for _, c := range columns {
			if slices.Contains([]string{"protocol", "reader", "evidence", "captioner", "prompt", "provenance"}, c) {
				n++
			}
		}
		return n
	}
	models, err := Models()
	must.Succeed(t, err)
	for _, m := range models {
		if m.Fold != "" {
			continue
		}
		for _, columns := range joinColumns(m.Select) {
			if texts(columns) > 3 {
				t.Errorf("%s joins on %s; join on condition_id", m.Name, strings.Join(columns, ", "))
			}
		}
	}
	for query, want := range map[string]int{
		"select 1 from a inner join b using (protocol, reader, prompt, provenance)":                                                                      4,
		"select 1 from a left join b\n    on b.protocol = a.protocol and b.reader = a.reader\n    and b.prompt = a.prompt where a.evidence = b.evidence": 3,
	} {
		if got := joinColumns(query); len(got) != 1 || texts(got[0]) != want {
			t.Errorf("%s: joins on %q, want %d texts", query, got, want)
		}
	}
}
