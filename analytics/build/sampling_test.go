package build

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/analytics/statistics"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// randomAnswers is a fixture of few questions, so that there are many ties: models x images answers
// with one to three questions each. It also returns questions and correct answers by model and
// image.
func randomAnswers(models, images int) (archive *txtar.Archive, asked []float64, correct [][]float64) {
	random := rand.New(rand.NewPCG(7, 11))
	asked = make([]float64, images)
	for i := range asked {
		asked[i] = float64(1 + random.IntN(3))
	}
	correct = make([][]float64, models)
	var b strings.Builder
	b.WriteString(answersHeader)
	for m := range models {
		correct[m] = make([]float64, images)
		for i := range images {
			for q := range int(asked[i]) {
				outcome, score := "incorrect", 0
				if random.Float64() < 0.3+0.08*float64(m) {
					outcome, score = "correct", 1
					correct[m][i]++
				}
				fmt.Fprintf(&b, "p,r,caption,m%d,Simple,q%d-%d,i%02d,Natural,c%d,4,true,%s,%d,simulated\n", m, i, q, i,
					q, outcome, score)
			}
		}
	}
	return &txtar.Archive{Files: []txtar.File{{Name: "in/answers.csv", Data: []byte(b.String())}}}, asked, correct
}

// TestRankingStabilityAgainstGo follows every random order in Go: sums over the first k images,
// then both coefficients from their definitions.
func TestRankingStabilityAgainstGo(t *testing.T) {
	const models, images, trials = 6, 9, 20
	archive, asked, correct := randomAnswers(models, images)
	e := testEngine(t, engine.Config{})
	must.Succeed(t, sampling{"stability_trials": fmt.Sprint(trials), "sampling_seed": "5"}.set(t.Context(), e))
	loadFixture(t, e, archive)
	buildFixture(t, e, archive, "ranking_stability", "ranking_trajectories")
	var questions float64
	full := make([]float64, models)
	for i, n := range asked {
		questions += n
		for m := range full {
			full[m] += correct[m][i]
		}
	}
	for m := range full {
		full[m] /= questions
	}
	// The tests of package statistics hold the two functions against their definitions.
	spearman, kendall := statistics.Functions["spearman"].Value, statistics.Functions["kendall"].Value
	type sums struct{ rho, tau, n float64 }
	want := make([]sums, images+1)
	firstTen := make([]float64, images+1) // mean accuracy of model 0 over the first ten trials
	for trial := 1; trial <= trials; trial++ {
		order := selected(t, e, fmt.Sprintf(
			`select image_id from (select distinct image_id from answers) as i order by random_of(5, 'Natural', %d,
				image_id), image_id`, trial))
		n, here := 0.0, make([]float64, models)
		for k, row := range order {
			image := must.Get(strconv.Atoi(row[0][1:]))(t)
			n += asked[image]
			share := make([]float64, models)
			for m := range here {
				here[m] += correct[m][image]
				share[m] = here[m] / n
			}
			if trial <= 10 {
				firstTen[k+1] += 10 * share[0]
			}
			both := slices.Concat(share, full)
			if rho, tau := spearman(both...), kendall(both...); !math.IsNaN(rho) {
				want[k+1].rho, want[k+1].tau, want[k+1].n = want[k+1].rho+rho, want[k+1].tau+tau, want[k+1].n+1
			}
		}
	}
	rows := selected(t, e,
		"select n_images, n_defined, spearman, kendall from ranking_stability where metric = 'accuracy' order by 1")
	must.Equal(t, len(rows), images)
	for k, row := range rows {
		w := want[k+1]
		for i, x := range []float64{float64(k + 1), w.n, w.rho / w.n, w.tau / w.n} {
			if !near(row[i], fmt.Sprint(x)) {
				t.Errorf("k = %d: column %d is %s, want %v", k+1, i, row[i], x)
			}
		}
	}
	rows = selected(t, e, "select accuracy from ranking_trajectories where captioner = 'm0' order by n_images")
	must.Equal(t, len(rows), images)
	for k, row := range rows {
		if !near(row[0], fmt.Sprint(firstTen[k+1])) {
			t.Errorf("trajectory at %d images: %s, want %v", k+1, row[0], firstTen[k+1])
		}
	}
}

// TestSamplingIsDeterministic runs the sampled models with one and two threads and another seed.
func TestSamplingIsDeterministic(t *testing.T) {
	archive, _, _ := randomAnswers(5, 8)
	sampled := func(seed, threads int) string {
		e := testEngine(t, engine.Config{Options: engine.Options{Threads: threads}})
		must.Succeed(t, sampling{"stability_trials": "15", "sampling_seed": fmt.Sprint(seed)}.set(t.Context(), e))
		loadFixture(t, e, archive)
		buildFixture(t, e, archive, "ranking_stability")
		rows := joinRows(selected(t, e, "select * from ranking_stability order by all"))
		must.Equal(t, rows == "", false)
		return rows
	}
	first := sampled(1, 1)
	expect.Equal(t, sampled(1, 2), first, "the same seed gives other rows with two threads")
	expect.Equal(t, sampled(2, 2) == first, false, "another seed gives the same rows")
}

// TestSamplingOptions: only the models that use an option depend on it.
func TestSamplingOptions(t *testing.T) {
	depend := map[string]string{}
	for _, m := range sqlmodel.All() {
		if part := (sampling{"stability_trials": "7", "pool_prompts": "['it''s']"}).of(m); part != "" {
			depend[m.Name] = part
		}
	}
	both, pool := " pool_prompts=['it''s'] stability_trials=7", " pool_prompts=['it''s']"
	want := map[string]string{"ranking_stability": both, "ranking_trajectories": both, "compared_answers": pool,
		"question_difficulty": pool}
	expect.Equal(t, fmt.Sprint(depend), fmt.Sprint(want))
}
