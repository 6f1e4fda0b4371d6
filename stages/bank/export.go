package bank

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/files"
)

// ExportOptions say which bank is written, and where.
type ExportOptions struct {
	Domains []string // all domains of the bank, because the published option orders depend on all its questions
	Dir     string   // folder of the files, which is made if it is missing
	Licence string   // Hugging Face's identifier, such as cc-by-4.0; empty for UnknownLicence
}

// An ExportReport says what was written.
type ExportReport struct {
	Files     []string `json:"files"`
	Questions int      `json:"questions"`
	Images    int      `json:"images"`
	Unasked   int      `json:"unasked"`    // images of the domains without a question; they are left out
	NoPicture int      `json:"no_picture"` // images without a picture in the lake; only their names are written
	OrderRule string   `json:"order_rule"` // rule of the option orders, which ingest needs to read the bank back
	Default   bool     `json:"default"`    // ingest uses this rule by default
	Simulated bool     `json:"simulated"`
}

// An exportedItem is a row of the Parquet file: CaptionQA's row, and captionlake's columns domain,
// candidate_id and bank. All columns are nullable because Hugging Face's datasets library needs
// this: otherwise it ignores the features of a file, and gives bytes instead of pictures. Only
// bytes and candidate_id can be null.
type exportedItem struct {
	ID        *string             `parquet:"id,optional"`
	Images    []*exportedImage    `parquet:"images,optional,list"`
	Questions []*exportedQuestion `parquet:"questions,optional,list"`
	Domain    *string             `parquet:"domain,optional"`
}

type exportedImage struct {
	Bytes []byte  `parquet:"bytes,optional"`
	Path  *string `parquet:"path,optional"`
}

type exportedQuestion struct {
	Question    *string   `parquet:"question,optional" json:"question"`
	Choices     []*string `parquet:"choices,optional,list" json:"choices"`
	Answer      *string   `parquet:"answer,optional" json:"answer"`
	Category    *string   `parquet:"category,optional" json:"category"`
	CandidateID *string   `parquet:"candidate_id,optional" json:"candidate_id,omitempty"`
	Bank        *string   `parquet:"bank,optional" json:"bank"`
}

// features tell Hugging Face's datasets library that images are pictures.
const features = `{"info": {"features": {` +
	`"id": {"dtype": "string", "_type": "Value"}, "images": [{"_type": "Image"}], ` +
	`"questions": [{"question": {"dtype": "string", "_type": "Value"}, ` +
	`"choices": [{"dtype": "string", "_type": "Value"}], ` +
	`"answer": {"dtype": "string", "_type": "Value"}, "category": {"dtype": "string", "_type": "Value"}, ` +
	`"candidate_id": {"dtype": "string", "_type": "Value"}, "bank": {"dtype": "string", "_type": "Value"}}], ` +
	`"domain": {"dtype": "string", "_type": "Value"}}}}`

// rowGroup is the largest number of items in a row group. It bounds the pictures that a reader of
// the file has in memory; the datasets library uses the same number.
const rowGroup = 100

// Export writes the questions of a bank with their pictures as Hugging Face Parquet, in the form of
// the released bank, and as JSON without pictures. It also writes a card that describes how
// the bank was made, the taxonomies, and the candidates that were merged into its questions.
// If ingest reads either file, all columns of questions are as before. The Parquet file also gives
// the rows of images again, without the folders of the pictures and without the columns about the
// pictures as they were loaded, such as original_path. One item is in memory at a time.
func Export(l *data.Lake, o ExportOptions) (*ExportReport, error) {
	e := &exporter{lake: l, frames: map[string][]data.Image{}}
	// Give the domains the letter case of the lake's questions; a domain without questions stays as
	// it is.
	domains, err := texts(l, `
		select coalesce(
			(select any_value(q.domain) from questions as q where lower(q.domain) = lower(d.name)), d.name
		) as text
		from (select unnest($1::varchar[]) as name, generate_subscripts($1::varchar[], 1) as place) as d
		order by d.place`, o.Domains)
	if err != nil {
		return nil, err
	}
	if err := e.read(domains); err != nil {
		return nil, err
	}
	if err := e.readMade(domains); err != nil {
		return nil, err
	}
	made, err := e.files(domains, cmp.Or(o.Licence, UnknownLicence), o.Dir)
	if err != nil {
		return nil, err
	}
	for _, f := range made {
		path := filepath.Join(o.Dir, f.Name)
		write := func(to io.Writer) error {
			_, err := to.Write(f.content)
			return err
		}
		if f.content == nil { // the Parquet file
			write = e.writeParquet
		}
		if err := files.WriteWhole(path, 0o644, write); err != nil {
			return nil, fmt.Errorf("write %s: %w", path, err)
		}
		e.report.Files = append(e.report.Files, path)
	}
	return &e.report, nil
}

