package report

import (
	"cmp"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/plots"
)

// The tables of captioners, prompts and readers beyond the tables of scores.

// byLead orders the rows of models by their value in the first of the domains, the best first, models without one last, and returns these
// domains, sums over them first.
func (s *sheet) byLead(column string, best Best) (*sheet, []string) {
	domains := s.distinct("domain", overallFirst)
	models, groups, values := s.TextOrNone("captioner_name"), s.TextOrNone("domain"), s.Numbers(column)
	lead := map[string]plots.Number{}
	for i, v := range values {
		if groups[i] == domains[0] {
			lead[models[i]] = v
		}
	}
	return s.sorted(func(a, b int) int {
		x, y := lead[models[a]], lead[models[b]]
		values := cmp.Compare(x.Value, y.Value)
		if best == Highest {
			values = -values
		}
		return cmp.Or(first(x.Valid, y.Valid), values, strings.Compare(models[a], models[b]))
	}), domains
}

func gap(ts plots.Tables) (*Grid, error) {
	s, prompt := open(ts, "captionqa_gap").onePrompt()
	s, columns := s.byLead("gap", Lowest)
	var grids []*Grid
	for _, column := range []string{"gap", "relative_gap"} {
		g, err := pivot{words("captioner_name", "Model"), "domain", figures(column, "", 2, Lowest)}.grid(s, columns)
		if err != nil {
			return nil, err
		}
		grids = append(grids, g)
	}
	return join([]string{"Gap in points", "Gap as a share of the accuracy on the image (%)"}, grids).under(prompt), nil
}

func ranks(ts plots.Tables) (*Grid, error) {
	s, prompt := open(ts, "captionqa_ranks").onePrompt()
	s, columns := s.where("metric", "score").byLead("rank", Lowest)
	// An interval of places is not symmetric in any sense that ± could show.
	g, err := pivot{modelColumn(), "domain", figures("rank", "", 0, Lowest)}.grid(s, columns)
	if err == nil {
		for i := range g.Columns {
			g.Columns[i].Range = true
		}
		g.under(prompt).note("Places are among the captioners that answered the same questions. In brackets: 2.5 % and 97.5 % quantiles of the place over bootstrap samples of the images, where there are answers.")
	}
	return g, err
}

func differencesToBest(ts plots.Tables) (*Grid, error) {
	s, prompt := open(ts, "captionqa_differences").onePrompt()
	s, columns := s.where("metric", "score").byLead("difference", Highest)
	g, err := pivot{modelColumn(), "domain", figures("difference", "", 2, Plain).signed()}.grid(s, columns)
	if err != nil {
		return nil, err
	}
	domains, best, of := s.TextOrNone("domain"), s.TextOrNone("best_name"), map[string]string{}
	for i, d := range domains {
		of[d] = best[i]
	}
	var names []string
	for _, d := range columns {
		names = append(names, d+" "+of[d])
	}
	g.note("Score less that of the best captioner on the questions that both answered, paired by image; the best: " + strings.Join(names, ", ") + ". A stroke: the best itself, or no question that both answered. An interval without 0 tells the two apart, before any correction for many comparisons.")
	return g.under(prompt), nil
}

func captionLengths(ts plots.Tables) (*Grid, error) {
	s := open(ts, "caption_lengths").where("domain", data.DomainOverall)
	ids, names, origins := s.TextOrNone("captioner"), s.TextOrNone("captioner_name"), s.TextIf("origin")
	// The mean over the captioners has no id, and comes last.
	s = s.with("shown", func(i int) any {
		if ids[i] == "" && origins[i] == data.ProvenancePublished {
			return "All captioners, as the paper states"
		}
		if ids[i] == "" {
			return "Mean of the captioners"
		}
		return names[i]
	}).sorted(func(a, b int) int {
		return cmp.Or(first(ids[a] != "", ids[b] != ""), strings.Compare(names[a], names[b]))
	})
	return pivot{words("shown", "Captioner"), "prompt", figures("mean_words", "", 1, Plain)}.
		grid(s, s.distinct("prompt", byLength))
}

// byLength orders prompts by the length of their captions, a user's own after the published ones.
func byLength(a, b string) int { return data.PublishedFirst(captionqa.PromptsByLength())(a, b) }

