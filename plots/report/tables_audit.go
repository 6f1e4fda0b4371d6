package report

import (
	"cmp"
	"strings"

	"github.com/captionlake/captionlake/plots"
)

// The tables of what the published figures say of each other. They have no rows but published ones.

func auditTables() []paperTable {
	return []paperTable{
		{name: "audit_findings", title: "Published figures that contradict themselves or each other", paper: "CaptionQA, all tables", needs: []string{"published_audit"}, all: true, build: auditFindings},
		{name: "audit_statements", title: "Numbers of the text against the tables", paper: "CaptionQA, text", needs: []string{"published_claims"}, all: true, build: auditStatements},
	}
}

func auditFindings(ts plots.Tables) (*Grid, error) {
	s := open(ts, "published_audit")
	checks, severities := s.text("check_name"), s.text("severity")
	var places [][]string
	for _, column := range []string{"item", "domain", "category", "model", "metric"} {
		places = append(places, s.text(column))
	}
	count := map[string]int{}
	for _, c := range checks {
		count[c]++
	}
	// As the command prints them: flaws before notes, and the rarer check first.
	s = s.sorted(func(a, b int) int {
		order := cmp.Or(strings.Compare(severities[a], severities[b]), cmp.Compare(count[checks[a]], count[checks[b]]), strings.Compare(checks[a], checks[b]))
		for _, p := range places {
			order = cmp.Or(order, strings.Compare(p[a], p[b]))
		}
		return order
	})
	checks, severities = s.text("check_name"), s.text("severity")
	return s.layout([]layoutColumn{
		words("item", "Where"), words("domain", "Domain"), words("category", "Category"), prose("message", "Finding"),
	}, func(i int) (string, string) {
		head := strings.ReplaceAll(checks[i], "_", " ")
		return strings.ToUpper(head[:1]) + head[1:] + " (" + severities[i] + ")", ""
	})
}

func auditStatements(ts plots.Tables) (*Grid, error) {
	s := open(ts, "published_claims")
	holds, sections, claims := s.truth("holds"), s.text("section"), s.text("claim")
	s = s.sorted(func(a, b int) int {
		return cmp.Or(first(!holds[a], !holds[b]), strings.Compare(sections[a], sections[b]), strings.Compare(claims[a], claims[b]))
	})
	holds = s.truth("holds")
	return s.layout([]layoutColumn{
		words("section", "Section"), prose("statement", "Statement"), figures("stated", "Stated", 2, Plain), figures("recomputed", "Recomputed", 2, Plain), words("basis", "From"),
	}, func(i int) (string, string) {
		if holds[i] {
			return "The tables bear them out", ""
		}
		return "The tables do not bear them out", ""
	})
}
