package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// bankSections are what the report of a bank shows: the rows of marts that are about its domain,
// and what the paper says of any.
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

func (a *app) bankReportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "report --domain NAME",
		Short: "Show funnel, costs, quality, agreement and distributions of a bank",
		Long: `Compute the marts and show the report of a bank that was made here: how many candidates are left after each step, how the
candidates of each category ended, how validators agree, how often blind readers guess right beside chance, Table 2 from
people's ratings, tokens and money beside the paper's, how the questions are distributed, and checks of CaptionQA's section
4. The same rows are in the marts construct_* and captionqa_quality, and captionlake report draws them.`,
		Example: `  captionlake bank report --domain kitchen
  captionlake bank report --domain kitchen --json`,
	}
	a.eachDomain(c, func(cmd *cobra.Command, lake *data.Lake, domain string) error {
		if _, err := a.compute(cmd.Context(), lake, build.Options{}); err != nil {
			return err
		}
		return a.showBank(cmd.Context(), lake, domain)
	})
	return c
}

// showBank prints the rows of each section that are about the domain or from the paper.
func (a *app) showBank(ctx context.Context, lake *data.Lake, domain string) (err error) {
	session, err := ask.OpenReader(ctx, lake, engine.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	own := "lower(domain) = lower(" + sql.Quote(domain) + ")"
	rows, err := session.Query(ctx, "from construct_funnel where "+own, ask.Options{Format: "csv"}, io.Discard)
	if err != nil {
		return err
	}
	if rows == 0 {
		return data.WithHint(fmt.Errorf("the domain %q has no candidates", domain),
			"make some with: captionlake run construct --domain %q", domain)
	}
	options, sections := ask.Options{}, map[string]json.RawMessage{}
	if a.asJSON {
		options.Format = "json"
	}
	for _, s := range bankSections {
		rowsOf := own
		if strings.Contains(s.columns, "provenance") {
			rowsOf += " or provenance = 'published'"
		}
		query := fmt.Sprintf("select %s from %s where %s order by %s", s.columns, s.mart, rowsOf, s.order)
		var rows bytes.Buffer
		if _, err := session.Query(ctx, query, options, &rows); err != nil {
			return err
		}
		if sections[s.name] = rows.Bytes(); !a.asJSON {
			a.say("\n%s\n%s", s.title, rows.Bytes())
		}
	}
	if a.asJSON {
		return printJSON(a.stdout, sections)
	}
	return nil
}
