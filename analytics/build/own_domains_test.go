package build

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/statistics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// graded are answers about one image under evidence caption, or image: right ones first.
func graded(captioner, evidence, domain, image string, right, wrong int) []data.Answer {
	var rows []data.Answer
	for i := range right + wrong {
		a := answer(captioner, domain, fmt.Sprintf("%s/%d", image, i))
		a.ImageID, a.Evidence, a.OffersCannot = image, evidence, false
		if evidence == "image" {
			a.Prompt = ""
		}
		if i >= right {
			a.Outcome, a.Score = "incorrect", 0
		}
		rows = append(rows, a)
	}
	return rows
}

// TestOwnDomainsAreScored has Photos and Maps, domains of a user's own, alone and beside the
// paper's four. By hand:
//
// Photos, a: 6 of 6 over three images, error 0: the design effect is the prior one,
// 1 + 0.3 (6/3 - 1) = 1.3, and 6 / 1.3 (t(5 df) / t(2 df))^2 = 1.6473966 questions count,
// 0.025^(1 / 1.6473966) = 10.6542 to 100 %.
// Photos, b: 2, 1 and 1 of 2: 66.6667 %, error 16.6667, design effect 6 / 36 / (2/9) = 0.75,
// events 6 / 0.75 * 1/3 = 8/3, steadied (8/3 * 0.75 + 1.3) / (11/3) = 0.9,
// so 6 / 0.9 * 0.3569360 = 2.3795729 questions, 6.0297 to 99.6488 %.
// Maps, a: 1 of 1 and 0 of 1: 50 %, differences 1/2 and -1/2, variance 1/2 * 2 / 2^2, error 50.
// Overall, a: (100 + 50) / 2 = 75. That all images of Photos are alike says little of others: half
// of their interval, (100 - 10.6542) / 2, over t(2 df) = 4.3026527 is an error of 10.3826;
// sqrt(10.3826^2 + 50^2) / 2 = 25.5333081. b has no Maps, and so no overall score; a has no place
// alone. Gap, a: all right on the images; 0 in Photos, 50 in Maps, (0 + 50) / 2 = 25 overall.
//
// Beside the four: overall is (0 + 100 + 100 + 100) / 4 = 75, without Photos.
func TestOwnDomainsAreScored(t *testing.T) {
	photos := slices.Concat(graded("a", "caption", "Photos", "i1", 2, 0), graded("a", "caption", "Photos", "i2", 2, 0),
		graded("a", "caption", "Photos", "i3", 2, 0),
		graded("b", "caption", "Photos", "i1", 2, 0), graded("b", "caption", "Photos", "i2", 1, 1), graded("b",
			"caption", "Photos", "i3", 1, 1))
	maps := slices.Concat(graded("a", "caption", "Maps", "m1", 1, 0), graded("a", "caption", "Maps", "m2", 0, 1),
		graded("a", "image", "Maps", "m1", 1, 0), graded("a", "image", "Maps", "m2", 1, 0),
		graded("a", "image", "Photos", "i1", 2, 0), graded("a", "image", "Photos", "i2", 2, 0), graded("a", "image",
			"Photos", "i3", 2, 0))
	var four []data.Answer
	for i, d := range data.CaptionQA().DomainNames() {
		four = append(four, graded("a", "caption", d, "image of "+d, min(i, 1), 1-min(i, 1))...)
	}
	models := modelsWith(t, "captionqa_ranks", "captionqa_gap", "leaderboard")
	build := func(rows ...data.Answer) func(query string, want ...any) {
		lake := laketest.New(t)
		addRows(t, lake, data.Answers, "answers", rows...)
		built(t, lake, models)
		r := must.Get(ask.OpenReader(t.Context(), lake, engine.Options{}))(t)
		t.Cleanup(func() { _ = r.Close() })
		return func(query string, want ...any) {
			t.Helper()
			got, err := r.Rows(t.Context(), "answer", query)
			if err != nil || got.Len() != 1 {
				t.Fatalf("%s: %v, %v", query, got, err)
			}
			for i, w := range want {
				x, number := w.(float64)
				value := got.Values(got.Columns()[i])[0]
				y, _ := value.(float64)
				if number && math.Abs(x-y) > 1e-9 || !number && fmt.Sprint(value) != fmt.Sprint(w) {
					t.Errorf("%s: column %d is %v, want %v", query, i+1, value, w)
				}
			}
		}
	}
	check := build(slices.Concat(photos, maps)...)
	check(`select score, score_se, score_low, score_high from captionqa_scores where level = 'domain'
		and evidence = 'caption' and captioner = 'a' and domain = 'Photos'`,
		100.0, 0.0, 10.654183657540642, 100.0)
	check(`select score, score_se from captionqa_scores where level = 'domain' and evidence = 'caption'
		and captioner = 'a' and domain = 'Maps'`, 50.0, 50.0)
	check(`select score, score_se, score_low, score_high from captionqa_scores where level = 'domain'
		and evidence = 'caption' and captioner = 'b'`,
		200.0/3, 50.0/3, 6.029749695131143, 99.64878699069885)
	check("select value, value_se, captioner from captionqa_ranks where domain = 'Overall' and metric = 'score'", 75.0,
		25.533308051107124, "a")
	check("select overall, n_domains, board from leaderboard where captioner = 'a' and rank is null", 75.0, 2,
		"Maps, Photos, read by r, simulated")
	check(`select overall, n_domains, rank from leaderboard where captioner = 'a'
		and board = 'Photos, read by r, simulated'`, 100.0, 1, 1)
	check(`select value, rank, rank_low, rank_high, n_models, n_images from captionqa_ranks where domain = 'Overall'
		and metric = 'score'`, 75.0, nil, nil, nil, 1, 5)
	check(`select value, rank, n_models from captionqa_ranks where domain = 'Photos' and metric = 'score'
		and captioner = 'b'`, 200.0/3, 2, 2)
	check("select gap, image_accuracy, caption_accuracy from captionqa_gap where domain = 'Overall'", 25.0, 100.0, 75.0)
	check("select gap from captionqa_gap where domain = 'Maps'", 50.0)

	check = build(slices.Concat(photos, four)...)
	check("select value, rank from captionqa_ranks where domain = 'Overall' and metric = 'score'", 75.0, nil)
	check("select overall, n_domains from leaderboard where captioner = 'a' and domains = 'Photos'", 100.0, 1)
	check("select count(*) from captionqa_ranks where domain = 'Overall'", 2)
}