// An exportedFile is a file of the dataset, with its line on the card.
type exportedFile struct {
	Name, What string
	content    []byte // nil for the Parquet file, which is written item by item
}

// files are the files of the dataset. The bank comes first, because the card names the first file
// as the data. The card comes last, because it lists the other files.
func (e *exporter) files(domains []string, licence, dir string) ([]exportedFile, error) {
	name := fileName(strings.ToLower(strings.Join(domains, "-")))
	files := []exportedFile{{name + ".parquet", "the bank with its pictures", nil},
		{name + ".json", "its questions without pictures", e.json()}}
	for _, domain := range domains {
		taxonomy, err := taxonomyOf(e.lake, domain)
		if err != nil {
			return nil, err
		}
		if taxonomy != nil {
			files = append(files, exportedFile{fileName(domain) + "-taxonomy.yaml",
				"the taxonomy that the questions were written for", taxonomy})
		}
	}
	if len(e.made.merged) > 0 {
		files = append(files, exportedFile{name + "-merged.jsonl",
			"candidates that ask nearly the same as a question of the bank, and were merged into it", e.merged()})
	}
	// The card does not list itself, so it has no line of its own ("").
	card, err := e.card(domains, licence, files)
	return append(files, exportedFile{cardName, "", card}), cmp.Or(err, checkCard(dir, licence, card))
}

// fileName keeps the letters and digits of a name, in any script, and replaces the rest by dashes.
func fileName(name string) string {
	return strings.Join(strings.FieldsFunc(name,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }), "-")
}

// An exporter holds the questions of a bank in order, and the rows of its images.
type exporter struct {
	lake      *data.Lake
	questions []data.Question
	frames    map[string][]data.Image // by image_id
	items     []exportedItem          // without pictures
	made      construction
	report    ExportReport
}

// read reads the questions and images of the domains, checks them and groups them into items.
func (e *exporter) read(domains []string) error {
	for _, domain := range domains {
		for q, err := range data.Select(e.lake, data.Questions, data.Where{"domain": domain}) {
			if err != nil {
				return err
			}
			e.questions = append(e.questions, q)
		}
		for i, err := range data.Select(e.lake, data.Images, data.Where{"domain": domain}) {
			if err != nil {
				return err
			}
			e.frames[i.ImageID] = append(e.frames[i.ImageID], i)
		}
	}
	e.questions = madeHere(e.questions)
	if len(e.questions) == 0 {
		return data.Errorf("publish some with captionlake bank publish, or see which domains have some: "+
			"captionlake sql \"select distinct domain from questions\"",
			"the lake has no questions of %s", strings.Join(domains, ", "))
	}
	slices.SortFunc(e.questions, func(a, b data.Question) int {
		return cmp.Or(cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.QuestionID, b.QuestionID))
	})
	if err := e.check(domains); err != nil {
		return err
	}
	return e.group()
}

// madeHere are the questions that came from candidates, or all questions if none did. A domain may
// have both a loaded bank and one that was made here.
func madeHere(questions []data.Question) []data.Question {
	made := slices.DeleteFunc(slices.Clone(questions), func(q data.Question) bool { return q.CandidateID == nil })
	if len(made) == 0 {
		return questions
	}
	return made
}

// check refuses questions that ingest could not read back from the files: a part of a bank, two
// banks, or texts that the files cannot hold. It also counts questions and images for the report.
func (e *exporter) check(domains []string) error {
	rule := e.questions[0].OrderRule
	orders := captionqa.NewBankOrders(rule)
	asked := map[string]bool{} // by image_id
	for i, q := range e.questions {
		isFirst := i == 0 || q.ImageID != e.questions[i-1].ImageID // of its item
		if isFirst && asked[q.ImageID] {
			return data.Errorf("export one bank at a time", "the questions of item %s are not together in the bank",
				q.ImageID)
		}
		asked[q.ImageID] = true
		// Under these two rules, the orders follow from the questions of the whole bank in their order.
		hasRule := q.OrderRule == rule && (rule == captionqa.OrderFullBank || rule == captionqa.OrderPerSplit)
		if !hasRule || int(q.Ordinal) != i ||
			!slices.Equal(orders.Next(q.Domain, q.Question, q.Options), q.OptionOrder) {
			return data.Errorf("name all domains of the bank, and no other, in one --domain; see captionlake sql "+
				"\"select domain, source, order_rule, min(ordinal), max(ordinal) from questions group by all\"",
				"the questions of %s are not one whole bank: question %d of it is %s, of rule %s",
				strings.Join(domains, ", "), i, q.QuestionID, q.OrderRule)
		}
		if id := captionqa.ItemName(q.ImageID); id != q.ImageID {
			return fmt.Errorf("the item %q cannot be exported: readers would take its name for %q", q.ImageID, id)
		}
		for _, text := range append([]string{q.ImageID, q.Domain, q.Question, q.Source}, q.Options...) {
			if !utf8.ValidString(text) {
				return fmt.Errorf("question %s cannot be exported: it has text that is not UTF-8", q.QuestionID)
			}
		}
		if key, ok := captionqa.KeyIndex(q.Options, q.Options[q.AnswerIndex]); !ok || key != int(q.AnswerIndex) {
			return fmt.Errorf("question %s cannot be exported: its key has the text of another option", q.QuestionID)
		}
		e.report.Simulated = e.report.Simulated || strings.HasPrefix(q.Source, simulatedSource)
	}
	e.report.Questions, e.report.Images, e.report.OrderRule = len(e.questions), len(asked), rule
	e.report.Default = rule == data.CaptionQA().OrderRule(domains)
	for id := range e.frames {
		if !asked[id] {
			e.report.Unasked++
		}
	}
	return nil
}

