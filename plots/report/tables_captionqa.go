package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/plots"
)

// paperTables lists every table in the order of the report. Of a lake, found are its domains, any of which may repeat, and conditions
// the domains and prompts of which it has results from captions: a user's own have tables beside the published ones.
func paperTables(found []string, conditions []condition) []paperTable {
	domains := data.CaptionQA().WithOwn(found)
	made := map[string][]paperTable{resultsEntry: resultTables(domains, conditions), "taxonomy_{domain}": taxonomyTables(domains)}
	for _, t := range slices.Concat(constructTables, []paperTable{
		{name: "table_01_statistics", title: "Size of the question bank by domain", paper: "CaptionQA, Table 1", needs: []string{bankTable}, all: true, build: statistics},
		{name: "table_02_quality", title: "Share of questions that are right (%), before and after people checked them", paper: "CaptionQA, Table 2", needs: []string{"captionqa_quality"}, build: quality},
		{name: "table_03_main", title: "CaptionQA score (%) of every captioner by domain", paper: "CaptionQA, Table 3", needs: []string{mainTable},
			build: func(ts plots.Tables) (*Grid, error) { return mainScores(ts, domains) }},
		{name: "table_04_gap", title: "Utility gap: accuracy on the image minus accuracy on the caption", paper: "CaptionQA, Table 4", needs: []string{"captionqa_gap"}, build: gap},
		{name: "table_09_categories", title: "Every category over all captioners, {prompt} prompt", paper: "CaptionQA, Table 9", needs: []string{"captionqa_category_summary"}, also: []string{"category_difficulty"}, build: categorySummary},
		{name: "table_10_difficulty", title: "Easy, medium and hard questions, {prompt} prompt", paper: "CaptionQA, Table 10", needs: []string{"difficulty_bins"}, build: difficulty},
		{name: "ranks", title: "Places of the captioners by score, {prompt} prompt", paper: "CaptionQA, order of Tables 3 and 11–26", needs: []string{"captionqa_ranks"}, build: ranks},
		{name: "differences_to_best", title: "How far each captioner lies behind the best one (score, points), {prompt} prompt", paper: "CaptionQA, order of Tables 3 and 11–26; the differences are beyond the paper", needs: []string{"captionqa_differences"}, build: differencesToBest},
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
	}, rubricTables(), arenaTables()) {
		made[t.name] = []paperTable{t}
	}
	var out []paperTable
	for _, b := range data.Benchmarks() {
		for _, name := range b.Tables {
			for _, t := range made[name] {
				t.benchmark = b.Name
				out = append(out, t)
			}
		}
	}
	return append(out, auditTables()...)
}

// A condition is a domain and a caption prompt that there are results of.
type condition struct{ domain, prompt string }

// resultsEntry is how the benchmark lists the tables of results.
const resultsEntry = "results_{domain}_{prompt}"

// resultTables are the tables of results: those of the paper, Tables 11 to 26, whether or not there are rows, then those of other
// domains and prompts that have rows.
func resultTables(domains []data.Domain, conditions []condition) []paperTable {
	const first = 11 // the paper's number of the first of them
	b := data.CaptionQA()
	prompts := slices.Clone(b.TablePrompts)
	for _, c := range conditions {
		if !slices.Contains(prompts, c.prompt) {
			prompts = append(prompts, c.prompt)
		}
	}
	slices.SortFunc(prompts, data.PublishedFirst(b.TablePrompts))
	parts := columnIDs(prompts)
	var out, own []paperTable
	for i, d := range domains {
		for k, prompt := range prompts {
			t := paperTable{
				name:  "results_" + d.Column + "_" + parts[k],
				title: fmt.Sprintf("Results on the %s domain with the %s prompt (%%)", d.Name, prompt),
				paper: "as CaptionQA, Tables 11–26, for another domain or prompt",
				needs: []string{"captionqa_results"},
				build: func(ts plots.Tables) (*Grid, error) { return domainResults(ts, d.Name, prompt) },
			}
			if i < len(b.Domains) && k < len(b.TablePrompts) {
				number := first + i*len(b.TablePrompts) + k
				t.name, t.paper = fmt.Sprintf("table_%d_%s_%s", number, d.Column, parts[k]), fmt.Sprintf("CaptionQA, Table %d", number)
				out = append(out, t)
			} else if slices.Contains(conditions, condition{d.Name, prompt}) {
				own = append(own, t)
			}
		}
	}
	return append(out, own...)
}

// slug makes a name fit for a file name.
func slug(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "_")
}

// modelColumn names the captioner, as all tables of results do first.
func modelColumn() layoutColumn { return words("captioner_name", "Captioner") }

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
	values, names := s.Numbers(column), s.TextOrNone("captioner_name")
	return s.sorted(func(a, b int) int {
		order := cmp.Compare(values[a].Value, values[b].Value)
		if highestFirst {
			order = -order
		}
		return cmp.Or(first(values[a].Valid, values[b].Valid), order, strings.Compare(names[a], names[b]))
	})
}

func mainScores(ts plots.Tables, domains []data.Domain) (*Grid, error) {
	s := open(ts, mainTable).byRank("overall", true)
	prompts, types := s.TextOrNone("prompt"), s.TextOrNone("model_type")
	order := data.PublishedFirst(captionqa.TablePrompts())
	s = s.sorted(func(a, b int) int { // the prompts in the paper's order, and within each the open models first
		return cmp.Or(order(prompts[a], prompts[b]), strings.Compare(types[a], types[b]))
	})
	prompts, types = s.TextOrNone("prompt"), s.TextOrNone("model_type")
	columns := []layoutColumn{modelColumn(), figures("overall", data.DomainOverall, 2, Highest)}
	for _, d := range domains {
		if s.Has(d.ScoreColumn()) && slices.ContainsFunc(s.Numbers(d.ScoreColumn()), func(n plots.Number) bool { return n.Valid }) {
			columns = append(columns, figures(d.ScoreColumn(), d.Name, 2, Highest))
		}
	}
	return s.layout(columns, func(i int) (string, string) { return prompts[i] + " prompt. " + typeHead(types[i]), prompts[i] })
}

func domainResults(ts plots.Tables, domain, prompt string) (*Grid, error) {
	s := open(ts, "captionqa_results").where("evidence", captionqa.EvidenceCaption).where("prompt", prompt).where("domain", domain).byRank("score", true)
	types := s.TextOrNone("model_type")
	s = s.sorted(func(a, b int) int { return strings.Compare(types[a], types[b]) })
	types = s.TextOrNone("model_type")
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
