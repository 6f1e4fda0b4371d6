package bank

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/captionlake/captionlake/data"
)

// cardName is the file in which Hugging Face looks for what a dataset is.
const cardName = "README.md"

// UnknownLicence is what a card says of the licence when nobody named one.
const UnknownLicence = "unknown"

// licencePattern is how the identifiers of licences are written that Hugging Face lists.
var licencePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{0,63}$`)

// A construction tells how the questions of a bank were made. It is empty for a bank that was loaded.
type construction struct {
	steps  []step
	asked  []modelUse
	merged []mergedQuestion
}

// A step of the construction, with the candidates that it left.
type step struct {
	name  string
	count int
}

// A modelUse is a model that had a part in the bank, with the version of the prompt that it got.
type modelUse struct{ stage, model, protocol, provenance string }

// A mergedQuestion is a candidate for which a question of the bank stands, because it asks nearly the same.
type mergedQuestion struct {
	CandidateID string   `json:"candidate_id"` // of the question, as in the bank
	Merged      string   `json:"merged_candidate_id"`
	Similarity  float64  `json:"similarity"`
	Generator   string   `json:"generator"`
	Question    string   `json:"question"`
	Choices     []string `json:"choices"`
	AnswerIndex int32    `json:"answer_index"`
	Provenance  string   `json:"provenance"`
}

// readMade reads how the questions of the domains were made.
func (e *exporter) readMade(domains []string) error {
	published := map[string]bool{}
	for _, q := range e.questions {
		if q.CandidateID != nil {
			published[*q.CandidateID] = true
		}
	}
	candidates := map[string]candidateStatus{}
	counts := map[string]int{}
	for _, domain := range domains {
		all, err := statuses(e.lake, domain)
		if err != nil {
			return err
		}
		for _, s := range all {
			candidates[s.CandidateID] = s
			counts[s.reason]++
			if published[s.CandidateID] {
				counts["published by "+s.by]++
			}
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	left := len(candidates)
	take := func(name string, reasons ...string) {
		for _, reason := range reasons {
			left -= counts[reason]
		}
		e.made.steps = append(e.made.steps, step{name, left})
	}
	take("written by generators")
	take("well formed", malformed)
	take("not answered without the picture", notTried, known)
	take("one for each group of near-duplicates", notGrouped, duplicate)
	e.made.steps = append(e.made.steps, step{"in the bank", len(published)})
	for _, by := range slices.Sorted(maps.Keys(counts)) {
		if decision, found := strings.CutPrefix(by, "published by "); found {
			e.made.steps = append(e.made.steps, step{madeBy[decision], counts[by]})
		}
	}
	if err := e.readMerged(candidates, published); err != nil {
		return err
	}
	return e.readAsked(candidates)
}

// madeBy says how a candidate came into the bank, by construct.RouteAccept or the decision of a person.
var madeBy = map[string]string{
	"accept": "of them, accepted by all validators", "keep": "of them, kept by a person", "fix": "of them, corrected by a person",
}

func (e *exporter) readMerged(candidates map[string]candidateStatus, published map[string]bool) error {
	type group struct {
		image string
		id    int32
	}
	kept, others := map[group]string{}, []data.QuestionGroup{}
	for g, err := range data.Scan(e.lake, data.QuestionGroups) {
		switch {
		case err != nil:
			return err
		case g.Representative && published[g.CandidateID]:
			kept[group{g.ImageID, g.GroupID}] = g.CandidateID
		case !g.Representative:
			others = append(others, g)
		}
	}
	for _, g := range others {
		c, known := candidates[g.CandidateID]
		if id := kept[group{g.ImageID, g.GroupID}]; known && id != "" {
			e.made.merged = append(e.made.merged, mergedQuestion{id, c.CandidateID, g.Similarity, c.Generator, c.Question, c.Options, c.AnswerIndex, c.Provenance})
		}
	}
	slices.SortFunc(e.made.merged, func(a, b mergedQuestion) int {
		return cmp.Or(cmp.Compare(a.CandidateID, b.CandidateID), cmp.Compare(a.Merged, b.Merged))
	})
	return nil
}

// readAsked finds the calls from which the rows about the candidates came.
func (e *exporter) readAsked(candidates map[string]candidateStatus) error {
	type row struct {
		CandidateID string `parquet:"candidate_id"`
		RequestHash string `parquet:"request_hash"`
	}
	hashes := map[string]bool{}
	for _, rows := range []func(func(row, error) bool){
		data.Project[row](e.lake, data.Candidates, nil), data.Project[row](e.lake, data.BlindTrials, nil),
		data.Project[row](e.lake, data.Embeddings, nil), data.Project[row](e.lake, data.Validations, nil),
	} {
		for r, err := range rows {
			if err != nil {
				return err
			}
			if _, ours := candidates[r.CandidateID]; ours {
				hashes[r.RequestHash] = true
			}
		}
	}
	type call struct {
		RequestHash string `parquet:"request_hash"`
		Stage       string `parquet:"stage"`
		Protocol    string `parquet:"protocol"`
		Model       string `parquet:"model"`
		Provenance  string `parquet:"provenance"`
	}
	models := map[modelUse]bool{}
	for c, err := range data.Project[call](e.lake, data.Calls, nil) {
		if err != nil {
			return err
		}
		if hashes[c.RequestHash] {
			models[modelUse{c.Stage, c.Model, c.Protocol, c.Provenance}] = true
		}
	}
	e.made.asked = slices.SortedFunc(maps.Keys(models), func(a, b modelUse) int {
		return cmp.Or(slices.Index(stageOrder, a.stage)-slices.Index(stageOrder, b.stage), cmp.Compare(a.model, b.model), cmp.Compare(a.protocol, b.protocol))
	})
	return nil
}

var stageOrder = []string{"generate", "blind", "embed", "validate"}

func (e *exporter) writeMerged(to io.Writer) error {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	for _, m := range e.made.merged {
		if err := encoder.Encode(m); err != nil {
			return err
		}
	}
	return nil
}

// taxonomyOf is the taxonomy of a domain as captionlake ingest reads it; nil when the lake has none.
func taxonomyOf(l *data.Lake, domain string) ([]byte, error) {
	var nodes []data.TaxonomyNode
	for n, err := range data.Select(l, data.Taxonomy, data.Where{"domain": domain}) {
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	if len(nodes) == 0 {
		return nil, nil
	}
	slices.SortFunc(nodes, func(a, b data.TaxonomyNode) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
	var b bytes.Buffer
	for _, n := range nodes {
		name, err := json.Marshal([]string{n.Category, n.Subcategory, n.Aspect}[n.Level-1]) // texts and lists in JSON are YAML
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s%s:", strings.Repeat("  ", int(n.Level-1)), name)
		if len(n.Examples) > 0 {
			examples, err := json.Marshal(n.Examples)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, " %s", examples)
		}
		b.WriteString("\n")
	}
	return b.Bytes(), nil
}

// checkCard refuses a licence that is none, and a card that somebody else wrote or changed.
func checkCard(dir, licence string, card []byte) error {
	if !licencePattern.MatchString(licence) {
		return data.WithHint(fmt.Errorf("the licence %q is not written as Hugging Face writes it", licence), "write small letters, digits, dots and dashes, such as cc-by-4.0, or other")
	}
	path := filepath.Join(dir, cardName)
	there, err := os.ReadFile(path)
	if err == nil && !bytes.Equal(there, card) {
		return data.WithHint(fmt.Errorf("%s is there already, and may hold words of yours", path), "remove it, or name another folder with --out")
	}
	return nil
}

// card describes the dataset for people, and for the library and the site of Hugging Face.
func (e *exporter) card(name, licence string, domains, files []string) ([]byte, error) {
	title := "Questions about pictures: " + strings.Join(domains, ", ")
	tags := []string{"image-captioning", "evaluation", data.BenchmarkCaptionQA, "captionlake"}
	if e.report.Simulated {
		title, tags = simulatedSource+title, append(tags, "simulated")
	}
	head, err := yaml.Marshal(cardHead{
		title, licence, []string{"visual-question-answering", "image-to-text"}, tags,
		[]cardConfig{{"default", []cardFile{{"train", name + ".parquet"}}}},
		cardInfo{cardFeatures(), []cardSplit{{"train", e.report.Images}}},
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "---\n%s---\n\n# %s\n\n", head, plain(title))
	if e.report.Simulated {
		b.WriteString("**SIMULATED**: rehearsal models wrote or judged questions of this bank. They have not seen the pictures; nothing can be measured with it.\n\n")
	}
	fmt.Fprintf(&b, "%d multiple-choice questions about %d items. A reader answers them from a caption alone, which tells what the caption is worth\n"+
		"(CaptionQA). The pictures are upright and without metadata. A row is an item: its pictures, and its questions, each with its choices,\n"+
		"its answer, its place in the taxonomy and, where it was made here, its candidate.\n\n## Files\n\n| file | what it is |\n|---|---|\n", e.report.Questions, e.report.Images)
	for _, file := range files {
		fmt.Fprintf(&b, "| `%s` | %s |\n", file, what(file))
	}
	if len(e.made.steps) > 0 {
		b.WriteString("\n## How the questions were made\n\nAs CaptionQA makes its bank (section 4).\n\n| candidates | number |\n|---|---|\n")
		for _, s := range e.made.steps {
			fmt.Fprintf(&b, "| %s | %d |\n", s.name, s.count)
		}
	}
	if len(e.made.asked) > 0 {
		b.WriteString("\n## Models and prompts\n\n| stage | model | prompt and its version | provenance |\n|---|---|---|---|\n")
		for _, a := range e.made.asked {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", plain(a.stage), plain(a.model), plain(a.protocol), plain(a.provenance))
		}
	}
	if licence == UnknownLicence {
		b.WriteString("\n## Licence\n\nNobody named one: ask whoever published this before you use it.\n")
	}
	return b.Bytes(), nil
}

func what(file string) string {
	switch {
	case strings.HasSuffix(file, ".parquet"):
		return "the bank with its pictures"
	case strings.HasSuffix(file, ".json"):
		return "its questions without pictures"
	case strings.HasSuffix(file, ".jsonl"):
		return "candidates that ask nearly the same as a question of the bank, and were merged into it"
	}
	return "the taxonomy that the questions were written for"
}

// plain makes a text a part of a line of Markdown that is only shown.
func plain(text string) string {
	return strings.NewReplacer("\n", " ", "\r", " ", "|", `\|`, "<", "&lt;", "`", "'", "[", `\[`, "*", `\*`).Replace(text)
}

