package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/plots"
)

// paperTables lists every table in the order of the report.
func paperTables() []paperTable {
	out := []paperTable{
		{name: "table_01_statistics", title: "Size of the question bank by domain", paper: "CaptionQA, Table 1", needs: []string{bankTable}, all: true, build: statistics},
		{name: "table_02_quality", title: "Share of questions that are right (%), before and after people checked them", paper: "CaptionQA, Table 2", needs: []string{"captionqa_quality"}, build: quality},
		{name: "table_03_main", title: "CaptionQA score (%) of every captioner by domain", paper: "CaptionQA, Table 3", needs: []string{mainTable}, build: mainScores},
		{name: "table_04_gap", title: "Utility gap: accuracy on the image minus accuracy on the caption", paper: "CaptionQA, Table 4", needs: []string{"captionqa_gap"}, build: gap},
		{name: "table_09_categories", title: "Every category over all captioners, Simple prompt", paper: "CaptionQA, Table 9", needs: []string{"captionqa_category_summary"}, also: []string{"category_difficulty"}, build: categorySummary},
		{name: "table_10_difficulty", title: "Easy, medium and hard questions, Simple prompt", paper: "CaptionQA, Table 10", needs: []string{"difficulty_bins"}, build: difficulty},
	}
	number := 11
	for _, domain := range paperDomains {
		for _, prompt := range []string{"Long", "Simple", "Short", "Taxonomy-Hinted"} { // the order of the paper
			out = append(out, paperTable{
				name:  fmt.Sprintf("table_%d_%s_%s", number, slug(domain), slug(prompt)),
				title: fmt.Sprintf("Results on the %s domain with the %s prompt (%%)", domain, prompt),
				paper: fmt.Sprintf("CaptionQA, Table %d", number),
				needs: []string{"captionqa_results"},
				build: func(ts plots.Tables) (*Grid, error) { return domainResults(ts, domain, prompt) },
			})
			number++
		}
	}
	out = append(out, []paperTable{
		{name: "ranks", title: "Places of the captioners by score, Simple prompt", paper: "CaptionQA, order of Tables 3 and 11–26", needs: []string{"captionqa_ranks"}, build: ranks},
		{name: "readers", title: "Readers side by side", paper: "CaptionQA, Figure 2", needs: []string{"reader_comparison"}, all: true, build: readerComparison},
		{name: "question_options", title: "Number of options of the questions", paper: "CaptionQA, Figure 7", needs: []string{"question_options"}, build: questionOptions},
		{name: "questions_per_image", title: "Questions per image", paper: "CaptionQA, Figure 8", needs: []string{"questions_per_image_summary"}, build: questionsPerImage},
		{name: "category_questions", title: "Questions by category", paper: "CaptionQA, Figures 9–12", needs: []string{"category_questions"}, build: categoryQuestions},
		{name: "caption_lengths", title: "Words per caption by prompt", paper: "CaptionQA, Figure 13", needs: []string{"caption_lengths"}, build: captionLengths},
		{name: "utility_per_word", title: "Score per hundred words of caption", paper: "CaptionQA, Section 5.2", needs: []string{"utility_per_word"}, build: utilityPerWord},
		{name: "ranking_stability", title: "Images that keep the ranking of captioners", paper: "CaptionQA, Figures 15 and 16", needs: []string{"ranking_stability_summary"}, build: stability},
		{name: "prompt_transition_summary", title: "Changes of the caption prompt in a few numbers", paper: "CaptionQA, Sections 14.1–14.4", needs: []string{"prompt_transition_summary"}, build: transitionSummary},
		{name: "prompt_transitions", title: "What a change of the caption prompt gains (points)", paper: "CaptionQA, Figures 17–23", needs: []string{"prompt_transitions"}, build: transitions},
		{name: "short_cannot_categories", title: "How often readers find no answer in short captions", paper: "CaptionQA, Section 14.5", needs: []string{"short_cannot_categories"}, build: shortCannot},
		{name: "parser_agreement", title: "The published parser beside the strict one", paper: "beyond the paper", needs: []string{"parser_agreement"}, all: true, build: parserAgreement},
	}...)
	return slices.Concat(out, auditTables(), rubricTables())
}

