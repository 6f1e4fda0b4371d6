package analytics

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// partial are a captioner's answers to some of ten questions about each of twenty images, easy ones first, from captions or from the images.
// Which are right differs between captioners by chance alone: nine in ten of the easy ones, four in ten of the hard ones.
func partial(captioner, prompt string, from, to int) []data.Answer {
	var rows []data.Answer
	for image := range 20 {
		for q := from; q < to; q++ {
			a := answer(captioner, "Natural", fmt.Sprintf("i%02d/%d", image, q))
			a.ImageID, a.Prompt, a.OffersCannot = fmt.Sprintf("i%02d", image), prompt, false
			if prompt == "" {
				a.Evidence, a.Reader = "image", captioner
			}
			right := 0.9
			if q >= 5 {
				right = 0.4
			}
			if randomOf(1, captioner+prompt, image, q) >= right {
				a.Outcome, a.Score = "incorrect", 0
			}
			rows = append(rows, a)
		}
	}
	return rows
}

// TestPartsOfABankArePairedByQuestion has three equal captioners, which answered all questions, the easy ones and the hard ones. By image
// they would lie 25 and 50 points apart; what is said of them is said of the same questions, as compare does.
func TestPartsOfABankArePairedByQuestion(t *testing.T) {
	lake := laketest.New(t)
	addRows(t, lake, data.Answers, "answers", slices.Concat(partial("all", "Simple", 0, 10), partial("easy", "Simple", 0, 5), partial("hard", "Simple", 5, 10),
		partial("all", "", 5, 10), partial("easy", "Short", 0, 3), partial("all", "Short", 5, 10))...)
	if _, err := Build(t.Context(), lake, modelsWith(t, "captionqa_scores", "captionqa_ranks", "captionqa_gap", "captionqa_differences", "coverage_accuracy",
		"ranking_stability"), RunOptions{}); err != nil {
		t.Fatal(err)
	}
	r, err := OpenReader(t.Context(), lake, EngineOptions{})
	must.Succeed(t, err)
	t.Cleanup(func() { _ = r.Close() })
	numbers := func(query string) []float64 {
		t.Helper()
		var out []float64
		must.Succeed(t, r.Rows(t.Context(), query, func([]string) error { return nil }, func(row []any) error {
			for _, v := range row {
				switch v := v.(type) {
				case float64:
					out = append(out, v)
				case int64:
					out = append(out, float64(v))
				default:
					out = append(out, math.NaN())
				}
			}
			return nil
		}))
		return out
	}
	same := func(what string, got []float64, want ...float64) {
		t.Helper()
		if !slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	for _, name := range []string{"easy", "hard"} {
		c, err := Compare(t.Context(), lake, []string{name, "all"}, CompareOptions{Prompts: []string{"Simple"}, Points: 1})
		must.Succeed(t, err)
		for _, d := range c.Differences {
			if math.Abs(d.Difference) > 20 {
				t.Errorf("%s: compare finds %v points", name, d.Difference)
			}
			same(name+" beside all, "+d.Metric, numbers(fmt.Sprintf(`select value, best_value, difference, difference_se, n_images, n_answers from captionqa_differences
				where captioner = '%s' and best = 'all' and prompt = 'Simple' and metric = '%s' and domain = 'Natural'`, name, d.Metric)),
				d.MeanA, d.MeanB, d.Difference, *d.SE, 20, 100)
		}
	}
	// Each is first among those that answered its questions: itself.
	same("ranks", numbers("select rank, rank_low, rank_high, share_first, n_models, n_questions from captionqa_ranks where prompt = 'Simple' and metric = 'score' order by captioner"),
		1, 1, 1, 1, 1, 200, 1, 1, 1, 1, 1, 100, 1, 1, 1, 1, 1, 100)
	share := func(rows []data.Answer) float64 {
		n := 0
		for _, a := range rows {
			if a.Outcome == "correct" {
				n++
			}
		}
		return 100 * float64(n) / float64(len(rows))
	}
	hard := slices.DeleteFunc(partial("all", "Simple", 0, 10), func(a data.Answer) bool { return a.QuestionID[4] < '5' })
	same("gap", numbers("select image_accuracy, caption_accuracy, n_questions from captionqa_gap where prompt = 'Simple' and domain = 'Natural'"),
		share(partial("all", "", 5, 10)), share(hard), 100)
	first := slices.DeleteFunc(partial("easy", "Simple", 0, 5), func(a data.Answer) bool { return a.QuestionID[4] > '2' })
	same("transition", numbers("select n_models, accuracy_from, accuracy_to from prompt_transitions where transition = 'Short to Simple' and level = 'domain'"),
		2, share(slices.Concat(partial("easy", "Short", 0, 3), partial("all", "Short", 5, 10))), share(slices.Concat(first, hard)))
	same("stability", numbers("select count(*) from ranking_stability"), 0) // one captioner is no ranking
}