func utilityPerWord(ts plots.Tables) (*Grid, error) {
	s := open(ts, "utility_per_word")
	scores, captions := s.TextOrNone("provenance"), s.TextOrNone("caption_provenance")
	// Simulated captions say nothing of the captions behind scores of another kind.
	s = s.pick(func(i int) bool {
		return (scores[i] == data.ProvenanceSimulated) == (captions[i] == data.ProvenanceSimulated)
	})
	if s.Err == nil && s.Len() == 0 {
		return nil, &noRowsError{"the lake has no captions of the same kind as the scores"}
	}
	var heads []string
	var grids []*Grid
	columns := s.distinct("prompt", byLength)
	for _, d := range s.distinct("domain", domainOrder) {
		part := s.where("domain", d)
		names := part.TextOrNone("captioner_name")
		g, err := pivot{modelColumn(), "prompt", figures("score_per_100_words", "", 2, Highest)}.
			grid(part.sorted(func(a, b int) int { return strings.Compare(names[a], names[b]) }), columns)
		if err != nil {
			return nil, err
		}
		heads, grids = append(heads, d), append(grids, g)
	}
	if s.Err != nil {
		return nil, s.Err
	}
	return join(heads, grids), nil
}

// noRowsError is a plots.ErrNoRows with its own words.
type noRowsError struct{ text string }

func (e *noRowsError) Error() string        { return e.text }
func (e *noRowsError) Is(target error) bool { return target == plots.ErrNoRows }

func stability(ts plots.Tables) (*Grid, error) {
	s := open(ts, "ranking_stability_summary").byDomain()
	metrics := s.TextOrNone("metric")
	g, err := s.layout([]layoutColumn{
		words("domain", "Domain"), figures("all_images", "Images", 0, Plain), figures("n_models", "Captioners", 0, Plain), figures("n_trials", "Trials", 0, Plain),
		figures("mean_images", "k: mean ρ > 0.95", 0, Plain), figures("mean_share", "% of images", 1, Plain),
		figures("trial_images", "k: 95 % of trials", 0, Plain), figures("trial_share", "% of images", 1, Plain),
		figures("kendall_images", "k: mean τ > 0.95", 0, Plain), figures("kendall_share", "% of images", 1, Plain),
		figures("spearman_tenth", "ρ at 10 %", 3, Plain), figures("kendall_tenth", "τ at 10 %", 3, Plain),
	}, func(i int) (string, string) { return "Ranked by " + metrics[i], "" })
	if err == nil {
		g.Notes = append(g.Notes, "k is the smallest number of random images from which on the agreement with the ranking over all images stays above the bound.")
	}
	return g, err
}

// stepOrder orders changes of the prompt as the paper does.
func stepOrder(a, b string) int {
	var steps []string
	for _, s := range captionqa.PromptSteps() {
		steps = append(steps, s.String())
	}
	return data.PublishedFirst(steps)(a, b)
}

func transitionSummary(ts plots.Tables) (*Grid, error) {
	s := open(ts, "prompt_transition_summary")
	names := s.TextOrNone("transition")
	s = s.sorted(func(a, b int) int { return stepOrder(names[a], names[b]) })
	levels := s.TextOrNone("level")
	g, err := s.layout([]layoutColumn{
		words("transition", "Change"), figures("n_rows", "Rows", 0, Plain), figures("mean_accuracy_gain", "Accuracy", 2, Plain).signed(),
		figures("mean_score_gain", "Score", 2, Plain).signed(), figures("mean_coverage_gain", "Coverage", 2, Plain).signed(),
		figures("mean_coverage_offered_gain", "of offered", 2, Plain).signed(),
		figures("least_gain", "Least", 1, Plain).signed(), figures("greatest_gain", "Greatest", 1, Plain).signed(), figures("n_losing", "Lose", 0, Plain),
		figures("n_losing_5", "Lose > 5", 0, Plain), figures("n_flat", "Change < 2", 0, Plain), figures("share_of_long", "% of Long's gain", 1, Plain), figures("pearson", "Pearson's r", 3, Plain),
		figures("pearson_offered", "r of offered", 3, Plain),
	}, func(i int) (string, string) { return "Means over the rows of the level " + levels[i], "" })
	if err == nil {
		g.Notes = append(g.Notes, coverageNote)
	}
	return g, err
}

// coverageNote tells the two coverages apart, which the paper prints under one name.
const coverageNote = "Coverage: share of all answers that did not choose \"Cannot answer from the caption\", which CaptionQA Figures 20 to 23 draw; " +
	"of offered: share of the answers to questions that offer it, 100 less the rate of Tables 11 to 26."

