package build

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// A drawnAnswer is an answer of randomIntervalAnswers, as the definitions of the figures need it.
type drawnAnswer struct {
	model, prompt, evidence, image, domain, category string
	correct, score                                   float64
	offered, cannot                                  bool
}

type drawnCaption struct {
	model, prompt, image string
	words                float64
}

// randomIntervalAnswers is a fixture in which images differ in the number of their questions,
// categories share images, and a captioner lacks some answers: the captions of three captioners in
// four domains, and one of them before the images. An image of every domain lacks the captions of
// m1, and one image has captions but no questions.
func randomIntervalAnswers() (*txtar.Archive, []drawnAnswer, []drawnCaption) {
	random := rand.New(rand.NewPCG(3, 5))
	var answers []drawnAnswer
	var captions []drawnCaption
	var a, c strings.Builder
	a.WriteString(answersHeader)
	c.WriteString("image_id,captioner,prompt,domain,words,provenance\n")
	chance := map[string]float64{"Short": 0.3, "Simple": 0.6, "Long": 0.75, "": 0.9}
	for d, domain := range []string{"Natural", "Document", "E-commerce", "Embodied AI"} {
		for i := range 5 + d {
			image := fmt.Sprintf("%d-%d", d, i)
			var questions []int // categories; none of the image 3-0
			for category := range 3 {
				if image == "3-0" {
					break
				}
				for range random.IntN(3) + category%2 {
					questions = append(questions, category)
				}
			}
			for m := range 3 {
				model := fmt.Sprintf("m%d", m)
				for _, prompt := range []string{"Short", "Simple", "Long", ""} {
					if prompt == "" && m > 0 {
						continue
					}
					ability := chance[prompt] * (0.5 + random.Float64())
					for q, category := range questions {
						if m == 2 && prompt == "Long" && i == 1 {
							continue
						}
						x := drawnAnswer{model: model, prompt: prompt, evidence: "caption", image: image,
							domain:   domain,
							category: fmt.Sprintf("%s %d", domain, category), offered: q%4 != 3}
						outcome, reader := "incorrect", "r"
						switch {
						case random.Float64() < ability:
							outcome, x.correct, x.score = "correct", 1, 1
						case x.offered && random.Float64() < 0.5:
							outcome, x.cannot, x.score = "cannot", true, 0.3
						}
						if prompt == "" {
							x.evidence, reader = "image", model
						}
						answers = append(answers, x)
						fmt.Fprintf(&a, "p,%s,%s,%s,%s,q%s-%d,%s,%s,%s,4,%v,%s,%v,simulated\n",
							reader, x.evidence, model, prompt, image, q, image, domain, x.category, x.offered,
							outcome, x.score)
					}
					if prompt != "" && (i != 2 || m != 1) {
						words := math.Floor(20 + 200*chance[prompt]*random.Float64())
						captions = append(captions, drawnCaption{model, prompt, image, words})
						fmt.Fprintf(&c, "%s,%s,%s,%s,%v,simulated\n", image, model, prompt, domain, words)
					}
				}
			}
		}
	}
	return &txtar.Archive{Files: []txtar.File{{Name: "in/answers.csv", Data: []byte(a.String())},
		{Name: "in/captions.csv", Data: []byte(c.String())}}}, answers, captions
}

// clusteredError is the standard error of an estimate from the estimate alone: each image's weight
// is moved a little to either side, and what that does to the estimate is what the image adds to
// its variance (the infinitesimal jackknife). The images of a stratum, named by the first letter,
// are independent of the images of other strata.
func clusteredError(images []string, estimate func(weight map[string]float64) float64) float64 {
	const step = 1e-4
	squares, n := map[byte]float64{}, map[byte]float64{}
	for _, image := range images {
		up := estimate(map[string]float64{image: 1 + step})
		down := estimate(map[string]float64{image: 1 - step})
		part := (up - down) / (2 * step)
		squares[image[0]] += part * part
		n[image[0]]++
	}
	variance := 0.0
	for stratum, s := range squares {
		variance += s * n[stratum] / (n[stratum] - 1)
	}
	return math.Sqrt(variance)
}

// weightOf is the weight of an image, 1 unless it is the one that is moved.
func weightOf(weight map[string]float64, image string) float64 {
	if w, ok := weight[image]; ok {
		return w
	}
	return 1
}

