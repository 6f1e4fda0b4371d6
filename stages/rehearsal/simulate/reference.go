package simulate

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// Prompts lists the caption prompts that can be simulated, in the order of CaptionQA Tables 11 to 26.
func Prompts() []string { return captionqa.TablePrompts() }

// A figure is a printed number with the digits that were printed.
type figure struct {
	value    float64
	decimals int
}

// matches reports whether a computed value is the figure at the figure's printed digits.
func (f figure) matches(computed float64) bool {
	return strconv.FormatFloat(computed, 'f', f.decimals, 64) == strconv.FormatFloat(f.value, 'f', f.decimals, 64)
}

// A cellKey names one cell of Tables 11 to 26. Under an empty prompt it names a cell of Table 4.
type cellKey struct{ model, prompt, domain string }

// A printedCell is one cell of Tables 11 to 26.
type printedCell struct {
	score, accuracy, cannot figure
	// scoreOnly marks the one cell that Table 12 leaves out: its score is that of Table 3, the rest is derived.
	scoreOnly bool
}

// A reference is what the paper and the leaderboard print, as far as the simulation follows it.
type reference struct {
	models        []string // model_ids, sorted
	cells         map[cellKey]printedCell
	gaps          map[cellKey]figure                       // Table 4, prompt empty
	board         map[string]map[string]map[string]float64 // domain, category, model: leaderboard score in percent
	cannot        map[string]map[string]float64            // domain, category: cannot-rate of Table 9, percent of all questions
	questions     map[string]int                           // domain: questions of Table 1
	images        map[string]int                           // domain: images of Table 1
	subcategories map[string]map[string][]string           // domain, category: subcategories of the taxonomy, sorted
	digest        string                                   // of everything read
}

// table9Short are the categories that Table 9 prints in short, with the taxonomy's names.
var table9Short = map[string]string{
	"Contextual and Scene Info":    "Contextual and Scene Information",
	"Brand and Marketing Info":     "Brand and Marketing Information",
	"Visual Appearance":            "Visual Appearance and Presentation",
	"Sensor and Embodiment Info":   "Sensor and Embodiment Information",
	"Functional/Semantic Underst.": "Functional and Semantic Understanding",
	"Spatial and Environment":      "Spatial and Environment Context",
}

// A referenceReader reads embedded tables and keeps the first error.
type referenceReader struct {
	files    fs.FS
	registry *data.ModelRegistry
	read     []string // contents, for the digest
	err      error
}

func (r *referenceReader) content(name string) []byte {
	content, err := fs.ReadFile(r.files, name)
	if err != nil {
		r.fail(err)
	}
	r.read = append(r.read, string(content))
	return content
}

func (r *referenceReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// rows calls f with every row of an embedded CSV file, by column name.
func (r *referenceReader) rows(name string, f func(row map[string]string)) {
	records, err := csv.NewReader(strings.NewReader(string(r.content(name)))).ReadAll()
	if err != nil || len(records) == 0 {
		r.fail(fmt.Errorf("%s: no table: %w", name, err))
		return
	}
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, column := range records[0] {
			row[column] = record[i]
		}
		f(row)
	}
}

func (r *referenceReader) figure(text string) figure {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		r.fail(fmt.Errorf("published figure: %w", err))
	}
	_, fraction, _ := strings.Cut(text, ".")
	return figure{value, len(fraction)}
}

func (r *referenceReader) count(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		r.fail(fmt.Errorf("published count: %w", err))
	}
	return n
}

func (r *referenceReader) model(name, size string) string {
	m, ok := r.registry.Resolve(name, size)
	if !ok {
		r.fail(fmt.Errorf("the registry has no model %q of size %q", name, size))
	}
	return m.ModelID
}

