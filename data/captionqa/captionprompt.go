package captionqa

import "strings"

// Names of the four caption prompts (CaptionQA section 3.3), as the lake's captions have them.
const (
	PromptLong           = "Long"            // a very long and detailed caption; text LongText
	PromptShort          = "Short"           // a very short caption; text ShortText
	PromptSimple         = "Simple"          // the paper's suggested default; text simpleText
	PromptTaxonomyHinted = "Taxonomy-Hinted" // lists the domain's taxonomy; text from TaxonomyHintedText
)

// LongText is the Long caption prompt (CaptionQA section 3.3).
const LongText = "Write a very long and detailed caption describing the given image as comprehensively as possible."

// ShortText is the Short caption prompt (CaptionQA section 3.3).
const ShortText = "Write a very short caption for the given image."

// simpleText is the Simple caption prompt (CaptionQA section 3.3), which the paper suggests as the
// default.
const simpleText = "Describe this image in detail."

// TaxonomyHintedLead is the instruction before the nodes of the Taxonomy-Hinted caption prompt
// (CaptionQA section 3.3).
const TaxonomyHintedLead = "Describe this image from the following perspectives. Skip any aspect that does not apply."

// CaptionPrompts returns the names of the four caption prompts in the paper's order (CaptionQA
// section 3.3).
func CaptionPrompts() []string {
	return []string{PromptLong, PromptShort, PromptSimple, PromptTaxonomyHinted}
}

// TablePrompts returns the names of the four caption prompts in the order of Table 3 and, within a
// domain, of Tables 11 to 26.
func TablePrompts() []string {
	return []string{PromptLong, PromptSimple, PromptShort, PromptTaxonomyHinted}
}

// PromptText returns the text of a caption prompt that is the same for all domains. The result is
// false for Taxonomy-Hinted, because the text of that prompt depends on the domain
// (TaxonomyHintedText), and for names that are not in the paper.
func PromptText(name string) (string, bool) {
	text, ok := map[string]string{PromptLong: LongText, PromptShort: ShortText, PromptSimple: simpleText}[name]
	return text, ok
}

// Hint is one node that the Taxonomy-Hinted prompt lists: a top-level category and the names below
// it, outermost first.
type Hint struct {
	Category      string   // top-level category, such as Attribute
	Subcategories []string // names below it, such as Color; empty when the category has no second level
}

// TaxonomyHintedText returns the Taxonomy-Hinted caption prompt of a domain: TaxonomyHintedLead and
// then one line per node in the form "Top-category -> Subcategory" (CaptionQA section 3.3 and
// supplement 9). The paper gives the instruction and the form of a node. One node to a line is our
// choice, since the paper does not print the whole prompt.
func TaxonomyHintedText(hints []Hint) string {
	var b strings.Builder
	b.WriteString(TaxonomyHintedLead)
	for _, hint := range hints {
		b.WriteString("\n" + hint.Category)
		for _, name := range hint.Subcategories {
			b.WriteString(" -> " + name)
		}
	}
	return b.String()
}