// paperDomains are the domains in the paper's order.
var paperDomains = []string{"Natural", "Document", "E-commerce", "Embodied AI"}

// slug makes a name fit for a file name.
func slug(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "_")
}

// modelColumn names the captioner, as all tables of results do first.
func modelColumn() layoutColumn { return words("model", "Captioner") }

// typeHead words a kind of model as a heading.
func typeHead(kind string) string {
	switch kind {
	case "open":
		return "Open models"
	case "proprietary":
		return "Proprietary models"
	case "stub":
		return "Rehearsal models"
	case "":
		return "Models unknown to the registry"
	}
	return strings.ToUpper(kind[:1]) + kind[1:]
}

// byRank orders rows by a number, best first, those without one last, then by name.
func (s *sheet) byRank(column string, highestFirst bool) *sheet {
	values, names := s.number(column), s.text("model")
	if s.err != nil {
		return s
	}
	return &sheet{t: s.t.Sorted(func(a, b int) int {
		x, y := values[a], values[b]
		if x.Valid != y.Valid {
			return first(x.Valid, y.Valid)
		}
		order := cmp.Compare(x.Value, y.Value)
		if highestFirst {
			order = -order
		}
		return cmp.Or(order, strings.Compare(names[a], names[b]))
	})}
}

func mainScores(ts plots.Tables) (*Grid, error) {
	s := open(ts, mainTable).byRank("overall", true)
	prompts, types := s.text("prompt"), s.text("model_type")
	if s.err == nil { // the prompts in the paper's order, and within each the open models first
		order := s.t.Sorted(func(a, b int) int {
			return cmp.Or(cmp.Compare(promptRank(prompts[a]), promptRank(prompts[b])), strings.Compare(prompts[a], prompts[b]), strings.Compare(types[a], types[b]))
		})
		s = &sheet{t: order}
		prompts, types = s.text("prompt"), s.text("model_type")
	}
	return s.layout([]layoutColumn{
		modelColumn(),
		figures("overall", "Overall", 2, Highest),
		figures("natural", "Natural", 2, Highest),
		figures("document", "Document", 2, Highest),
		figures("ecommerce", "E-commerce", 2, Highest),
		figures("embodied_ai", "Embodied AI", 2, Highest),
	}, func(i int) (string, string) { return prompts[i] + " prompt. " + typeHead(types[i]), prompts[i] })
}

// promptRank orders prompts as Table 3 does.
func promptRank(prompt string) int {
	order := []string{"Long", "Simple", "Short", "Taxonomy-Hinted"}
	if i := slices.Index(order, prompt); i >= 0 {
		return i
	}
	return len(order)
}

func domainResults(ts plots.Tables, domain, prompt string) (*Grid, error) {
	s := open(ts, "captionqa_results").where("evidence", "caption").where("prompt", prompt).where("domain", domain).byRank("score", true)
	types := s.text("model_type")
	if s.err == nil {
		s = &sheet{t: s.t.Sorted(func(a, b int) int { return strings.Compare(types[a], types[b]) })}
		types = s.text("model_type")
	}
	g, err := s.layout([]layoutColumn{
		modelColumn(),
		figures("score", "Score", 2, Highest),
		figures("accuracy", "Acc", 2, Highest),
		figures("cannot_rate_offered", "Cannot", 1, Lowest),
	}, func(i int) (string, string) { return typeHead(types[i]), "" })
	if err == nil {
		g.Notes = append(g.Notes, "Cannot: share of the answers to questions that offer \"Cannot answer from the caption\" which chose it. CaptionQA Table 9 prints the share of all answers.")
	}
	return g, err
}
