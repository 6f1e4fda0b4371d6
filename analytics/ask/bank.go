package ask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// A BankSection is a part of the report of a bank: the rows of a mart that are about its domain, and the rows of the
// paper, in the form that was asked for.
type BankSection struct {
	Name, Title string
	Rows        []byte
}

var bankSections = []struct{ name, title, columns, mart, order string }{
	{"funnel", "Candidates that are left after each step",
		"domain, provenance, step, n_candidates, n_images, share, n_waiting",
		"construct_funnel", "provenance, position"},
	{"routes", "What became of the validated candidates, by category (accepted in %, 95% interval)",
		"domain, provenance, category, n_candidates, n_accept, n_discard, n_review, n_reviewed, n_kept, n_fixed, n_dropped, n_waiting, n_questions, accepted, accepted_low, accepted_high",
		"construct_routes", "provenance, category"},
	{"agreement", "Agreement of the validators (%), and Cohen's kappa",
		"domain, provenance, validator_a_name, validator_b_name, n_candidates, n_both_key, n_both_flag, agreement, expected, kappa",
		"construct_agreement", "all"},
	{"confusion", "What one validator chose where the other chose something",
		"domain, provenance, validator_a, validator_b, choice_a, choice_b, n_candidates, n_same",
		"construct_confusion", "all"},
	{"blind", "The blind test beside random guessing (%); 0 options: all",
		"domain, provenance, reader_name, n_options, drop_at, n_candidates, hit_rate, random_hit_rate, n_dropped, dropped, dropped_low, dropped_high, random_dropped",
		"construct_blind", "all"},
	{"quality", "Questions that are right (%), before and after the quality control; CaptionQA's are in its Table 2",
		"domain, provenance, stage, n_drawn, n_rated, n_right, accuracy, accuracy_low, accuracy_high",
		"captionqa_quality", "origin desc, stage desc, domain"},
	{"costs", "Tokens and money, and for 1,000 questions of the bank; CaptionQA's are in its section 12; a cost is null without a price",
		"domain, provenance, stage, model_name, n_calls, prompt_tokens, cached_tokens, completion_tokens, tokens, cost_low, cost_high, tokens_per_1000, cost_low_per_1000, cost_high_per_1000",
		"construct_costs", "origin, provenance, stage, model_name"},
	{"distributions", "How the questions of the bank are distributed (%), and what chance would give",
		"domain, kind, label, n, share, expected",
		"construct_distributions", "kind, length(label), label"},
	{"checks", "What a reader of section 4 would check of the bank",
		"domain, statement, n_questions, n_failed, example",
		"construct_checks", "position"},
}

// ReportBank returns the report of the bank of a domain. It fails if the domain has no candidates.
func ReportBank(ctx context.Context, lake *data.Lake, domain string, o Options) (report []BankSection, err error) {
	session, err := OpenReader(ctx, lake, engine.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	own := "lower(domain) = lower(" + sql.Quote(domain) + ")"
	candidates, err := session.Query(ctx, "from construct_funnel where "+own, Options{Format: "csv"}, io.Discard)
	if err != nil {
		return nil, err
	}
	if candidates == 0 {
		return nil, data.WithHint(fmt.Errorf("the domain %q has no candidates", domain),
			"make some with: captionlake run construct --domain %q", domain)
	}
	for _, s := range bankSections {
		rowsOf := own
		if strings.Contains(s.columns, "provenance") {
			rowsOf += " or provenance = 'published'"
		}
		var rows bytes.Buffer
		query := fmt.Sprintf("select %s from %s where %s order by %s", s.columns, s.mart, rowsOf, s.order)
		if _, err := session.Query(ctx, query, o, &rows); err != nil {
			return nil, err
		}
		report = append(report, BankSection{s.name, s.title, rows.Bytes()})
	}
	return report, nil
}
