package simulate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// bankSource is the source of every simulated question and picture.
const bankSource = "captionlake simulation"

// A question is a row of the bank with what the answers to it share.
type question struct {
	row        data.Question
	category   int // position in the domain's categories
	image      int // number of the image within its domain
	distractor int32
	difficulty float64 // standard normal: the higher, the fewer models answer correctly
	reticence  float64 // standard normal: the higher, the rather a caption without the fact leads to a cannot answer
	uneven     float64 // standard normal: the higher, the less the models agree on the question
}

// A bankCategory is one category of a domain in the bank.
type bankCategory struct {
	name       string
	questions  int
	offered    int     // questions that offer the cannot option
	cannotRate float64 // typical share of cannot answers among those that offer it, from Table 9
}

// A bankDomain is one domain of the bank: a run of its questions.
type bankDomain struct {
	shape      domainShape
	first      int // position of the domain's first question in the bank
	questions  int
	images     int
	categories []bankCategory
	byOptions  map[int]int // questions that offer the cannot option, by number of options
}

// A bank is everything that all answers share. Its questions are ordered by domain, and by question_id within it.
type bank struct {
	domains   []*bankDomain
	questions []question
	images    []data.Image
}

// offered counts the questions that offer the cannot option.
func (b *bankDomain) offered() int { return b.byOptions[2] + b.byOptions[3] + b.byOptions[4] }

// meanPoints is the mean of the points of a cannot answer over the questions that offer it, in sixtieths.
func (b *bankDomain) meanPoints() float64 {
	sum := 0
	for k, n := range b.byOptions {
		sum += cannotPoints[k] * n
	}
	return float64(sum) / max(float64(b.offered()), 1)
}

