package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
)

// bankSections are what the report of a bank shows: the rows of marts that are about its domain, and what the paper says of any.
var bankSections = []struct{ name, title, query string }{
	{"funnel", "Candidates that are left after each step", "select domain, provenance, step, n_candidates, n_images, share, n_waiting from construct_funnel order by provenance, position"},
	{"routes", "What became of the validated candidates, by category (accepted in %, 95 % interval)",
		"select domain, provenance, category, n_candidates, n_accept, n_discard, n_review, n_reviewed, n_kept, n_fixed, n_dropped, n_waiting, n_questions, accepted, accepted_low, accepted_high from construct_routes order by provenance, category"},
	{"agreement", "Agreement of the validators (%), and Cohen's kappa",
		"select domain, provenance, validator_a_name, validator_b_name, n_candidates, n_both_key, n_both_flag, agreement, expected, kappa from construct_agreement order by all"},
	{"confusion", "What one validator chose where the other chose something",
		"select domain, provenance, validator_a, validator_b, choice_a, choice_b, n_candidates, n_same from construct_confusion order by all"},
	{"blind", "The blind test beside random guessing (%); 0 options: all",
		"select domain, provenance, reader_name, n_options, drop_at, n_candidates, hit_rate, random_hit_rate, n_dropped, dropped, dropped_low, dropped_high, random_dropped from construct_blind order by all"},
	{"quality", "Questions that are right (%), before and after the quality control; CaptionQA's are in its Table 2",
		"select domain, provenance, stage, n_drawn, n_rated, n_right, accuracy, accuracy_low, accuracy_high from captionqa_quality order by origin desc, stage desc, domain"},
	{"costs", "Tokens and money, and for 1,000 questions of the bank; CaptionQA's are in its section 12; a cost is unknown without a price",
		"select domain, provenance, stage, model_name, n_calls, prompt_tokens, cached_tokens, completion_tokens, tokens, cost_low, cost_high, tokens_per_1000, cost_low_per_1000, cost_high_per_1000 from construct_costs order by origin, provenance, stage, model_name"},
	{"distributions", "How the questions of the bank are distributed (%), and what chance would give",
		"select domain, kind, label, n, share, expected from construct_distributions order by kind, length(label), label"},
	{"checks", "What a reader of section 4 would check of the bank",
		"select domain, statement, n_questions, n_failed, example from construct_checks order by position"},
}

func (a *app) bankReportCommand() *cobra.Command {
	var domain string
	var engine analytics.EngineOptions
	c := &cobra.Command{
		Use:   "report --domain NAME",
		Short: "Show the funnel, costs, quality, agreement and distributions of a bank",
		Long: `Compute the marts and show what they say of a bank that was made here: how many candidates are left after each step, what became of
the candidates of each category, how validators agree, how often blind readers guess right beside chance, Table 2 from
people's ratings, tokens and money beside the paper's, how the questions are distributed, and what a reader of CaptionQA's
section 4 would check. The same rows are in the marts construct_* and captionqa_quality, and captionlake report draws them.`,
		Example: `  captionlake bank report --domain kitchen
  captionlake bank report --domain kitchen --json`,
		Args: cobra.NoArgs,
	}
	a.needDomain(c, &domain)
	a.engineFlags(c, &engine)
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.editLake(cmd, func(lake *data.Lake) error {
			if _, err := a.compute(cmd.Context(), lake, analytics.RunOptions{Engine: engine}); err != nil {
				return err
			}
			return a.showBank(cmd.Context(), lake, engine, domain)
		})
	}
	return c
}

// A bankRow is a row of a mart, its columns in their order.
type bankRow struct {
	columns []string
	values  map[string]any
}

