package simulate

import (
	"maps"
	"math"
	"slices"

	"github.com/captionlake/captionlake/data"
)

// A figure names a printed figure. Table 4 has no prompt, and Table 1 has no model.
type figure struct{ metric, model, prompt, domain string }

// A reference is the paper's printed figures that the simulation follows.
type reference struct {
	figures map[figure]float64
	nodes   map[string][]data.TaxonomyNode // by domain
}

// readReference reads the published figures and the subcategories that every lake has after init.
func readReference(lake *data.Lake) (*reference, error) {
	ref := &reference{map[figure]float64{}, map[string][]data.TaxonomyNode{}}
	for f, err := range data.Select(lake, data.PublishedFigures, nil) {
		if err != nil {
			return nil, err
		}
		ofPaper := f.Benchmark == data.BenchmarkCaptionQA && f.Source == "paper" && f.Category == ""
		ofBank := f.Item == "Table 1"
		ofModel := f.Metric == "utility_gap" || f.ModelID != "" && f.Prompt != "" // A gap has no prompt.
		if ofPaper && (ofBank || ofModel) {
			ref.figures[figure{f.Metric, f.ModelID, f.Prompt, f.Domain}] = f.Value
		}
	}
	for node, err := range data.Select(lake, data.Taxonomy, nil) {
		if err != nil {
			return nil, err
		}
		if node.Level == 2 {
			ref.nodes[node.Domain] = append(ref.nodes[node.Domain], node)
		}
	}
	for _, d := range data.CaptionQA().Domains {
		if len(ref.models("accuracy")) == 0 || ref.size("questions", d.Name) == 0 || len(ref.nodes[d.Name]) == 0 {
			return nil, data.Errorf("captionlake init loads them",
				"the lake has no published figures or no taxonomy of %s to simulate", d.Name)
		}
	}
	return ref, nil
}

// size is the number of the paper's images or questions in a domain (Table 1).
func (ref *reference) size(of, domain string) float64 {
	return ref.figures[figure{metric: of, domain: domain}]
}

// models are the models with a printed figure of a metric, sorted.
func (ref *reference) models(metric string) []string {
	seen := map[string]bool{}
	for f := range ref.figures {
		if f.metric == metric && f.model != "" {
			seen[f.model] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// A cell is the printed figures of a model under a prompt in a domain, in percent.
type cell struct {
	score    float64 // also in Table 3
	accuracy float64
	cannot   float64 // of the questions that offer the option
}

// printed is the cell as the paper prints it; zero if the paper has no row of it.
func (ref *reference) printed(model, prompt, domain string) cell {
	of := func(metric string) float64 { return ref.figures[figure{metric, model, prompt, domain}] }
	return cell{of("score"), of("accuracy"), of("cannot_rate_offered")}
}

// cell is the printed cell. Table 12 has no row of one model, but Table 3 has the model's score:
// the row of the model with the nearest score replaces the missing one.
func (ref *reference) cell(model, prompt, domain string) cell {
	own := ref.printed(model, prompt, domain)
	if own.accuracy > 0 {
		return own
	}
	var nearest cell
	for _, other := range ref.models("accuracy") {
		c := ref.printed(other, prompt, domain)
		if c.accuracy > 0 && math.Abs(c.score-own.score) < math.Abs(nearest.score-own.score) {
			nearest = c
		}
	}
	return nearest
}