// group makes the items of the questions, in the bank's order and without pictures.
func (e *exporter) group() error {
	for _, q := range e.questions {
		category, err := captionqa.JoinCategory(q.Category, q.Subcategory, q.Aspect)
		if err != nil {
			return fmt.Errorf("question %s: %w", q.QuestionID, err)
		}
		var choices []*string
		for _, option := range q.Options {
			choices = append(choices, new(option))
		}
		if n := len(e.items); n == 0 || *e.items[n-1].ID != q.ImageID {
			e.items = append(e.items, exportedItem{ID: new(q.ImageID), Domain: new(q.Domain)})
		}
		last := &e.items[len(e.items)-1]
		last.Questions = append(last.Questions, &exportedQuestion{new(q.Question), choices, choices[q.AnswerIndex],
			new(category), q.CandidateID, new(q.Source)})
	}
	return nil
}

// writeParquet writes the items with their pictures, and counts the items with missing pictures.
func (e *exporter) writeParquet(to io.Writer) error {
	provenance := data.ProvenanceMeasured
	if e.report.Simulated {
		provenance = data.ProvenanceSimulated
	}
	w := parquet.NewGenericWriter[exportedItem](to, parquet.Compression(&zstd.Codec{}),
		parquet.MaxRowsPerRowGroup(rowGroup),
		// CreatedBy names the program, its version and its build; "" means no build.
		parquet.CreatedBy("captionlake", data.Version, ""), parquet.KeyValueMetadata("huggingface", features),
		parquet.KeyValueMetadata("captionlake.provenance", provenance))
	for _, item := range e.items { // item is a copy, so e.items does not keep its pictures.
		missing := len(e.frames[*item.ID]) == 0
		for _, frame := range e.frames[*item.ID] {
			content, err := e.picture(frame)
			if err != nil {
				return err
			}
			missing = missing || content == nil
			name := filepath.Base(filepath.ToSlash(frame.Source)) // without the folder, which may be private
			item.Images = append(item.Images, &exportedImage{content, &name})
		}
		if missing {
			e.report.NoPicture++
		}
		if _, err := w.Write([]exportedItem{item}); err != nil {
			return err
		}
	}
	return w.Close()
}

// mostPicture is the largest size of a picture, in bytes.
const mostPicture = 128 << 20

// picture is the bytes of a frame; nil if the lake does not have them.
func (e *exporter) picture(frame data.Image) ([]byte, error) {
	if frame.Path == "" {
		return nil, nil
	}
	path, err := e.lake.LocalPath(frame.Path)
	if err != nil {
		return nil, err
	}
	content, err := data.ReadInput(path, mostPicture)
	if err != nil {
		return nil, fmt.Errorf("the picture of %s: %w", frame.ImageID, err)
	}
	if fmt.Sprintf("%x", sha256.Sum256(content)) != frame.SHA256 {
		return nil, data.Errorf("load the pictures again", "the picture of %s in %s is not the one that was loaded",
			frame.ImageID, path)
	}
	return content, nil
}

// json is the bank without pictures, with a line for each question.
func (e *exporter) json() []byte {
	var text bytes.Buffer
	sign := "{" // before the next item or question; a comma before each later item, as each item has questions
	for _, item := range e.items {
		id, _ := json.Marshal(item.ID) // Texts can always be marshalled.
		fmt.Fprintf(&text, "%s\n %s: [", sign, id)
		sign = ""
		for _, q := range item.Questions {
			question, _ := json.Marshal(q)
			fmt.Fprintf(&text, "%s\n  %s", sign, question)
			sign = ","
		}
		text.WriteString("]")
	}
	text.WriteString("\n}\n")
	return text.Bytes()
}
