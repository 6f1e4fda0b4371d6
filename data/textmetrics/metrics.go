package textmetrics

// A Metric scores a caption. Higher is better.
type Metric struct {
	Name           string // its id among models
	NeedsReference bool
	// Score scores a caption against the references of its image; corpus has the references of all
	// images.
	Score func(caption string, references []string, corpus *Corpus) float64
}

// Metrics lists the metrics in the paper's order (CapArena Table 2), with ROUGE-L of COCO's
// evaluation among them. To add one: one entry here.
func Metrics() []Metric {
	return []Metric{
		{"output-length", false,
			func(caption string, _ []string, _ *Corpus) float64 { return float64(Words(caption)) }},
		{"bleu-4", true, func(caption string, references []string, _ *Corpus) float64 {
			return bleu4(Tokens(caption), tokensOf(references))
		}},
		{"rouge-l", true, func(caption string, references []string, _ *Corpus) float64 {
			return rougeL(Tokens(caption), tokensOf(references))
		}},
		{"cider", true, func(caption string, references []string, corpus *Corpus) float64 {
			return corpus.CIDEr(Tokens(caption), tokensOf(references))
		}},
		{"meteor", true, func(caption string, references []string, _ *Corpus) float64 {
			stems := tokensOf(references)
			for i, tokens := range stems {
				stems[i] = Stems(tokens)
			}
			return METEOR(Stems(Tokens(caption)), stems)
		}},
	}
}

// tokensOf are the words of each text.
func tokensOf(texts []string) [][]string {
	tokens := make([][]string, len(texts))
	for i, t := range texts {
		tokens[i] = Tokens(t)
	}
	return tokens
}
