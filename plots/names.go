package plots

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// Names are the names to write for models, domains and caption prompts in place of those that the lake has. The zero value changes none.
type Names struct {
	models, domains, prompts map[string]string
	words, phrases           map[string]string
	phrase                   *regexp.Regexp // any of the phrases; nil without one
}

// NewNames returns the names to write, of models by their ids, of domains and prompts by those that the lake has.
func NewNames(models, domains, prompts map[string]string) Names {
	n := Names{models: models, domains: domains, prompts: prompts, words: map[string]string{}, phrases: map[string]string{}}
	for d, name := range domains {
		n.words[d], n.phrases[d] = name, name
	}
	for p, name := range prompts {
		n.words[p], n.phrases[p+" prompt"], n.phrases["prompt "+p] = name, name+" prompt", "prompt "+name
		n.words[data.CaptionQA().Title+" "+p] = data.CaptionQA().Title + " " + name
	}
	for _, s := range captionqa.PromptSteps() {
		from, to := n.Prompt(s.From), n.Prompt(s.To)
		if from != s.From || to != s.To {
			n.words[s.String()], n.phrases[s.String()] = from+" to "+to, from+" to "+to
			n.phrases["the "+s.From+" to the "+s.To+" prompt"] = "the " + from + " to the " + to + " prompt"
		}
	}
	var alternatives []string
	for phrase := range n.phrases {
		alternatives = append(alternatives, regexp.QuoteMeta(phrase))
	}
	if len(alternatives) > 0 {
		slices.SortFunc(alternatives, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
		n.phrase = regexp.MustCompile(`\b(?:` + strings.Join(alternatives, "|") + `)\b`)
	}
	return n
}

// Model is the name to write for a model where a mart has its id alone; rows that have names carry those to write.
func (n Names) Model(id string) string { return cmp.Or(n.models[id], id) }

// Domain is the name to write for a domain, and Prompt that for a caption prompt.
func (n Names) Domain(name string) string { return cmp.Or(n.domains[name], name) }
func (n Names) Prompt(name string) string { return cmp.Or(n.prompts[name], name) }

// Prompts are the names to write for several caption prompts.
func (n Names) Prompts(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = n.Prompt(name)
	}
	return out
}

// Word is what to write for a text that is the name of a domain, of a prompt, of a change of the prompt, or of the benchmark with a prompt;
// any other text is itself.
func (n Names) Word(s string) string { return cmp.Or(n.words[s], s) }

// Sentence writes the names within a sentence anew: a domain is a word, and a prompt one beside the word prompt.
func (n Names) Sentence(s string) string {
	if n.phrase == nil {
		return s
	}
	return n.phrase.ReplaceAllStringFunc(s, func(p string) string { return n.phrases[p] })
}