func (r *bankRow) UnmarshalJSON(content []byte) error {
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	if err := d.Decode(&r.values); err != nil {
		return err
	}
	d = json.NewDecoder(bytes.NewReader(content))
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		if name, ok := token.(string); ok {
			r.columns = append(r.columns, name)
			var skipped json.RawMessage
			if err := d.Decode(&skipped); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *app) showBank(ctx context.Context, lake *data.Lake, engine analytics.EngineOptions, domain string) (err error) {
	session, err := analytics.OpenSession(ctx, lake, engine, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	sections, paper := map[string][]map[string]any{}, false
	for _, s := range bankSections {
		var out bytes.Buffer
		if _, err := session.Query(ctx, s.query, analytics.QueryOptions{Format: "json"}, &out); err != nil {
			return err
		}
		var all []bankRow
		if err := json.Unmarshal(out.Bytes(), &all); err != nil {
			return fmt.Errorf("rows of %s: %w", s.name, err)
		}
		own := false
		var rows []bankRow
		for _, r := range all {
			of, _ := r.values["domain"].(string)
			own = own || strings.EqualFold(of, domain)
			if strings.EqualFold(of, domain) || r.values["provenance"] == data.ProvenancePublished {
				rows = append(rows, r)
			}
			paper = paper || r.values["provenance"] == data.ProvenancePublished
		}
		if s.name == "funnel" && !own {
			return data.WithHint(fmt.Errorf("the domain %q has no candidates", domain), "make some with: captionlake run construct --domain %q", domain)
		}
		sections[s.name] = []map[string]any{}
		for _, r := range rows {
			sections[s.name] = append(sections[s.name], r.values)
		}
		if !a.asJSON {
			a.printBankSection(s.title, rows, domain)
		}
	}
	if a.asJSON {
		return printJSON(a.stdout, sections)
	}
	if !paper {
		fmt.Fprintln(a.stdout, "\nThe lake has no rows of the paper to compare with; captionlake init adds them.")
	}
	return nil
}

// printBankSection prints rows as a table; the domain is shown where rows of others are among them.
func (a *app) printBankSection(title string, rows []bankRow, domain string) {
	fmt.Fprintf(a.stdout, "\n%s\n", title)
	if len(rows) == 0 {
		fmt.Fprintln(a.stdout, "nothing yet")
		return
	}
	others := false
	for _, r := range rows {
		of, _ := r.values["domain"].(string)
		others = others || !strings.EqualFold(of, domain)
	}
	var header table.Row
	var cells []table.Row
	for i, r := range rows {
		var row table.Row
		for _, column := range r.columns {
			if column == "domain" && !others {
				continue
			}
			if i == 0 {
				header = append(header, column)
			}
			row = append(row, bankCell(column, r.values[column]))
		}
		cells = append(cells, row)
	}
	printTable(a.stdout, header, cells)
}

// shareColumns are in percent.
var shareColumns = []string{"share", "expected", "accepted", "accepted_low", "accepted_high", "agreement", "hit_rate", "random_hit_rate", "dropped", "dropped_low",
	"dropped_high", "random_dropped", "accuracy", "accuracy_low", "accuracy_high"}

// bankCell shows a value: shares with one digit, money with four, what is not known as such.
func bankCell(column string, value any) string {
	number, isNumber := value.(json.Number)
	switch {
	case value == nil && strings.HasPrefix(column, "cost"):
		return "unknown"
	case value == nil:
		return "-"
	case !isNumber:
		return fmt.Sprint(value)
	}
	if slices.Contains(shareColumns, column) {
		if f, err := number.Float64(); err == nil {
			return fmt.Sprintf("%.1f", f)
		}
	}
	if whole, err := number.Int64(); err == nil && !strings.ContainsAny(number.String(), ".eE") {
		return count(whole)
	}
	f, err := number.Float64()
	switch {
	case err != nil:
		return number.String()
	case column == "kappa":
		return fmt.Sprintf("%.2f", f)
	case strings.HasPrefix(column, "cost"):
		return fmt.Sprintf("%.4f", f)
	case strings.HasPrefix(column, "tokens"):
		return count(int64(f + 0.5))
	}
	return number.String()
}
