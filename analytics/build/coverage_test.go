package build

import (
	"bufio"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"gonum.org/v1/gonum/mathext"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/statistics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/sql"
)

// A world is a lake with a known truth. Many readers, one data set each, read the captions of the
// boards' captioners, and the images of four domains are described with beta-distributed chances.
// Of two captioners, half of the images are equally hard for both.
type world struct {
	images      int     // of a domain
	correlation float64 // of two questions of an image
	uneven      bool    // one image in ten, and at least one, has five times as many questions
}

// worldBoards are the accuracies of the captioners of each prompt, one board each.
var worldBoards = map[string][]float64{
	"far": {0.95, 0.9, 0.7, 0.6}, "close": {0.9, 0.89, 0.88, 0.87, 0.86, 0.85}, "95-90": {0.95, 0.9}, "70-60": {0.7,
		0.6}, "98-95": {0.98, 0.95},
}

const (
	worldQuestions   = 13  // questions of an image: the public bank's mean
	worldCannot      = 0.5 // share of the answers that are not correct that chooses the cannot option
	worldCannotScore = 0.3 // of four options: 1/4 + 0.05
)

func (w world) String() string {
	return fmt.Sprintf("%2d images, ICC %.1f, %-6s", w.images, w.correlation,
		map[bool]string{true: "uneven", false: "even"}[w.uneven])
}

// coverageFigures are the columns of the table of STATISTICS.md: what share of the intervals holds
// the truth.
var coverageFigures = []struct{ name, query string }{
	{"98%", shareHolds("accuracy", "98-95", 0.98, "domain <> 'Overall'")},
	{"95%", shareHolds("accuracy", "far", 0.95, "domain <> 'Overall'")},
	{"70%", shareHolds("accuracy", "far", 0.7, "domain <> 'Overall'")},
	{"score", shareHolds("score", "far", 0.7+0.3*worldCannot*worldCannotScore, "domain <> 'Overall'")},
	{"98-95", differenceHolds("98-95", 3)},
	{"95-90", differenceHolds("95-90", 5)},
	{"70-60", differenceHolds("70-60", 10)},
	{"overall 98%", shareHolds("accuracy", "98-95", 0.98, "domain = 'Overall'")},
	{"overall 70%", shareHolds("accuracy", "far", 0.7, "domain = 'Overall'")},
	{"places", "select avg(held) from places where prompt = 'far'"},
	{"close", "select avg(held) from places where prompt = 'close'"},
	{"worst", `select min(held) from (select captioner, avg(held) as held from places where prompt = 'close'
		group by captioner)`},
	{"first", `select avg(wrong) from (select max(case when rank_high = 1 and held = 0 then 1 else 0 end) as wrong
		from places where prompt = 'close' group by reader, domain)`},
}

func shareHolds(metric, prompt string, truth float64, where string) string {
	return fmt.Sprintf(`select avg(case when %g between %s_low - 1e-9 and %[2]s_high + 1e-9 then 1 else 0 end)
		from captionqa_scores where level in ('domain', 'overall') and prompt = '%s' and captioner like 'c%g%%' and %s`,
		100*truth, metric, prompt, trueAccuracy(metric, truth), where)
}

func trueAccuracy(metric string, truth float64) float64 {
	if metric == "score" {
		return 0.7
	}
	return truth
}

// differenceHolds is of the two captioners of a board, whichever has the better value.
func differenceHolds(prompt string, truth float64) string {
	return fmt.Sprintf(`select avg(case when if(captioner < best, -%g, %[1]g) between difference_low - 1e-9
		and difference_high + 1e-9 then 1 else 0 end)
		from captionqa_differences where metric = 'accuracy' and domain <> 'Overall' and prompt = '%s'`, truth, prompt)
}

// placesSQL makes the table places: whether the interval holds the true place, which the name of
// the captioner has.
const placesSQL = `create temp table places as
	select prompt, reader, domain, captioner, rank_high, case when cast(split_part(captioner, ' ',
	2) as bigint) between rank_low and rank_high then 1 else 0 end as held
	from captionqa_ranks where metric = 'accuracy' and domain <> 'Overall'`

