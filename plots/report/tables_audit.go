package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/plots"
)

// The tables of what the published figures say of each other. They have no rows but published ones.

func auditTables() []paperTable {
	return []paperTable{
		{name: "audit_findings", title: "Published figures that contradict themselves or each other", paper: "CaptionQA, CAPability, CV-CapBench and CapArena, all tables", needs: []string{"published_audit"}, all: true, build: auditFindings},
		{name: "audit_statements", title: "What the texts state against the tables", paper: "CaptionQA, CAPability, CV-CapBench and CapArena, texts", needs: []string{"published_claims"}, all: true, build: auditStatements},
	}
}

// byKind orders the rows of an audit as the command prints them: by kind, the gravest first, then by the columns named.
func byKind(s *sheet, columns ...string) *sheet {
	kinds := s.TextOrNone("kind")
	order := []string{"contradiction", "wording", "rounding", "agreement"}
	var keys [][]string
	for _, c := range columns {
		keys = append(keys, s.TextOrNone(c))
	}
	return s.sorted(func(a, b int) int {
		result := cmp.Compare(slices.Index(order, kinds[a]), slices.Index(order, kinds[b]))
		for _, k := range keys {
			result = cmp.Or(result, strings.Compare(k[a], k[b]))
		}
		return result
	})
}

func auditFindings(ts plots.Tables) (*Grid, error) {
	s := byKind(open(ts, "published_audit"), "benchmark", "check_name", "item", "domain", "category", "model", "metric")
	kinds, benchmarks, checks := s.TextOrNone("kind"), s.TextOrNone("benchmark"), s.TextOrNone("check_name")
	return s.layout([]layoutColumn{
		words("item", "Where"), words("domain", "Domain"), words("category", "Category"), prose("message", "Finding"),
	}, func(i int) (string, string) {
		return typeHead(kinds[i]) + ", " + benchmarks[i] + ": " + strings.ReplaceAll(checks[i], "_", " "), ""
	})
}

func auditStatements(ts plots.Tables) (*Grid, error) {
	s := byKind(open(ts, "published_claims"), "benchmark", "section", "claim")
	kinds, benchmarks := s.TextOrNone("kind"), s.TextOrNone("benchmark")
	return s.layout([]layoutColumn{
		words("section", "Section"), prose("statement", "Statement"), figures("stated", "Stated", 3, Plain), figures("recomputed", "Recomputed", 3, Plain), words("basis", "From"),
	}, func(i int) (string, string) { return typeHead(kinds[i]) + ", " + benchmarks[i], "" })
}