func transitions(ts plots.Tables) (*Grid, error) {
	s := open(ts, "prompt_transitions")
	names, levels, places := s.TextOrNone("transition"), s.TextOrNone("level"), s.Numbers("place")
	s = s.sorted(func(a, b int) int {
		return cmp.Or(stepOrder(names[a], names[b]), strings.Compare(levels[a], levels[b]), cmp.Compare(places[a].Value, places[b].Value))
	})
	names, levels = s.TextOrNone("transition"), s.TextOrNone("level")
	g, err := s.layout([]layoutColumn{
		words("domain", "Domain"), words("category", "Category"),
		figures("accuracy_gain", "Accuracy", 2, Plain).signed(),
		figures("score_gain", "Score", 2, Plain).signed(),
		figures("coverage_gain", "Coverage", 2, Plain).signed(), figures("coverage_offered_gain", "of offered", 2, Plain).signed(),
		figures("share_of_long", "% of Long's gain", 1, Plain), figures("n_models", "Captioners", 0, Plain),
	}, func(i int) (string, string) { return names[i] + ", level " + levels[i], "" })
	if err == nil {
		g.Notes = append(g.Notes, coverageNote)
	}
	return g, err
}

func shortCannot(ts plots.Tables) (*Grid, error) {
	s := open(ts, "short_cannot_categories")
	levels, rates, offered := s.TextOrNone("level"), s.Numbers("cannot_rate"), s.Numbers("cannot_rate_offered")
	s = s.sorted(func(a, b int) int {
		return cmp.Or(strings.Compare(levels[a], levels[b]), first(rates[a].Valid, rates[b].Valid),
			cmp.Compare(rates[b].Value, rates[a].Value), cmp.Compare(offered[b].Value, offered[a].Value))
	})
	levels, rates = s.TextOrNone("level"), s.Numbers("cannot_rate")
	g, err := s.layout([]layoutColumn{
		words("domain", "Domain"), words("category", "Category"), figures("cannot_rate", "Cannot (%)", 1, Plain),
		figures("cannot_rate_offered", "of offered (%)", 1, Plain), figures("n_models", "Captioners", 0, Plain),
	}, func(i int) (string, string) {
		switch {
		case !rates[i].Valid:
			return "Level " + levels[i] + ", printed for the questions that offer the option alone", ""
		case rates[i].Value > 70:
			return "Level " + levels[i] + ", above 70 %", ""
		}
		return "Level " + levels[i] + ", at most 70 %", ""
	})
	if err == nil {
		g.Notes = append(g.Notes, "Short prompt. Cannot: share of all answers that chose \"Cannot answer from the caption\", the rate of CaptionQA section 14.5; "+
			"of offered: share of the answers to questions that offer it, the rate of Tables 11 to 26.")
	}
	return g, err
}

func readerComparison(ts plots.Tables) (*Grid, error) {
	s := open(ts, "reader_comparison")
	protocols, right := s.TextOrNone("protocol"), s.Numbers("accuracy")
	s = s.sorted(func(a, b int) int {
		return cmp.Or(strings.Compare(protocols[a], protocols[b]), cmp.Compare(right[b].Value, right[a].Value))
	})
	protocols = s.TextOrNone("protocol")
	g, err := s.layout([]layoutColumn{
		words("reader_name", "Reader"), figures("faithfulness", "Faithfulness (%)", 2, Highest),
		figures("accuracy", "Accuracy (%)", 2, Highest), figures("accuracy_sd", "SD over repeats", 2, Lowest),
		figures("flip_rate", "Flips (%)", 2, Lowest), figures("questions_per_second", "Questions per second", 2, Highest),
		figures("n_pool", "Pool", 0, Plain), figures("n_repeats", "Repeats", 0, Plain),
	}, func(i int) (string, string) { return "Protocol " + protocols[i], protocols[i] })
	if err == nil {
		g.Notes = append(g.Notes, "Faithfulness: share of \"cannot answer\" where the caption is empty. Accuracy: on one caption per question, the same for every reader.")
	}
	return g, err
}

func parserAgreement(ts plots.Tables) (*Grid, error) {
	s := open(ts, "parser_agreement")
	names := s.TextOrNone("reader_name")
	return s.layout([]layoutColumn{
		words("evidence", "Evidence"), words("captioner", "Captioner"), words("prompt", "Prompt"), figures("n_replies", "Replies", 0, Plain), figures("agreement", "Agree (%)", 2, Plain),
		figures("n_differ", "Differ", 0, Plain), figures("n_only_upstream", "Only published", 0, Plain), figures("n_only_strict", "Only strict", 0, Plain),
		figures("accuracy_upstream", "Acc published (%)", 2, Plain), figures("accuracy_strict", "Acc strict (%)", 2, Plain),
	}, func(i int) (string, string) { return "Reader: " + names[i], "" })
}