// stream makes the random numbers of one purpose. Each purpose has numbers of its own, so that nothing depends on the
// order in which work is done.
func stream(seed uint64, purpose ...string) *rand.Rand {
	h := fnv.New64a()
	for _, p := range purpose {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// makeBank makes pictures and questions. scale multiplies the paper's numbers of both; a domain has at least one image
// and one question for each of its categories.
func makeBank(ref *reference, seed uint64, scale float64) (*bank, error) {
	b := &bank{}
	ordinal := 0
	for _, shape := range domains {
		shares, err := ref.categoryShares(shape.name)
		if err != nil {
			return nil, err
		}
		d := &bankDomain{shape: shape, first: len(b.questions), byOptions: map[int]int{}}
		d.questions = max(int(math.Round(float64(ref.questions[shape.name])*scale)), len(shares))
		d.images = min(max(int(math.Round(float64(ref.images[shape.name])*scale)), 1), d.questions)
		counts := share(d.questions, shares, 1)
		for i, name := range ref.categories(shape.name) {
			d.categories = append(d.categories, bankCategory{name: name, questions: counts[i]})
		}
		questions := d.makeQuestions(ref, seed)
		for i := range questions {
			questions[i].row.Ordinal = int32(ordinal)
			ordinal++
		}
		b.questions = append(b.questions, questions...)
		b.domains = append(b.domains, d)
		for i := range d.images {
			b.images = append(b.images, data.Image{ImageID: d.imageID(i), Domain: shape.name, Source: bankSource})
		}
	}
	if err := b.present(); err != nil {
		return nil, err
	}
	for _, d := range b.domains {
		slices.SortFunc(d.of(b.questions), func(x, y question) int { return strings.Compare(x.row.QuestionID, y.row.QuestionID) })
	}
	return b, nil
}

// of are the domain's questions among those of the bank.
func (b *bankDomain) of(questions []question) []question {
	return questions[b.first : b.first+b.questions]
}

// imageID names a picture. The names are wide enough to sort by number at every scale that fits a disk.
func (b *bankDomain) imageID(i int) string { return fmt.Sprintf("%s%05d", b.shape.prefix, i+1) }

// makeQuestions makes a domain's questions in bank order: image by image, categories in random order.
func (b *bankDomain) makeQuestions(ref *reference, seed uint64) []question {
	r := stream(seed, "bank", b.shape.name)
	weights := make([]float64, b.images)
	for i := range weights {
		weights[i] = math.Exp(b.shape.spread * r.NormFloat64())
	}
	perImage := share(b.questions, weights, 1)
	questions := make([]question, 0, b.questions)
	subEffect := map[string]float64{}
	for i := range b.categories {
		c := &b.categories[i]
		names := ref.subcategories[b.shape.name][c.name]
		weights := make([]float64, len(names))
		for j, name := range names {
			weights[j] = math.Exp(0.5 * r.NormFloat64())
			subEffect[c.name+"\x00"+name] = r.NormFloat64()
		}
		least := 1
		if c.questions < len(names) {
			least = 0
		}
		for j, n := range share(c.questions, weights, least) {
			for range n {
				questions = append(questions, question{category: i,
					row: data.Question{Domain: b.shape.name, Category: c.name, Subcategory: names[j]}})
			}
		}
	}
	r.Shuffle(len(questions), func(i, j int) { questions[i], questions[j] = questions[j], questions[i] })
	b.giveOptions(ref, r, questions)
	next := 0
	for image, n := range perImage {
		effect := r.NormFloat64()
		for range n {
			q := &questions[next]
			next++
			own := r.NormFloat64()
			q.image, q.row.ImageID = image, b.imageID(image)
			q.difficulty = imageWeight*effect + subcategoryWeight*subEffect[q.row.Category+"\x00"+q.row.Subcategory] + ownWeight*own
			q.reticence = r.NormFloat64()
			q.uneven = r.NormFloat64()
			b.write(q, r, next)
		}
	}
	return questions
}

// The parts of a question's difficulty; their squares sum to one.
const (
	imageWeight       = 0.32
	subcategoryWeight = 0.30
	ownWeight         = 0.8987
)

// giveOptions decides how many options each question has. Yes/no questions go to the categories whose cannot-rate of
// Table 9 is low, because that table counts all questions and these cannot have a cannot answer: with the weight
// (1 − rate/largest rate)² the rates among the questions that offer the option come out alike.
func (b *bankDomain) giveOptions(ref *reference, r *rand.Rand, questions []question) {
	yesNo, two, three, four := b.shape.optionShares(ref.slope(b.shape.name))
	counts := share(b.questions, []float64{yesNo, two, three, four}, 0)
	rates := ref.cannot[b.shape.name]
	largest := 0.0
	for _, rate := range rates {
		largest = max(largest, rate)
	}
	n := len(b.categories)
	want, weight, lo, hi := make([]float64, n), make([]float64, n), make([]int, n), make([]int, n)
	sum := 0.0
	for i, c := range b.categories {
		low := 1 - rates[c.name]/largest
		weight[i] = low*low*float64(c.questions) + 1e-9
		hi[i] = c.questions * 19 / 20
		sum += weight[i]
	}
	for i := range want {
		want[i] = float64(counts[0]) * weight[i] / sum
	}
	yesNoOf := apportion(counts[0], want, weight, lo, hi)
	byCategory := make([][]int, n)
	for i := range questions {
		byCategory[questions[i].category] = append(byCategory[questions[i].category], i)
	}
	var offering []int
	for i := range b.categories {
		c := &b.categories[i]
		members := byCategory[i]
		for _, m := range members[:yesNoOf[i]] {
			questions[m].row.Options, questions[m].row.YesNo = []string{"Yes", "No"}, true
		}
		c.offered = c.questions - yesNoOf[i]
		c.cannotRate = min(max(rates[c.name]/100*float64(c.questions)/max(float64(c.offered), 1), 0.01), 0.9)
		offering = append(offering, members[yesNoOf[i]:]...)
	}
	r.Shuffle(len(offering), func(i, j int) { offering[i], offering[j] = offering[j], offering[i] })
	for position, m := range offering {
		k := 4
		switch {
		case position < counts[1]:
			k = 2
		case position < counts[1]+counts[2]:
			k = 3
		}
		questions[m].row.Options = []string{"Option A", "Option B", "Option C", "Option D"}[:k]
		b.byOptions[k]++
	}
}

// write gives a question its text, its key, its most tempting wrong option and its name.
func (b *bankDomain) write(q *question, r *rand.Rand, number int) {
	k := int32(len(q.row.Options))
	q.row.AnswerIndex = r.Int32N(k)
	q.distractor = (q.row.AnswerIndex + 1 + r.Int32N(k-1)) % k
	q.row.Question = fmt.Sprintf("Simulated question %d of %s about %s / %s", number, b.shape.name, q.row.Category, q.row.Subcategory)
	q.row.QuestionID = questionID(q.row.ImageID, q.row.Question, q.row.Options)
	q.row.OrderRule, q.row.Source = captionqa.OrderFullBank, bankSource
}

// questionID names a question as the table's column says: by the image and a digest of the question and its options.
func questionID(imageID, text string, options []string) string {
	sorted := slices.Clone(options)
	slices.Sort(sorted)
	sum := sha256.Sum256([]byte(text + "\x00" + strings.Join(sorted, "\x00")))
	return imageID + "/" + hex.EncodeToString(sum[:5])
}

// present deals out the option orders of the published protocol in bank order.
func (b *bank) present() error {
	orders := captionqa.NewOrderStream(captionqa.OrderSeed)
	for i := range b.questions {
		q := &b.questions[i].row
		if captionqa.IsYesNo(q.Question, q.Options) != q.YesNo {
			return fmt.Errorf("simulated question %q: the published yes/no rule reads it otherwise than meant", q.Question)
		}
		q.OptionOrder = orders.Next(len(captionqa.WithCannot(q.Question, q.Options)))
	}
	return nil
}