// loadReference reads the printed figures, the taxonomies and the model names that the binary carries.
func loadReference() (*reference, error) {
	registry, err := data.Registry()
	if err != nil {
		return nil, err
	}
	r := &referenceReader{files: data.Reference(), registry: registry}
	ref := &reference{
		cells: map[cellKey]printedCell{}, gaps: map[cellKey]figure{}, board: map[string]map[string]map[string]float64{},
		cannot: map[string]map[string]float64{}, questions: map[string]int{}, images: map[string]int{},
		subcategories: map[string]map[string][]string{},
	}
	published := data.CaptionQA().Domains
	models := map[string]bool{}
	r.rows("published/captionqa_results.csv", func(row map[string]string) {
		key := cellKey{r.model(row["model"], row["size"]), row["prompt"], row["domain"]}
		models[key.model] = true
		ref.cells[key] = printedCell{score: r.figure(row["score"]), accuracy: r.figure(row["accuracy"]), cannot: r.figure(row["cannot"])}
	})
	ref.models = slices.Sorted(maps.Keys(models))
	r.rows("published/captionqa_table3.csv", func(row map[string]string) {
		for _, d := range published {
			key := cellKey{r.model(row["model"], row["size"]), row["prompt"], d.Name}
			if _, printed := ref.cells[key]; !printed {
				ref.cells[key] = printedCell{score: r.figure(row[d.Column]), scoreOnly: true}
			}
		}
	})
	r.rows("published/captionqa_table4_gap.csv", func(row map[string]string) {
		for _, d := range published {
			ref.gaps[cellKey{model: r.model(row["model"], ""), domain: d.Name}] = r.figure(row[d.Column])
		}
	})
	r.rows("published/captionqa_leaderboard_categories.csv", func(row map[string]string) {
		domain := orNew(ref.board, row["domain"])
		orNew(domain, row["category"])[r.model(row["model"], row["size"])] = r.figure(row["score"]).value
	})
	r.rows("published/captionqa_table9_categories.csv", func(row map[string]string) {
		category := row["category"]
		if long, short := table9Short[category]; short {
			category = long
		}
		orNew(ref.cannot, row["domain"])[category] = r.figure(row["cannot"]).value
	})
	r.rows("published/captionqa_table1_statistics.csv", func(row map[string]string) {
		ref.questions[row["domain"]], ref.images[row["domain"]] = r.count(row["questions"]), r.count(row["images"])
	})
	byName := func(a, b data.Domain) int { return strings.Compare(a.Name, b.Name) } // an order that the digest depends on
	for _, d := range slices.SortedFunc(slices.Values(published), byName) {
		ref.subcategories[d.Name] = r.taxonomy("taxonomies/" + d.Split + ".json")
	}
	ref.digest = data.Fingerprint(r.read...)
	if r.err != nil {
		return nil, fmt.Errorf("reference data: %w", r.err)
	}
	return ref, ref.check()
}

// orNew returns the inner map of a key and makes it first if need be.
func orNew[V any](m map[string]map[string]V, key string) map[string]V {
	if m[key] == nil {
		m[key] = map[string]V{}
	}
	return m[key]
}

// taxonomy reads the first two levels of a taxonomy. The second is an object, or a list of names.
func (r *referenceReader) taxonomy(name string) map[string][]string {
	var tree map[string]json.RawMessage
	if err := json.Unmarshal(r.content(name), &tree); err != nil {
		r.fail(fmt.Errorf("%s: %w", name, err))
	}
	levels := map[string][]string{}
	for category, below := range tree {
		var object map[string]json.RawMessage
		var list []string
		if err := json.Unmarshal(below, &object); err == nil {
			levels[category] = slices.Sorted(maps.Keys(object))
		} else if err := json.Unmarshal(below, &list); err == nil {
			levels[category] = slices.Sorted(slices.Values(list))
		} else {
			r.fail(fmt.Errorf("%s: category %s has no subcategories", name, category))
		}
	}
	return levels
}

// check reports a cell, a category or a subcategory that the simulation needs and the reference data do not have.
func (ref *reference) check() error {
	for _, d := range domains {
		for _, model := range ref.models {
			for _, prompt := range Prompts() {
				if _, ok := ref.cells[cellKey{model, prompt, d.name}]; !ok {
					return fmt.Errorf("reference data: %s has no score of %s under %s", d.name, model, prompt)
				}
			}
			for category, scores := range ref.board[d.name] {
				_, scored := scores[model]
				_, rated := ref.cannot[d.name][category]
				if !scored || !rated || len(ref.subcategories[d.name][category]) == 0 {
					return fmt.Errorf("reference data: category %s of %s has no score of %s, no cannot-rate or no subcategories", category, d.name, model)
				}
			}
		}
	}
	return nil
}

// categories are a domain's categories, sorted.
func (ref *reference) categories(domain string) []string {
	return slices.Sorted(maps.Keys(ref.board[domain]))
}

// gapModels are the models of Table 4, sorted.
func (ref *reference) gapModels() []string {
	seen := map[string]bool{}
	for key := range ref.gaps {
		seen[key.model] = true
	}
	return slices.Sorted(maps.Keys(seen))
}