// TestRandomNumbersAgree holds the draws of Go against the draws of SQL.
func TestRandomNumbersAgree(t *testing.T) {
	e := macroEngine(t)
	for item := range 20 {
		var want float64
		must.Succeed(t, e.Conn.QueryRowContext(t.Context(), "select random_of(7, 'bootstrap Photos', 3, ?)",
			item).Scan(&want))
		expect.Between(t, statistics.RandomOf(7, "bootstrap Photos", 3, item), want-1e-15, want+1e-15, item)
	}
}

// partial are a captioner's answers to some of ten questions about each of twenty images, easy ones
// first, from captions or from the images. Which are right differs between captioners by chance
// alone: nine in ten of the easy ones, four in ten of the hard ones.
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
			if statistics.RandomOf(1, captioner+prompt, image, q) >= right {
				a.Outcome, a.Score = "incorrect", 0
			}
			rows = append(rows, a)
		}
	}
	return rows
}

// TestPartsOfABankArePairedByQuestion has three equal captioners, which answered all questions, the
// easy ones and the hard ones. By image they would lie 25 and 50 points apart; what is said of them
// is said of the same questions, as compare does.
func TestPartsOfABankArePairedByQuestion(t *testing.T) {
	lake := laketest.New(t)
	addRows(t, lake, data.Answers, "answers",
		slices.Concat(partial("all", "Simple", 0, 10), partial("easy", "Simple", 0, 5),
			partial("hard", "Simple", 5, 10),
			partial("all", "", 5, 10), partial("easy", "Short", 0, 3), partial("all", "Short", 5, 10))...)
	built(t, lake, modelsWith(t, "captionqa_scores", "captionqa_ranks", "captionqa_gap", "captionqa_differences",
		"prompt_transitions", "ranking_stability"))
	r := must.Get(ask.OpenReader(t.Context(), lake, engine.Options{}))(t)
	t.Cleanup(func() { _ = r.Close() })
	numbers := func(query string) []float64 {
		t.Helper()
		var out []float64
		got := must.Get(r.Rows(t.Context(), "answer", query))(t)
		for i := range got.Len() {
			for _, column := range got.Columns() {
				v, ok := got.Values(column)[i].(float64)
				if !ok {
					v = math.NaN()
				}
				out = append(out, v)
			}
		}
		return out
	}
	same := func(what string, got []float64, want ...float64) {
		t.Helper()
		if !slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	for _, name := range []string{"easy", "hard"} {
		c := must.Get(ask.Compare(t.Context(), lake, []string{name, "all"},
			ask.CompareOptions{Prompts: []string{"Simple"}, Points: 1}))(t)
		for _, d := range c.Differences {
			if math.Abs(d.Difference) > 20 {
				t.Errorf("%s: compare finds %v points", name, d.Difference)
			}
			same(name+" beside all, "+d.Metric,
				numbers(fmt.Sprintf(`select value, best_value, difference, difference_se, n_images, n_answers
					from captionqa_differences
				where captioner = '%s' and best = 'all' and prompt = 'Simple' and metric = '%s'
				and domain = 'Natural'`, name, d.Metric)),
				d.MeanA, d.MeanB, d.Difference, *d.SE, 20, 100)
		}
	}
	// Nobody else answered the questions of each.
	same("ranks", numbers(`select n_models, n_questions from captionqa_ranks where rank is null and rank_low is null
		and prompt = 'Simple' and metric = 'score' order by captioner`),
		1, 200, 1, 100, 1, 100)
	share := func(rows []data.Answer) float64 {
		n := 0
		for _, a := range rows {
			if a.Outcome == "correct" {
				n++
			}
		}
		return 100 * float64(n) / float64(len(rows))
	}
	hard := slices.DeleteFunc(partial("all", "Simple", 0, 10),
		func(a data.Answer) bool { return a.QuestionID[4] < '5' })
	same("gap", numbers(`select image_accuracy, caption_accuracy, n_questions from captionqa_gap
		where prompt = 'Simple' and domain = 'Natural'`),
		share(partial("all", "", 5, 10)), share(hard), 100)
	first := slices.DeleteFunc(partial("easy", "Simple", 0, 5),
		func(a data.Answer) bool { return a.QuestionID[4] > '2' })
	same("transition",
		numbers(`select n_models, accuracy_from, accuracy_to from prompt_transitions where transition = 'Short to Simple'
			and level = 'domain'`),
		2, share(slices.Concat(partial("easy", "Short", 0, 3), partial("all", "Short", 5, 10))),
		share(slices.Concat(first, hard)))
	same("stability", numbers("select count(*) from ranking_stability"), 0) // one captioner is no ranking
}
