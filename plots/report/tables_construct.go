package report

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/captionlake/captionlake/plots"
)

// constructTables are about banks of questions that were made here (CaptionQA section 4).
var constructTables = []paperTable{
	{name: "construct_funnel", title: "Generated questions that are left after each step of the construction", paper: "CaptionQA, Section 4", needs: []string{"construct_funnel"}, build: constructFunnel},
	{name: "construct_routes", title: "What became of the validated questions of each category", paper: "CaptionQA, Section 4.4", needs: []string{"construct_routes"}, build: constructRoutes},
	{name: "construct_agreement", title: "How two validators agree", paper: "CaptionQA, Section 4.4", needs: []string{"construct_agreement"}, build: constructAgreement},
	{name: "construct_blind", title: "The blind test beside random guessing", paper: "CaptionQA, Section 4.3.2", needs: []string{"construct_blind"}, all: true, build: constructBlind},
	{name: "construct_costs", title: "What a bank of questions costs to make", paper: "CaptionQA, Section 12", needs: []string{"construct_costs"}, build: constructCosts},
}

// byTexts sorts by domain and then by columns of text.
func (s *sheet) byTexts(columns ...string) *sheet {
	domains := s.TextOrNone("domain")
	texts := make([][]string, len(columns))
	for i, c := range columns {
		texts[i] = s.TextOrNone(c)
	}
	return s.sorted(func(a, b int) int {
		order := domainOrder(domains[a], domains[b])
		for _, t := range texts {
			order = cmp.Or(order, cmp.Compare(t[a], t[b]))
		}
		return order
	})
}

// ofDomains heads the rows of each domain with its name.
func (s *sheet) ofDomains(columns []layoutColumn) (*Grid, error) {
	domains := s.TextOrNone("domain")
	return s.layout(columns, func(i int) (string, string) { return domains[i], domains[i] })
}

func constructFunnel(ts plots.Tables) (*Grid, error) {
	s := open(ts, "construct_funnel")
	places, domains := s.Numbers("position"), s.TextOrNone("domain")
	s = s.sorted(func(a, b int) int {
		return cmp.Or(domainOrder(domains[a], domains[b]), cmp.Compare(places[a].Value, places[b].Value))
	})
	g, err := s.ofDomains([]layoutColumn{
		words("step", "Step"), figures("n_candidates", "Questions", 0, Plain), figures("share", "of those generated (%)", 1, Plain), figures("n_images", "Images", 0, Plain),
		figures("n_generators", "Generators", 0, Plain), figures("n_waiting", "Waiting", 0, Plain),
	})
	if err == nil {
		g.note("Sighted: not known to a reader without the picture. Distinct: one for each group of near-duplicates. Accepted, discard and review are the routes of the distinct ones. Waiting: those of the step before that have not come to this one yet.")
	}
	return g, err
}

func constructRoutes(ts plots.Tables) (*Grid, error) {
	return open(ts, "construct_routes").named("category", "All").byTexts("category").ofDomains([]layoutColumn{
		words("shown", "Category"), figures("n_candidates", "Validated", 0, Plain), figures("accepted", "Accepted (%)", 1, Plain), figures("n_discard", "Flagged by both", 0, Plain),
		figures("n_review", "For a person", 0, Plain), figures("n_kept", "Kept", 0, Plain), figures("n_fixed", "Fixed", 0, Plain), figures("n_dropped", "Dropped", 0, Plain),
		figures("n_waiting", "Waiting", 0, Plain), figures("n_questions", "Published", 0, Plain),
	})
}

func constructAgreement(ts plots.Tables) (*Grid, error) {
	g, err := open(ts, "construct_agreement").byTexts("validator_a_name", "validator_b_name").ofDomains([]layoutColumn{
		words("validator_a_name", "Validator"), words("validator_b_name", "and"), figures("n_candidates", "Questions", 0, Plain), figures("n_both_key", "Both the key", 0, Plain),
		figures("n_both_flag", "Both a flag", 0, Plain), figures("agreement", "Agreement (%)", 1, Plain), figures("expected", "By chance (%)", 1, Plain), figures("kappa", "Kappa", 2, Plain),
	})
	if err == nil {
		g.note("Agreement: both chose the same option or the same flag. Kappa is Cohen's, over the kinds of choices: the key, another option, or a flag.")
	}
	return g, err
}

func constructBlind(ts plots.Tables) (*Grid, error) {
	s := open(ts, "construct_blind")
	numbers := s.Numbers("n_options")
	s = s.with("shown", func(i int) any {
		if numbers[i].Value == 0 {
			return "All"
		}
		return strconv.Itoa(int(numbers[i].Value))
	}).byTexts("reader_name", "shown")
	domains, readers := s.TextOrNone("domain"), s.TextOrNone("reader_name")
	return s.layout([]layoutColumn{
		words("shown", "Options"), figures("n_candidates", "Questions", 0, Plain), figures("drop_at", "Dropped at", 0, Plain), figures("hit_rate", "Hits (%)", 1, Plain),
		figures("random_hit_rate", "at random (%)", 1, Plain), figures("dropped", "Dropped (%)", 1, Plain), figures("random_dropped", "at random (%)", 2, Plain),
	}, func(i int) (string, string) { return domains[i] + ", reader " + readers[i], domains[i] })
}

func constructCosts(ts plots.Tables) (*Grid, error) {
	s := open(ts, "construct_costs")
	stages, models, domains := s.TextOrNone("stage"), s.TextOrNone("model_name"), s.TextOrNone("domain")
	order := []string{"generate", "blind", "embed", "validate", "generate_and_validate", "all"}
	s = s.sorted(func(a, b int) int {
		return cmp.Or(domainOrder(domains[a], domains[b]), cmp.Compare(slices.Index(order, stages[a]), slices.Index(order, stages[b])), cmp.Compare(models[a], models[b]))
	})
	domains = s.TextOrNone("domain")
	g, err := s.layout([]layoutColumn{
		words("stage", "Stage"), words("model_name", "Model"), figures("n_calls", "Calls", 0, Plain), figures("tokens", "Tokens", 0, Plain), figures("cached_tokens", "from cache", 0, Plain),
		figures("cost_low", "Cost, least", 2, Plain), figures("cost_high", "most", 2, Plain), figures("n_questions", "Questions", 0, Plain),
		figures("tokens_per_1000", "Tokens for 1,000", 0, Plain), figures("cost_low_per_1000", "Cost for 1,000, least", 2, Plain), figures("cost_high_per_1000", "most", 2, Plain),
	}, func(i int) (string, string) { return cmp.Or(domains[i], "Any domain, as printed"), domains[i] })
	if err != nil {
		return nil, err
	}
	for _, section := range g.Sections {
		for _, row := range section.Rows {
			for _, column := range []int{5, 6} {
				if cost := &row[column]; !cost.Value.Valid {
					cost.Text = "unknown"
				}
			}
		}
	}
	g.note("Cost: by the prices that the configuration had when the calls were made, in its currency; unknown without a price, or where a server counted no tokens. The paper counts what generators and validators cost, in US dollars; blind readers and embedders ran on its own machines.")
	return g, nil
}
