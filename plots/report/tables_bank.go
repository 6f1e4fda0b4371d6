package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/plots"
)

// The tables of the question bank.

func statistics(ts plots.Tables) (*Grid, error) {
	s := open(ts, bankTable).byDomain()
	banks := s.TextOrNone("bank")
	return s.layout([]layoutColumn{
		words("domain", "Domain"), figures("questions", "Questions", 0, Plain), figures("top_level", "Top-level", 0, Plain),
		figures("subcategories", "Sub", 0, Plain), figures("images", "Images", 0, Plain), figures("questions_per_image", "Questions per image", 1, Plain),
	}, func(i int) (string, string) { return "Bank: " + banks[i], banks[i] })
}

func quality(ts plots.Tables) (*Grid, error) {
	s := open(ts, "captionqa_quality").byDomain()
	stages := s.TextOrNone("stage")
	s = s.with("when", func(i int) any {
		switch stages[i] {
		case "pre_quality":
			return "Before quality control"
		case "post_quality":
			return "After quality control"
		}
		return stages[i]
	}).sorted(func(a, b int) int { return strings.Compare(stages[b], stages[a]) }) // before comes before after
	return pivot{words("when", "Stage"), "domain", figures("accuracy", "", 1, Highest)}.grid(s, s.distinct("domain", domainOrder))
}

func questionOptions(ts plots.Tables) (*Grid, error) {
	s := open(ts, "question_options").byDomain()
	groups := s.TextOrNone("domain")
	return s.layout([]layoutColumn{
		figures("n_options", "Options", 0, Plain), figures("n_questions", "Questions", 0, Plain), figures("share", "Share (%)", 1, Plain),
		figures("n_yes_no", "Yes/no questions", 0, Plain), figures("share_yes_no", "Yes/no (%)", 1, Plain),
	}, func(i int) (string, string) { return groups[i], "" })
}

func questionsPerImage(ts plots.Tables) (*Grid, error) {
	return open(ts, "questions_per_image_summary").byDomain().layout([]layoutColumn{
		words("domain", "Domain"), figures("n_images", "Images", 0, Plain), figures("n_questions", "Questions", 0, Plain),
		figures("mean", "Mean", 1, Plain), figures("sd", "SD", 1, Plain), figures("smallest", "Least", 0, Plain),
		figures("lower_quartile", "Quartile 1", 1, Plain), figures("median", "Median", 1, Plain), figures("upper_quartile", "Quartile 3", 1, Plain), figures("largest", "Most", 0, Plain),
	}, nil)
}

func categoryQuestions(ts plots.Tables) (*Grid, error) {
	s := open(ts, "category_questions")
	places := s.Numbers("place")
	s = s.sorted(func(a, b int) int { return cmp.Compare(places[a].Value, places[b].Value) }).byDomain()
	groups := s.TextOrNone("domain")
	columns := []layoutColumn{
		words("category", "Category"), figures("n_questions", "Questions", 0, Plain), figures("share", "Share (%)", 1, Plain),
		figures("n_images", "Images", 0, Plain), figures("n_subcategories", "Subcategories", 0, Plain),
	}
	stated := slices.ContainsFunc(s.NumbersIf("stated_share"), func(n plots.Number) bool { return n.Valid })
	if stated {
		columns = slices.Insert(columns, 3, figures("stated_share", "Stated (%)", 1, Plain))
	}
	g, err := s.layout(columns, func(i int) (string, string) { return groups[i], "" })
	if err == nil && stated {
		g.Notes = append(g.Notes, "Share: of the counts that Table 9 prints. Stated: the share in section 8.1.")
	}
	return g, err
}

func difficulty(ts plots.Tables) (*Grid, error) {
	s, prompt := open(ts, "difficulty_bins").onePrompt()
	g, err := s.byDomain().layout([]layoutColumn{
		words("domain", "Domain"),
		figures("easy_share", "Easy (%)", 1, Plain),
		figures("medium_share", "Medium (%)", 1, Plain),
		figures("hard_share", "Hard (%)", 1, Plain),
		figures("n_questions", "Questions", 0, Plain),
	}, nil)
	if err != nil {
		return nil, err
	}
	return g.under(prompt), nil
}

func categorySummary(ts plots.Tables) (*Grid, error) {
	s, prompt := open(ts, "captionqa_category_summary").onePrompt()
	means := s.Numbers("mean_score")
	s = s.sorted(func(a, b int) int { return cmp.Compare(means[b].Value, means[a].Value) }).byDomain() // by mean within the domain, as the paper does
	bases := s.TextOrNone("basis")
	s = s.sorted(func(a, b int) int { return strings.Compare(bases[a], bases[b]) })
	bases, groups := s.TextOrNone("basis"), s.TextOrNone("domain")
	g, err := s.layout([]layoutColumn{
		words("category", "Category"), figures("mean_score", "Mean", 1, Plain), figures("sd", "Std", 1, Plain),
		figures("min_score", "Min", 1, Plain), figures("max_score", "Max", 1, Plain), figures("cannot_rate", "Cannot (%)", 1, Plain),
		figures("cannot_rate_offered", "of offered (%)", 1, Plain), figures("n_questions", "Questions", 0, Plain),
	}, func(i int) (string, string) { return groups[i] + ". Basis: " + bases[i], "" })
	if err != nil {
		return nil, err
	}
	g.Notes = append(g.Notes, "Cannot: share of all answers that chose \"Cannot answer from the caption\", the rate of CaptionQA Table 9; "+
		"of offered: share of the answers to questions that offer it, the rate of Tables 11 to 26.")
	return g.under(prompt), difficultyNotes(ts, g, prompt)
}

// difficultyNotes adds the correlation of cannot rate and difficulty where the mart is there.
func difficultyNotes(ts plots.Tables, g *Grid, prompt string) error {
	if _, err := ts.Get("category_difficulty"); err != nil {
		return nil // a mart that the table can do without
	}
	s := open(ts, "category_difficulty").where("prompt", prompt).where("domain", "All")
	bases, r, n := s.TextOrNone("basis"), s.Numbers("pearson"), s.Numbers("n_categories")
	ends := s.Interval("pearson")
	two := Column{Decimals: 2}
	for i := range bases {
		if s.Err != nil || !r[i].Valid {
			continue
		}
		interval := ""
		if ends[0][i].Valid && ends[1][i].Valid {
			interval = ", 95 % interval " + two.print(ends[0][i].Value) + " to " + two.print(ends[1][i].Value)
		}
		g.Notes = append(g.Notes, "Basis "+bases[i]+": Pearson's r of the cannot rate of all answers and difficulty (100 minus the mean) over "+Column{}.print(n[i].Value)+
			" categories is "+two.print(r[i].Value)+interval+".")
	}
	return s.Err
}
