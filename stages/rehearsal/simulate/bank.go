package simulate

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// optionShares are the shares of a domain's questions that are yes/no questions or have two or
// three options; all others have four. With these shares, (score − accuracy) / cannot-rate comes
// near the quotient of the paper's printed figures: 0.216 in Natural, 0.289 in Document, 0.2585 in
// E-commerce and 0.2846 in Embodied AI.
type optionShares struct{ yesNo, two, three float64 }

// A domain is a domain of the bank, with the numbers of its questions and pictures.
type domain struct {
	name      string
	first     int // position of its first question in the bank
	questions int
	images    int
	offered   int // questions that offer the cannot option
	shares    optionShares
	prefix    string // of image_ids; no image_id of the real benchmark begins with it
}

// A question is a row of the bank, with the properties on which the answers of all models depend.
type question struct {
	row        data.Question
	image      int     // number of the image within its domain, from 0
	distractor int32   // the most tempting wrong option, from 0
	difficulty float64 // about standard normal: the higher, the fewer models answer correctly
}

// A bank is the made-up pictures and questions that all models are asked about.
type bank struct {
	domains   []*domain // in the order of the paper's tables
	questions []question
	images    []data.Image
}

// stream makes the random numbers of one purpose. Each purpose has its own numbers, so that nothing
// depends on the order of the work.
func stream(seed uint64, purpose ...string) *rand.Rand {
	h := fnv.New64a()
	for _, p := range purpose {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// makeBank makes pictures and questions. scale multiplies the paper's numbers of both.
func makeBank(ref *reference, seed uint64, scale float64) *bank {
	b := &bank{}
	domains := []domain{ // in the order of data.CaptionQA
		{prefix: "sim-nat-", shares: optionShares{0.299, 0.005, 0.053}},
		{prefix: "sim-doc-", shares: optionShares{0.061, 0.015, 0.044}},
		{prefix: "sim-ecom-", shares: optionShares{0.166, 0.015, 0.054}},
		{prefix: "sim-emb-", shares: optionShares{0.073, 0.015, 0.032}},
	}
	orders := captionqa.NewOrderStream(captionqa.OrderSeed)
	for i, published := range data.CaptionQA().Domains {
		d := &domains[i]
		d.name, d.first = published.Name, len(b.questions)
		d.questions = max(int(math.Round(ref.size("questions", d.name)*scale)), 1)
		d.images = min(max(int(math.Round(ref.size("images", d.name)*scale)), 1), d.questions)
		questions := d.makeQuestions(ref.nodes[d.name], stream(seed, "bank", d.name))
		// Ordinals and option orders follow the questions image by image, as makeQuestions has them, and
		// so they are given before the questions are sorted by id.
		for j := range questions {
			q := &questions[j].row
			q.Ordinal = int32(d.first + j)
			q.OptionOrder = orders.Next(len(captionqa.WithCannot(q.Question, q.Options)))
			if !q.YesNo {
				d.offered++
			}
		}
		slices.SortFunc(questions,
			func(x, y question) int { return strings.Compare(x.row.QuestionID, y.row.QuestionID) })
		b.questions = append(b.questions, questions...)
		b.domains = append(b.domains, d)
		for j := range d.images {
			b.images = append(b.images,
				data.Image{ImageID: d.imageID(j), Domain: d.name, Source: data.SimulationSource})
		}
	}
	return b
}

// imageID names a picture. The names are wide enough to sort by number at every scale.
func (d *domain) imageID(i int) string { return fmt.Sprintf("%s%05d", d.prefix, i+1) }

// The weights of the parts of a question's difficulty; their squares sum to one.
const (
	imageWeight = 0.32
	nodeWeight  = 0.30
	ownWeight   = 0.8987
)

// makeQuestions makes a domain's questions, image by image.
func (d *domain) makeQuestions(nodes []data.TaxonomyNode, r *rand.Rand) []question {
	byImage, byNode := normals(r, d.images), normals(r, len(nodes))
	questions := make([]question, d.questions)
	for i := range questions {
		questions[i].image = i // each image has a question
		if i >= d.images {
			questions[i].image = r.IntN(d.images)
		}
	}
	slices.SortFunc(questions, func(x, y question) int { return cmp.Compare(x.image, y.image) })
	for i, kind := range r.Perm(d.questions) { // A permutation makes the shares of the kinds exact.
		q, node := &questions[i], r.IntN(len(nodes))
		q.row = data.Question{
			ImageID: d.imageID(q.image), Domain: d.name, Category: nodes[node].Category,
			Subcategory: nodes[node].Subcategory, OrderRule: captionqa.OrderFullBank, Source: data.SimulationSource,
			Question: fmt.Sprintf("Simulated question %d of %s about %s / %s", i+1, d.name, nodes[node].Category,
				nodes[node].Subcategory),
		}
		q.difficulty = imageWeight*byImage[q.image] + nodeWeight*byNode[node] + ownWeight*r.NormFloat64()
		d.giveOptions(&q.row, float64(kind)/float64(d.questions))
		options := int32(len(q.row.Options))
		q.row.AnswerIndex = r.Int32N(options)
		q.distractor = (q.row.AnswerIndex + 1 + r.Int32N(options-1)) % options // any option but the answer
		q.row.QuestionID = captionqa.QuestionID(q.row.ImageID, q.row.Question, q.row.Options)
	}
	return questions
}

// giveOptions gives a question its options. place is a number from 0 to below 1; the shares of the
// kinds of questions lie one after the other on this line, and place falls into one of them.
func (d *domain) giveOptions(q *data.Question, place float64) {
	// the ends of the shares on the line
	yesNo := d.shares.yesNo
	two := yesNo + d.shares.two
	three := two + d.shares.three
	q.Options = []string{"Option A", "Option B", "Option C", "Option D"}
	switch {
	case place < yesNo:
		q.Options, q.YesNo = []string{"Yes", "No"}, true
	case place < two:
		q.Options = q.Options[:2]
	case place < three:
		q.Options = q.Options[:3]
	}
}

// normals draws n numbers from the standard normal distribution.
func normals(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}
