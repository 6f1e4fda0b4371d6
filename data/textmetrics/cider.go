package textmetrics

import (
	"maps"
	"math"
	"slices"
)

// ciderSigma is the width of the penalty for a difference in length from the reference: the
// standard deviation of a Gaussian curve, as a number of words.
const ciderSigma = 6

// A Corpus has the references of all images, and tells how rare an n-gram is. A Corpus is not safe
// for concurrent use while images are added.
type Corpus struct {
	images    int
	frequency map[string]int // number of images with an n-gram in a reference, by n-gram
}

// NewCorpus is a corpus without images.
func NewCorpus() *Corpus { return &Corpus{frequency: map[string]int{}} }

// Add adds an image with its references, each a list of words.
func (c *Corpus) Add(references ...[]string) {
	seen := map[string]bool{}
	for _, r := range references {
		for n := 1; n <= maxN; n++ {
			for gram := range ngrams(r, n) {
				seen[gram] = true
			}
		}
	}
	c.images++
	for gram := range seen {
		c.frequency[gram]++
	}
}

// Images is the number of images.
func (c *Corpus) Images() int { return c.images }

// weighted are the n-grams of a text: element n-1 has the n-grams of n words.
type weighted struct {
	grams [maxN]map[string]float64 // with their weights, by count and rarity
	order [maxN][]string           // the n-grams in a fixed order, since sums of floats depend on the order
	norm  [maxN]float64            // length of the vector of weights
	words int                      // length of the text, for the penalty
}

// weigh weighs the n-grams of a text by their rarity in the corpus.
func (c *Corpus) weigh(tokens []string) *weighted {
	w := &weighted{words: max(0, len(tokens)-1)} // COCO's script uses the number of bigrams as the length.
	logImages := math.Log(float64(c.images))
	for n := range maxN {
		counts := ngrams(tokens, n+1)
		w.order[n] = slices.Sorted(maps.Keys(counts))
		w.grams[n] = make(map[string]float64, len(counts))
		for _, gram := range w.order[n] {
			// As in COCO's script, an n-gram in no reference is as rare as an n-gram of one image.
			weight := float64(counts[gram]) * (logImages - math.Log(float64(max(1, c.frequency[gram]))))
			w.grams[n][gram] = weight
			w.norm[n] += weight * weight
		}
		w.norm[n] = math.Sqrt(w.norm[n])
	}
	return w
}

// CIDEr is CIDEr-D of one caption, 0 to 10, as COCO's evaluation computes it (Vedantam et al. 2015,
// section 4): n-grams of one to four words weighted by rarity in the corpus, each counted at most
// as often as in the reference, and a penalty for another length. With fewer than two images no
// word is rarer than another, and every score is 0.
func (c *Corpus) CIDEr(candidate []string, references [][]string) float64 {
	if len(references) == 0 || c.images < 2 {
		return 0
	}
	hypothesis := c.weigh(candidate)
	sum := 0.0
	for _, r := range references {
		reference := c.weigh(r)
		delta := float64(hypothesis.words - reference.words)
		penalty := math.Exp(-delta * delta / (2 * ciderSigma * ciderSigma))
		for n := range maxN {
			// A text without n-grams, or with only n-grams that all images have, has no weights to compare.
			if hypothesis.norm[n] == 0 || reference.norm[n] == 0 {
				continue
			}
			dot := 0.0
			for _, gram := range hypothesis.order[n] {
				dot += min(hypothesis.grams[n][gram], reference.grams[n][gram]) * reference.grams[n][gram]
			}
			sum += penalty * dot / (hypothesis.norm[n] * reference.norm[n])
		}
	}
	return min(10, 10*sum/maxN/float64(len(references))) // Rounding errors could exceed 10.
}
