package site

import (
	"context"

	"github.com/captionlake/captionlake/data"
)

var auditPage = Page{Name: "audit", Build: buildAudit}

// A Finding is a number of faults of one kind.
type Finding struct {
	Number int
	Words  string
}

// The marts of the audit.
const (
	figuresMart    = "published_audit"
	statementsMart = "published_claims"
	banksMart      = "construct_checks"
)

// findings counts what the audit found, the gravest first.
func (b *Builder) findings(ctx context.Context) ([]Finding, error) {
	published, err := b.rows(ctx, figuresMart)
	if err != nil {
		return nil, err
	}
	claims, err2 := b.rows(ctx, statementsMart)
	banks, err3 := b.rows(ctx, banksMart)
	if err2 != nil || err3 != nil {
		return nil, firstError(err2, err3)
	}
	var out []Finding
	add := func(r *rows, words string) {
		if r != nil {
			out = append(out, Finding{len(r.cells), words})
		}
	}
	if published != nil {
		add(published.is("kind", "contradiction"), "printed figures that contradict themselves or each other")
		add(published.is("kind", "wording"), "printed figures whose words do not fit them")
		add(published.is("kind", "rounding"), "printed figures that are off by a rounding")
	}
	if claims != nil {
		add(claims.where(func(row []any) bool { return claims.text(row, "kind") != "agreement" }), "statements of the papers that their tables do not bear out")
	}
	if banks != nil {
		add(banks.where(func(row []any) bool { return banks.number(row, "n_failed").Value > 0 }), "checks that questions of banks made here fail")
	}
	return out, nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// audit is what the page of the audit shows.
type audit struct {
	Findings []Finding
	Tables   []shownTable
	Banks    *Board
}

func buildAudit(ctx context.Context, b *Builder) error {
	var a audit
	var err error
	if a.Findings, err = b.findings(ctx); err != nil {
		return err
	}
	for _, i := range b.Report.Items {
		if i.Benchmark == "" && i.Grid() != nil {
			a.Tables = append(a.Tables, b.table(i))
		}
	}
	banks, err := b.rows(ctx, banksMart)
	if err != nil {
		return err
	}
	if banks != nil {
		a.Banks = b.leaderboard(data.Benchmark{}, banks, "Checks of banks of questions that were made here", "n_failed")
	}
	if len(a.Tables) == 0 && a.Banks == nil {
		return nil
	}
	b.Add(Document{Path: "audit.html", Title: "The audit", Nav: "Audit", Template: "audit", Data: a})
	return nil
}