// share is a weighted mean over the answers that a filter keeps, in percent.
func share(answers []drawnAnswer, weight map[string]float64, value func(drawnAnswer) (float64, bool)) float64 {
	sum, n := 0.0, 0.0
	for _, a := range answers {
		if v, ok := value(a); ok {
			w := weightOf(weight, a.image)
			sum, n = sum+w*v, n+w
		}
	}
	return 100 * sum / n
}

// TestClusteredErrorsAgainstGo holds the errors of means over categories, of ratios and of relative
// gaps against what moving the weight of each image does to figures computed in Go from their
// definitions.
func TestClusteredErrorsAgainstGo(t *testing.T) {
	laketest.Slow(t, "builds a lake with many answers")
	archive, answers, captions := randomIntervalAnswers()
	e := testEngine(t, engine.Config{})
	loadFixture(t, e, archive)
	buildFixture(t, e, archive)
	var images, categories []string
	for _, a := range answers {
		if !slices.Contains(images, a.image) {
			images = append(images, a.image)
		}
		if !slices.Contains(categories, a.category) {
			categories = append(categories, a.category)
		}
	}
	check := func(what, query string, value, se float64) {
		t.Helper()
		rows := selected(t, e, query)
		must.Equal(t, len(rows), 1, what)
		for i, want := range []float64{value, se} {
			got, err := strconv.ParseFloat(rows[0][i], 64)
			if err != nil || math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
				t.Errorf("%s: column %d is %s, want %v", what, i+1, rows[0][i], want)
			}
		}
	}
	prompts := func(a drawnAnswer, prompt string) bool { return a.evidence == "caption" && a.prompt == prompt }

	// A transition compares the answers of captioners that have both prompts for the image.
	gain := func(from, to string, value func(drawnAnswer) (float64, bool)) func(category string,
		w map[string]float64) float64 {
		have := map[string]bool{}
		for _, a := range answers {
			have[a.model+a.image+a.category+a.prompt] = true
		}
		return func(category string, w map[string]float64) float64 {
			side := func(prompt string) float64 {
				return share(answers, w, func(a drawnAnswer) (float64, bool) {
					if !prompts(a, prompt) || a.category != category || !have[a.model+a.image+a.category+from] ||
						!have[a.model+a.image+a.category+to] {
						return 0, false
					}
					return value(a)
				})
			}
			return side(to) - side(from)
		}
	}
	over := func(g func(string, map[string]float64) float64) func(map[string]float64) float64 {
		return func(w map[string]float64) float64 {
			sum := 0.0
			for _, c := range categories {
				sum += g(c, w)
			}
			return sum / float64(len(categories))
		}
	}
	right := func(a drawnAnswer) (float64, bool) { return a.correct, true }
	points := func(a drawnAnswer) (float64, bool) { return a.score, true }
	covered := func(a drawnAnswer) (float64, bool) { // of all questions
		if a.cannot {
			return 0, true
		}
		return 1, true
	}
	coveredOffered := func(a drawnAnswer) (float64, bool) { // of the questions that offer the option
		covered, _ := covered(a)
		return covered, a.offered
	}
	summary := `select mean_%[1]s_gain, mean_%[1]s_gain_se from prompt_transition_summary where level = 'category'
		and transition = '%[2]s to %[3]s'`
	for _, step := range [][2]string{{"Short", "Simple"}, {"Simple", "Long"}, {"Short", "Long"}} {
		for name, value := range map[string]func(drawnAnswer) (float64, bool){"accuracy": right, "score": points} {
			f := over(gain(step[0], step[1], value))
			check(name+" "+strings.Join(step[:], " to "), fmt.Sprintf(summary, name, step[0], step[1]), f(nil),
				clusteredError(images, f))
		}
	}
	for name, value := range map[string]func(drawnAnswer) (float64, bool){"coverage": covered,
		"coverage_offered": coveredOffered} {
		f := over(gain("Short", "Simple", value))
		check(name+" Short to Simple", fmt.Sprintf(summary, name, "Short", "Simple"), f(nil), clusteredError(images, f))
	}
	short, long := over(gain("Short", "Simple", right)), over(gain("Short", "Long", right))
	reached := func(w map[string]float64) float64 { return 100 * short(w) / long(w) }
	check("share of Long's gain",
		`select share_of_long, share_of_long_se from prompt_transition_summary where level = 'category'
			and transition = 'Short to Simple'`,
		reached(nil), clusteredError(images, reached))

	// Score and words of one captioner in one domain; m1 lacks a caption of an image that was
	// answered for, and a gain is over the images that have both.
	words := func(prompt string, of []string, w map[string]float64) float64 {
		sum, n := 0.0, 0.0
		for _, c := range captions {
			if c.model == "m1" && c.prompt == prompt && slices.Contains(of, c.image) {
				sum, n = sum+weightOf(w, c.image)*c.words, n+weightOf(w, c.image)
			}
		}
		return sum / n
	}
	score := func(prompt string, of []string, w map[string]float64) float64 {
		return share(answers, w, func(a drawnAnswer) (float64, bool) {
			return a.score, prompts(a, prompt) && a.model == "m1" && slices.Contains(of, a.image)
		})
	}
	here := map[string]bool{}
	for _, a := range answers {
		if a.model == "m1" && a.image[0] == '3' {
			here[a.image] = true
		}
	}
	for _, c := range captions {
		if c.model == "m1" && c.image[0] == '3' {
			here[c.image] = true
		}
	}
	of := slices.Sorted(maps.Keys(here))
	rate := func(w map[string]float64) float64 { return 100 * score("Long", of, w) / words("Long", of, w) }
	worth := "from utility_per_word where captioner = 'm1' and prompt = 'Long' and domain = 'Embodied AI'"
	check("score per 100 words", "select score_per_100_words, score_per_100_words_se "+worth, rate(nil),
		clusteredError(of, rate))
	both := slices.DeleteFunc(slices.Clone(of), func(image string) bool { return image == "3-0" || image == "3-2" })
	added := func(w map[string]float64) float64 {
		return 100 * (score("Long", both, w) - score("Short", both, w)) / (words("Long", both,
			w) - words("Short", both, w))
	}
	check("gain per 100 words", "select gain_per_100_words, gain_per_100_words_se "+worth, added(nil),
		clusteredError(both, added))

	// Relative gap of the mean over the four domains.
	relative := func(w map[string]float64) float64 {
		mean := func(evidence, prompt string) float64 {
			sum := 0.0
			for d := range 4 {
				sum += share(answers, w, func(a drawnAnswer) (float64, bool) {
					return a.correct, a.model == "m0" && a.evidence == evidence && a.prompt == prompt &&
						int(a.image[0]-'0') == d
				}) / 4
			}
			return sum
		}
		seen := mean("image", "")
		return 100 * (seen - mean("caption", "Simple")) / seen
	}
	check("relative gap",
		"select relative_gap, relative_gap_se from captionqa_gap where domain = 'Overall' and prompt = 'Simple'",
		relative(nil), clusteredError(images, relative))

	// Each captioner less the best one over the mean of the four domains, on the questions that
	// both answered: m2 has none of one image of each.
	var models []string
	has := map[string]bool{}
	for _, a := range answers {
		if prompts(a, "Long") {
			has[a.model+a.image] = true
			if !slices.Contains(models, a.model) {
				models = append(models, a.model)
			}
		}
	}
	scored := func(model, other string, w map[string]float64) float64 {
		sum := 0.0
		for d := range 4 {
			sum += share(answers, w, func(a drawnAnswer) (float64, bool) {
				return a.score, prompts(a, "Long") && a.model == model && has[other+a.image] && int(a.image[0]-'0') == d
			}) / 4
		}
		return sum
	}
	rows := selected(t, e,
		"select distinct best from captionqa_differences where domain = 'Overall' and prompt = 'Long' and metric = 'score'")
	must.Equal(t, len(rows), 1, "the best captioner")
	best := rows[0][0] // of the board that is first, which boards.txtar tells
	for _, m := range models {
		if m == best {
			continue
		}
		shared := slices.DeleteFunc(slices.Clone(images),
			func(image string) bool { return !has[m+image] || !has[best+image] })
		behind := func(w map[string]float64) float64 { return scored(m, best, w) - scored(best, m, w) }
		check("difference of "+m,
			`select difference, difference_se from captionqa_differences where domain = 'Overall' and prompt = 'Long'
				and metric = 'score' and captioner = '`+m+"'",
			behind(nil), clusteredError(shared, behind))
	}
}
