package bank

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/captionlake/captionlake/data"
)

// cardName is the file in which Hugging Face looks for the description of a dataset.
const cardName = "README.md"

// UnknownLicence is the licence on a card if nobody named one.
const UnknownLicence = "unknown"

// licencePattern matches the identifiers of licences on Hugging Face.
var licencePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{0,63}$`)

// A construction describes how the questions of a bank were made. It is empty for a bank that was
// loaded.
type construction struct {
	Steps  []step
	Uses   []modelUse
	merged []mergedQuestion
}

// A step is a step of the construction, with the number of candidates after it.
type step struct {
	Name  string
	Count int
}

// A modelUse is a model that took part in making the bank, with the version of its prompt.
type modelUse struct {
	Stage      string `parquet:"stage"`
	Model      string `parquet:"model"`
	Protocol   string `parquet:"protocol"`
	Provenance string `parquet:"provenance"`
}

// A mergedQuestion is a candidate that was dropped because a question of the bank asks nearly the
// same.
type mergedQuestion struct {
	CandidateID string   `json:"candidate_id"` // candidate_id of the question in the bank
	Merged      string   `json:"merged_candidate_id"`
	Similarity  float64  `json:"similarity"`
	Generator   string   `json:"generator"`
	Question    string   `json:"question"`
	Choices     []string `json:"choices"`
	AnswerIndex int32    `json:"answer_index"`
	Provenance  string   `json:"provenance"`
}

// readMade reads how the questions of the domains were made.
func (e *exporter) readMade(domains []string) (err error) {
	published := map[string]bool{}
	for _, q := range e.questions {
		if q.CandidateID != nil {
			published[*q.CandidateID] = true
		}
	}
	left := 0                  // candidates after a step
	counts := map[string]int{} // candidates, by the reason why they are not in the bank; empty if they are
	by := map[string]int{}     // candidates that are in the bank, by the decision
	for _, domain := range domains {
		all, err := statuses(e.lake, domain)
		if err != nil {
			return err
		}
		left += len(all)
		for _, s := range all {
			counts[s.reason]++
			// The lake may have changed since the bank was published.
			if published[s.CandidateID] && s.reason == "" {
				by[s.by]++
			}
		}
	}
	if left == 0 { // The bank was loaded.
		return nil
	}
	// after adds a step, which drops the candidates with the given reasons. Each call subtracts the
	// number of these candidates from left.
	after := func(name string, reasons ...string) {
		for _, reason := range reasons {
			left -= counts[reason]
		}
		e.made.Steps = append(e.made.Steps, step{name, left})
	}
	after("written by generators")
	after("well formed", malformed)
	after("not answered without the picture", notTried, known)
	after("one for each group of near-duplicates", notGrouped, duplicate)
	e.made.Steps = append(e.made.Steps, step{"in the bank", len(published)})
	for _, decision := range slices.Sorted(maps.Keys(by)) {
		e.made.Steps = append(e.made.Steps, step{madeBy[decision], by[decision]})
	}
	if e.made.merged, err = data.QueryAll[mergedQuestion](e.lake, `
		select q.candidate_id, c.candidate_id as merged_candidate_id, m.similarity, c.generator, c.question,
			c.options as choices, c.answer_index, c.provenance
		from questions as q
		inner join question_groups as g using (candidate_id)
		inner join question_groups as m on (m.image_id, m.group_id) = (g.image_id, g.group_id)
		inner join candidates as c on c.candidate_id = m.candidate_id
		where g.representative and not m.representative and list_contains($1, q.domain)
		order by q.candidate_id, c.candidate_id`, domains); err != nil {
		return err
	}
	e.made.Uses, err = data.QueryAll[modelUse](e.lake, `
		with made as (
			select candidate_id, request_hash from candidates
			union all select candidate_id, request_hash from blind_trials
			union all select candidate_id, request_hash from embeddings
			union all select candidate_id, request_hash from validations
		)
		select distinct stage, model, protocol, provenance
		from calls
		where request_hash in (
			select m.request_hash
			from made as m inner join candidates as c using (candidate_id)
			where list_contains($1, c.domain)
		)
		order by list_position(['generate', 'blind', 'embed', 'validate'], stage), model, protocol`, domains)
	return err
}

// madeBy are the words for candidateStatus.by.
var madeBy = map[string]string{
	"accept": "of them, accepted by all validators", "keep": "of them, kept by a person",
	"fix": "of them, corrected by a person",
}

// merged is a file with a line of JSON for each candidate that was merged into a question.
func (e *exporter) merged() []byte {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for _, m := range e.made.merged {
		_ = encoder.Encode(m) // Texts and numbers can always be encoded.
	}
	return lines.Bytes()
}

// taxonomyOf is the taxonomy of a domain in the form that captionlake ingest reads; nil if the lake
// has no taxonomy of the domain.
func taxonomyOf(l *data.Lake, domain string) ([]byte, error) {
	nodes, err := data.QueryAll[data.TaxonomyNode](l,
		"select * exclude (unit) from taxonomy where domain = $1 order by ordinal", domain)
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	var b bytes.Buffer
	for _, n := range nodes { // JSON's texts and lists are also YAML, and can always be marshalled.
		// The three columns are the path to the node; its own name is in the column of its level.
		name, _ := json.Marshal([]string{n.Category, n.Subcategory, n.Aspect}[n.Level-1])
		fmt.Fprintf(&b, "%s%s:", strings.Repeat("  ", int(n.Level-1)), name)
		if len(n.Examples) > 0 {
			examples, _ := json.Marshal(n.Examples)
			fmt.Fprintf(&b, " %s", examples)
		}
		b.WriteString("\n")
	}
	return b.Bytes(), nil
}

// checkCard refuses an invalid licence. It also refuses to replace a card with other content, which
// may have changes by a person.
func checkCard(dir, licence string, card []byte) error {
	if !licencePattern.MatchString(licence) {
		return data.Errorf("write small letters, digits, dots and dashes, such as cc-by-4.0, or other",
			"the licence %q is not written as Hugging Face writes it", licence)
	}
	path := filepath.Join(dir, cardName)
	existing, err := os.ReadFile(path) // Usually there is no card yet, and err says so.
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !bytes.Equal(existing, card):
		return data.Errorf("remove it, or name another folder with --out",
			"%s exists already, and may have changes of yours", path)
	}
	return err
}

// card is the card of the dataset, for people and for the library and site of Hugging Face.
func (e *exporter) card(domains []string, licence string, files []exportedFile) ([]byte, error) {
	title := "Questions about pictures: " + strings.Join(domains, ", ")
	if e.report.Simulated {
		title = simulatedSource + title
	}
	var b bytes.Buffer
	err := cardTemplate.Execute(&b, struct {
		ExportReport
		construction
		Title, Licence string
		Files          []exportedFile
	}{e.report, e.made, title, licence, files})
	return b.Bytes(), err
}

// plain makes a text safe within a line of Markdown.
func plain(text string) string {
	return strings.NewReplacer("\n", " ", "\r", " ", "|", `\|`, "<", "&lt;", "`", "'", "[", `\[`,
		"*", `\*`).Replace(text)
}

//go:embed card.tmpl
var cardText string

var cardTemplate = template.Must(template.New("card").Funcs(template.FuncMap{"plain": plain}).Parse(cardText))