// A cardHead is what the library and the site of Hugging Face read of a card.
type cardHead struct {
	PrettyName     string       `yaml:"pretty_name"`
	License        string       `yaml:"license"`
	TaskCategories []string     `yaml:"task_categories"`
	Tags           []string     `yaml:"tags"`
	Configs        []cardConfig `yaml:"configs"`
	DatasetInfo    cardInfo     `yaml:"dataset_info"`
}

type (
	cardConfig struct {
		Name      string     `yaml:"config_name"`
		DataFiles []cardFile `yaml:"data_files"`
	}
	cardFile struct {
		Split string `yaml:"split"`
		Path  string `yaml:"path"`
	}
	cardInfo struct {
		Features []cardFeature `yaml:"features"`
		Splits   []cardSplit   `yaml:"splits"`
	}
	cardSplit struct {
		Name        string `yaml:"name"`
		NumExamples int    `yaml:"num_examples"`
	}
	cardFeature struct {
		Name  string `yaml:"name"`
		Dtype string `yaml:"dtype,omitempty"`
		List  any    `yaml:"list,omitempty"`
	}
)

// cardFeatures are the features of a row as a card writes them.
func cardFeatures() []cardFeature {
	text := func(name string) cardFeature { return cardFeature{Name: name, Dtype: "string"} }
	list := func(name string, of any) cardFeature { return cardFeature{Name: name, List: of} }
	question := []cardFeature{text("question"), list("choices", "string"), text("answer"), text("category"), text("candidate_id"), text("bank")}
	return []cardFeature{text("id"), list("images", "image"), list("questions", question), text("domain")}
}
