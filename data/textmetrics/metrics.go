package textmetrics

// A Metric scores a caption. Higher is better.
type Metric struct {
	Name           string // the metric's model_id: as a judge, a metric is a model of type metric
	NeedsReference bool
	// Score scores a caption against the references of its image; corpus has the references of all
	// images.
	Score func(caption string, references []string, corpus *Corpus) float64
}

// Metrics lists the metrics in the paper's order (CapArena Table 2), and ROUGE-L, which COCO's
// evaluation has, among them. To add a metric: one entry here.
func Metrics() []Metric {
	return []Metric{
		{"output-length", false,
			func(caption string, _ []string, _ *Corpus) float64 { return float64(Words(caption)) }},
		{"bleu-4", true, ofTokens(bleu4)},
		{"rouge-l", true, ofTokens(rougeL)},
		{"cider", true, func(caption string, references []string, corpus *Corpus) float64 {
			return corpus.CIDEr(Tokens(caption), tokensOf(references))
		}},
		{"meteor", true, ofTokens(METEOR)},
	}
}

// ofTokens makes the Score of a metric that compares words and needs no corpus.
func ofTokens(
	score func(candidate []string, references [][]string) float64,
) func(caption string, references []string, _ *Corpus) float64 {
	return func(caption string, references []string, _ *Corpus) float64 {
		return score(Tokens(caption), tokensOf(references))
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