// write writes the sums of each reader's answers about each image, rows of captionqa_images.
func (w world) write(t *testing.T, file string, readers int, r *rand.Rand) {
	t.Helper()
	f := must.Get(os.Create(file))(t)
	out := bufio.NewWriter(f)
	fmt.Fprintln(out, "protocol,reader,evidence,captioner,prompt,provenance,repeat,level,domain,image_id,question_set,"+
		"n_answers,n_correct,n_incorrect,n_cannot,n_offered,score_parts")
	prompts := slices.Sorted(maps.Keys(worldBoards))
	for reader := range readers {
		for _, domain := range data.CaptionQA().DomainNames() {
			for image := range w.images {
				questions := worldQuestions
				if w.uneven && image%10 == 0 {
					questions *= 5
				}
				alike := r.Float64()
				for _, prompt := range prompts {
					for place, accuracy := range worldBoards[prompt] {
						chance, hardness := accuracy, alike
						if r.Float64() < 0.5 {
							hardness = r.Float64()
						}
						if k := 1/w.correlation - 1; w.correlation > 0 {
							chance = mathext.InvRegIncBeta(k*chance, k*(1-chance), hardness)
						}
						correct, cannot := 0, 0
						for range questions {
							if r.Float64() < chance {
								correct++
							} else if r.Float64() < worldCannot {
								cannot++
							}
						}
						score := correct*statistics.ScoreParts + int(float64(cannot)*worldCannotScore*statistics.ScoreParts)
						fmt.Fprintf(out,
							"captionqa/upstream,r%d,caption,c%g %d,%s,measured,0,domain,%s,%s-%d,1,%d,%d,%d,%d,%d,%d\n",
							reader, accuracy, place+1, prompt,
							domain, domain, image, questions, correct, questions-correct-cannot, cannot,
							questions, score)
					}
				}
			}
		}
	}
	must.Succeed(t, out.Flush())
	must.Succeed(t, f.Close())
}

// TestCoverage makes lakes of every world and counts the intervals of the marts that hold the
// truth: 95 of 100 of them should. The bounds leave room for three standard errors of the count
// itself. STATISTICS.md has the figures and says what is outside of 93 to 98 %.
func TestCoverage(t *testing.T) {
	readers, sizes, correlations := 40, []int{5}, []float64{0.1}
	if laketest.Figures() {
		readers, sizes, correlations = 300, []int{3, 5, 10, 20, 50}, []float64{0, 0.1, 0.3}
	}
	var table strings.Builder
	for _, images := range sizes {
		for i, correlation := range correlations {
			row := make([]string, len(coverageFigures))
			for _, uneven := range []bool{false, true} {
				w := world{images, correlation, uneven}
				for f, held := range w.held(t, readers, rand.New(rand.NewPCG(uint64(images), uint64(i)))) {
					row[f] = strings.TrimPrefix(fmt.Sprintf("%s, %.1f", row[f], 100*held), ", ")
					if name, room := coverageFigures[f].name,
						3*math.Sqrt(0.95*0.05/float64(readers)); name == "first" && held > 0.05+room ||
						name != "first" && held < 0.93-room {
						t.Errorf("%s: %s %.1f %%", w, name, 100*held)
					}
				}
			}
			fmt.Fprintf(&table, "| %d | %g | %s |\n", images, correlation, strings.Join(row, " | "))
		}
	}
	t.Logf("coverage in percent:\n%s", &table)
}

// held are the shares of the intervals of each figure that hold the truth.
func (w world) held(t *testing.T, readers int, r *rand.Rand) (shares []float64) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "images.csv")
	e := testEngine(t, engine.Config{Files: []string{file}, Options: engine.Options{Threads: 2}})
	createTables(t, e)
	w.write(t, file, readers, r)
	lake := &txtar.Archive{Files: []txtar.File{
		{Name: "in/captionqa_images.csv", Data: []byte("domain\n")}, {Name: "in/captionqa_uneven_answers.csv",
			Data: []byte("domain\n")},
		{Name: "in/partial_repetitions.csv", Data: []byte("domain\n")},
	}}
	fillTables(t, e, lake)
	must.Succeed(t, e.Exec(t.Context(),
		`insert into captionqa_images by name select *, condition_of(protocol, reader, evidence, captioner, prompt,
			provenance) as condition_id, '' as category, '' as subcategory, 0 as n_unparsed, 0 as n_failed
			from read_csv(`+sql.Quote(file)+")"))
	buildFixture(t, e, lake, "captionqa_ranks", "captionqa_differences")
	must.Succeed(t, e.Exec(t.Context(), placesSQL))
	for _, f := range coverageFigures {
		var held float64
		must.Succeed(t, e.Conn.QueryRowContext(t.Context(), f.query).Scan(&held))
		shares = append(shares, held)
	}
	return shares
}

