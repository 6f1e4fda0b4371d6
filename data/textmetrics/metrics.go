package textmetrics

// A Text is a caption as the metrics see it.
type Text struct {
	Words  int      // as Words counts them
	Tokens []string // as Tokens splits them
}

// NewText prepares a caption.
func NewText(text string) Text { return Text{Words(text), Tokens(text)} }

// A Metric scores a caption. Higher is better.
type Metric struct {
	Name           string // its id among models
	NeedsReference bool
	// Score scores a caption against the references of its image, among the references of all images.
	Score func(caption Text, references []Text, corpus *Corpus) float64
}

// Metrics lists the metrics in the paper's order (CapArena Table 2), and ROUGE-L of COCO's evaluation among them. To add one: one
// entry here.
func Metrics() []Metric {
	return []Metric{
		{"output-length", false, func(caption Text, _ []Text, _ *Corpus) float64 { return float64(caption.Words) }},
		{"bleu-4", true, func(caption Text, references []Text, _ *Corpus) float64 {
			return BLEU4(caption.Tokens, tokensOf(references))
		}},
		{"rouge-l", true, func(caption Text, references []Text, _ *Corpus) float64 {
			return ROUGEL(caption.Tokens, tokensOf(references))
		}},
		{"cider", true, func(caption Text, references []Text, corpus *Corpus) float64 {
			return corpus.CIDEr(caption.Tokens, tokensOf(references))
		}},
		{"meteor", true, func(caption Text, references []Text, _ *Corpus) float64 {
			stems := make([][]string, len(references))
			for i, r := range references {
				stems[i] = Stems(r.Tokens)
			}
			return METEOR(Stems(caption.Tokens), stems)
		}},
	}
}

func tokensOf(texts []Text) [][]string {
	tokens := make([][]string, len(texts))
	for i, t := range texts {
		tokens[i] = t.Tokens
	}
	return tokens
}
