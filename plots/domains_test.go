package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/must"
)

// The published domains and prompts in the order of figures.
var (
	domains = data.CaptionQA().DomainNames()
	prompts = captionqa.PromptsByLength()
)

// ownLake is the marts of a lake with domains and prompts of the user's own, with the columns that the models of the same names give.
func ownLake(t *testing.T, domains, prompts []string) Tables {
	t.Helper()
	ts := Tables{}
	add := func(name, columns string, values ...any) {
		t.Helper()
		if ts[name] == nil {
			ts[name] = table(t, name, append(strings.Fields(columns), "provenance"))
		}
		must.Succeed(t, ts[name].Append(append(values, "measured")...))
	}
	all := domainsOf(domains...)
	own := func(d string) string {
		return all[slices.IndexFunc(all, func(e data.Domain) bool { return e.Name == d })].Column
	}
	for m, model := range []string{"captioner-a", "captioner-b", "captioner-c"} {
		for p, prompt := range prompts {
			columns, row := "prompt captioner captioner_name model_type overall", []any{prompt, model, model, "open", 50 + 10*float64(m)}
			for k, d := range domains {
				s := 40 + 10*float64(m) + float64(k+p)
				columns += fmt.Sprintf(" %[1]s_score %[1]s_score_low %[1]s_score_high", own(d))
				row = append(row, s, s-3, s+3)
				add("captionqa_results", "evidence prompt captioner captioner_name domain score", "caption", prompt, model, model, d, s)
				add("utility_per_word", "prompt captioner captioner_name domain score mean_words caption_provenance", prompt, model, model, d, s, 20*float64(p+1), "measured")
				for c := range 6 {
					add("captionqa_categories", "evidence prompt captioner captioner_name domain category score", "caption", prompt, model, model, d, fmt.Sprintf("Category %d", c), s+float64(c))
				}
			}
			add("captionqa_main", columns, row...)
			add("caption_lengths", "prompt captioner captioner_name domain mean_words", prompt, model, model, "Overall", 20*float64(p+1))
		}
		for k, d := range domains {
			add("captionqa_gap", "prompt captioner captioner_name domain gap relative_gap", prompts[0], model, model, d, 5+float64(k), 10)
			for n := 1; n <= 3; n++ {
				add("ranking_trajectories", "domain captioner captioner_name n_images accuracy score n_trials", d, model, model, n, 50+float64(m*n), 50+float64(m*n), 10)
			}
		}
	}
	for k, d := range domains {
		for n := 2; n < 6; n++ {
			add("question_options", "domain n_options n_questions", d, n, 10*n)
			add("questions_per_image", "domain n_questions", d, n+k)
			add("category_questions", "domain category n_questions", d, fmt.Sprintf("Category %d", n), 10*n)
			add("ranking_stability", "domain metric n_images n_models n_trials spearman spearman_sd kendall kendall_sd", d, "score", n, 3, 10, 0.8+0.04*float64(n), 0.05, 0.7+0.04*float64(n), 0.05)
		}
		add("ranking_stability_summary", "domain metric mean_images mean_share", d, "score", 3, 60)
		add("difficulty_bins", "prompt domain easy_share medium_share hard_share n_questions", prompts[0], d, 50, 30, 20, 100)
		for _, side := range []string{"hardest", "easiest"} {
			add("extreme_questions", "prompt domain extreme place image_id question options answer share_correct", prompts[0], d, side, 1, "i", "What is seen?", []string{"a", "b"}, 0, 50)
		}
		for _, s := range captionqa.PromptSteps() {
			add("prompt_transitions", "level transition domain category accuracy_gain share_of_long", "category", s.String(), d, "Category 1", 5-float64(k), 50+float64(k))
			add("coverage_accuracy", "level transition domain category coverage_gain accuracy_gain place rate", "category", s.String(), d, "Category 1", 5+float64(k), 5-float64(k), k+1, "all")
			if k == 0 {
				add("prompt_transition_summary", "level transition pearson", "category", s.String(), 0.5)
			}
		}
	}
	return ts
}

// A user's own domains and prompts have their panels and rows in every figure, whatever their number, beside the published ones or
// without them. With PLOTS_OUT set the files are kept there, to be looked at.
func TestOwnDomainsInEveryFigure(t *testing.T) {
	var twelve []string
	for i := range 12 {
		twelve = append(twelve, fmt.Sprintf("Own domain %02d", i+1))
	}
	for name, c := range map[string]struct{ domains, prompts []string }{
		"one":    {[]string{"Photos & <Prints>"}, []string{"Haiku"}},
		"five":   {append(slices.Clone(domains), "Photos"), append(slices.Clone(prompts), "Haiku", "In one sentence, for the blind")},
		"twelve": {twelve, []string{"Simple", "Long"}},
		"all":    {append(slices.Clone(domains), twelve...), append(slices.Clone(prompts), "a", "b", "c", "d", "e", "f")},
	} {
		t.Run(name, func(t *testing.T) {
			ts := ownLake(t, c.domains, c.prompts)
			seen := map[string]int{}
			for _, f := range byHand(c.domains...) {
				if len(f.Needs) == 0 || slices.ContainsFunc(f.Needs, func(n string) bool { return ts[n] == nil }) {
					continue
				}
				of := slices.IndexFunc(domainsOf(c.domains...), func(d data.Domain) bool { return strings.HasSuffix(f.Name, "_"+d.Column) })
				if of >= 0 && !slices.Contains(c.domains, domainsOf(c.domains...)[of].Name) {
					continue // a published domain that this lake does not have
				}
				d, err := f.Draw(ts, Page{})
				must.Succeed(t, err)
				if err := checkPages(f, ts, d); err != nil {
					t.Errorf("figure %s: %v", f.Name, err)
				}
				labels, err := d.Labels()
				must.Succeed(t, err)
				var text strings.Builder
				for _, l := range labels {
					text.WriteString(l.Text + "\n")
				}
				for _, domain := range c.domains {
					if strings.Contains(text.String(), domain) {
						seen[domain]++
					}
				}
				if f.Name == "prompts" && !strings.Contains(text.String(), cmp.Or(map[string]string{"Taxonomy-Hinted": "Hinted"}[c.prompts[3%len(c.prompts)]], c.prompts[len(c.prompts)-1][:1])) {
					t.Errorf("the prompts %v are not all on the axis: %s", c.prompts, text.String())
				}
				must.Succeed(t, d.keep("own_"+name+"_"+f.Name))
			}
			for _, domain := range c.domains {
				if want := seen[c.domains[0]]; seen[domain] != want || want < 7 {
					t.Errorf("%s is named in %d figures, %s in %d; 7 and more show domains", domain, seen[domain], c.domains[0], want)
				}
			}
		})
	}
}

// Colours of own domains stay apart, those of the first eight as far as those of the published ones, and text in them can be read.
func TestOwnDomainsHaveColours(t *testing.T) {
	var names []string
	for i := range len(ownInks) * len(ownTones) {
		names = append(names, fmt.Sprintf("Own %02d", i))
	}
	set := domainsOf(names...)
	for i, a := range set {
		if c := contrast(set.text(a.Name)); i >= len(domainInks) && c < 4.5 {
			t.Errorf("text of domain %d has a contrast of %.2f", i, c)
		}
		for j, b := range set[:i] {
			d := apart(lab(linear(set.color(a.Name))), lab(linear(set.color(b.Name))))
			if least := map[bool]float64{true: 15, false: 3}[i < 12]; d < least || math.IsNaN(d) {
				t.Errorf("domains %d and %d are %.1f apart", j, i, d)
			}
		}
	}
}