// A rubricWorld draws verdicts of many judges on one captioner: files of a dimension, elements of a
// file and the correlation of two of them, and the shares of elements that are mentioned, and of
// these, that are correct.
type rubricWorld struct {
	files, elements           int
	correlation, hit, correct float64
}

func (w rubricWorld) chance(r *rand.Rand, mean float64) float64 {
	if w.correlation == 0 {
		return mean
	}
	k := 1/w.correlation - 1
	return mathext.InvRegIncBeta(k*mean, k*(1-mean), r.Float64())
}

// TestRubricCoverage counts the intervals of capability_figures that hold the truth, of dimensions
// and of the mean over thirteen.
func TestRubricCoverage(t *testing.T) {
	judges, sizes := 20, []int{5}
	if laketest.Figures() {
		judges, sizes = 100, []int{3, 5, 10, 20, 50}
	}
	var table strings.Builder
	for _, files := range sizes {
		for _, w := range []rubricWorld{{files, 1, 0, 0.7, 0.8}, {files, 1, 0, 0.95, 0.95}, {files, 4, 0.3, 0.7, 0.8}} {
			r := rand.New(rand.NewPCG(uint64(files), uint64(w.elements)))
			file := filepath.Join(t.TempDir(), "verdicts.csv")
			e := testEngine(t, engine.Config{Files: []string{file}, Options: engine.Options{Threads: 2}})
			createTables(t, e)
			out := bufio.NewWriter(must.Get(os.Create(file))(t))
			fmt.Fprintln(out, "judge,dimension,media,n_positive,n_negative,n_miss")
			for judge := range judges {
				for _, dimension := range rubric.Dimensions() {
					for media := range files {
						hit, correct := 0, 0
						seen, right := w.chance(r, w.hit), w.chance(r, w.correct)
						for range w.elements {
							if r.Float64() < seen {
								hit++
								if r.Float64() < right {
									correct++
								}
							}
						}
						fmt.Fprintf(out, "j%d,%s,%s-%d,%d,%d,%d\n", judge, dimension.ID, dimension.ID, media, correct,
							hit-correct, w.elements-hit)
					}
				}
			}
			must.Succeed(t, out.Flush())
			lake := &txtar.Archive{Files: []txtar.File{{Name: "in/capability_verdicts.csv", Data: []byte("judge\n")}}}
			fillTables(t, e, lake)
			must.Succeed(t, e.Exec(t.Context(),
				`insert into capability_verdicts by name select *, 'capability' as benchmark, 'm' as captioner, 0 as repeat,
					'measured' as provenance, 0 as n_unparsed, 0 as n_failed, 1 as element_number from read_csv(`+sql.Quote(file)+")"))
			must.Succeed(t, e.Exec(t.Context(),
				fmt.Sprintf(`insert into annotations by name select 'capability' as benchmark, dimension, view, dynamic,
					media_type, media as sample_id, element, media `+
					`from read_csv(%s) inner join rubric_dimensions() using (dimension), range(%d) as r (element)
						where judge = 'j0'`, sql.Quote(file), w.elements)))
			buildFixture(t, e, lake, "capability_figures")
			fmt.Fprintf(&table, "| %d | %d | %g | %g, %g |", w.files, w.elements, w.correlation, 100*w.hit,
				100*w.correct)
			for _, kind := range []string{"dimension", "average"} {
				for _, f := range []struct {
					metric string
					truth  float64
				}{{"precision", w.correct}, {"recall", w.hit * w.correct}, {"f1", 2 * w.hit * w.correct / (1 + w.hit)},
					{"hit_rate", w.hit}} {
					var held float64
					must.Succeed(t, e.Conn.QueryRowContext(t.Context(),
						fmt.Sprintf(`select avg(case when %g between figure_low - 1e-9 and figure_high + 1e-9 then 1 else 0 end)
							from capability_figures where kind = '%s' and metric = '%s' and figure_low is not null`,
							100*f.truth, kind, f.metric)).Scan(&held))
					fmt.Fprintf(&table, " %.1f |", 100*held)
					if held < 0.9-3*math.Sqrt(0.95*0.05/float64(judges)) {
						t.Errorf("%+v: %s %s %.1f %%", w, kind, f.metric, 100*held)
					}
				}
			}
			table.WriteByte('\n')
		}
	}
	t.Logf("coverage in percent:\n%s", &table)
}
