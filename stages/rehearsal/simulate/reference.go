package simulate

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// Prompts lists the caption prompts that can be simulated, in the order of CaptionQA Tables 11 to
// 26.
func Prompts() []string { return captionqa.TablePrompts() }

// A cellKey names one cell of Tables 11 to 26. With an empty prompt it names a cell of Table 4.
type cellKey struct{ model, prompt, domain string }

// A cell is the printed figures of a model under a prompt in a domain, in percent.
type cell struct {
	score    float64 // also in Table 3
	accuracy float64
	cannot   float64 // of the questions that offer the option
}

// A reference is the paper's printed figures that the simulation follows.
type reference struct {
	models    []string // model_ids, sorted
	cells     map[cellKey]cell
	gaps      map[cellKey]float64 // Table 4, prompt empty: percentage points
	questions map[string]int      // by domain, Table 1
	images    map[string]int      // by domain, Table 1
	nodes     map[string][]data.TaxonomyNode
}

// readReference reads the published figures and the subcategories that every lake has after init.
func readReference(lake *data.Lake) (*reference, error) {
	ref := &reference{
		cells: map[cellKey]cell{}, gaps: map[cellKey]float64{}, questions: map[string]int{}, images: map[string]int{},
		nodes: map[string][]data.TaxonomyNode{},
	}
	models := map[string]bool{}
	for f, err := range data.Select(lake, data.PublishedFigures, nil) {
		if err != nil {
			return nil, err
		}
		if f.Benchmark != data.BenchmarkCaptionQA || f.Source != "paper" || f.Category != "" {
			continue
		}
		key := cellKey{f.ModelID, f.Prompt, f.Domain}
		switch {
		case f.Item == "Table 1" && f.Metric == "questions":
			ref.questions[f.Domain] = int(f.Value)
		case f.Item == "Table 1" && f.Metric == "images":
			ref.images[f.Domain] = int(f.Value)
		case f.Metric == "utility_gap":
			ref.gaps[key] = f.Value
		case f.ModelID != "" && f.Prompt != "":
			c := ref.cells[key]
			switch f.Metric {
			case "score":
				c.score = f.Value
			case "accuracy":
				c.accuracy, models[f.ModelID] = f.Value, true
			case "cannot_rate_offered":
				c.cannot = f.Value
			}
			ref.cells[key] = c
		}
	}
	ref.models = slices.Sorted(maps.Keys(models))
	for node, err := range data.Select(lake, data.Taxonomy, nil) {
		if err != nil {
			return nil, err
		}
		if node.Level == 2 {
			ref.nodes[node.Domain] = append(ref.nodes[node.Domain], node)
		}
	}
	for _, d := range data.CaptionQA().Domains {
		if len(ref.cells) == 0 || ref.questions[d.Name] == 0 || len(ref.nodes[d.Name]) == 0 {
			return nil, data.WithHint(fmt.Errorf("the lake has no published figures or no taxonomy of %s to simulate",
				d.Name), "captionlake init loads them")
		}
	}
	return ref, nil
}

// cell is the printed figures of a model. Table 12 lacks a row, but Table 3 has its score: the row
// of the model with the nearest score replaces it.
func (ref *reference) cell(key cellKey) cell {
	wanted := ref.cells[key]
	if wanted.accuracy > 0 {
		return wanted
	}
	var near cell
	for _, model := range ref.models {
		key.model = model
		if c := ref.cells[key]; c.accuracy > 0 && math.Abs(c.score-wanted.score) < math.Abs(near.score-wanted.score) {
			near = c
		}
	}
	return near
}

// gapModels are the models of Table 4, sorted.
func (ref *reference) gapModels() []string {
	seen := map[string]bool{}
	for key := range ref.gaps {
		seen[key.model] = true
	}
	return slices.Sorted(maps.Keys(seen))
}
