package build

import (
	"crypto/md5"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// A smallLake is a lake with rows for every model, in several units, and a list of ways to change it.
type smallLake struct {
	*data.Lake
	t testing.TB
}

// pick is a number below n that depends on nothing but the words.
func pick(n int, words ...any) int {
	return int(md5.Sum([]byte(fmt.Sprintln(words...)))[0]) % n
}

// questions are two about each of two images of the four domains; every fourth is a yes/no question.
func (l smallLake) questions() (questions []data.Question) {
	for _, domain := range data.CaptionQA().DomainNames() {
		for i := range 4 {
			q := data.Question{
				QuestionID: fmt.Sprintf("%s q%d", domain, i), ImageID: fmt.Sprintf("%s i%d", domain, i/2), Domain: domain, Category: []string{"A", "B"}[i%2],
				Question: "Which?", Options: []string{"a", "b", "c", "d"}, Source: "bank",
			}
			if i == 3 {
				q.Options, q.YesNo, q.Subcategory = []string{"yes", "no"}, true, "B1"
			}
			questions = append(questions, q)
		}
	}
	return questions
}

// asked are answers to every question, each with its call and what it says; salt makes another run's.
func (l smallLake) asked(protocol, reader, evidence, captioner, prompt string, repeat int32, salt string) (answers []data.Answer, calls []data.Call) {
	at := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	for i, q := range l.questions() {
		if captioner == "m-3" && i == 0 {
			continue // A part of the bank is answered, too.
		}
		hash := fmt.Sprintf("%x", md5.Sum([]byte(fmt.Sprintln(reader, evidence, captioner, prompt, q.QuestionID, repeat, salt))))
		a := data.Answer{
			Protocol: protocol, Reader: reader, Evidence: evidence, Captioner: captioner, Prompt: prompt, QuestionID: q.QuestionID, Repeat: repeat,
			ImageID: q.ImageID, Domain: q.Domain, Category: q.Category, Subcategory: q.Subcategory, Options: int32(len(q.Options)), OffersCannot: !q.YesNo,
			RequestHash: hash, Provenance: data.ProvenanceSimulated,
		}
		if evidence == "caption" {
			digest := fmt.Sprintf("%x", md5.Sum([]byte(captionText(captioner, prompt, q.ImageID))))
			a.CaptionDigest = &digest
		}
		choice := int32(0)
		switch k := pick(6, protocol, hash); {
		case k < 3:
			a.Outcome, a.Score, a.ChoiceIndex = "correct", 1, &choice
		case k == 3 && a.OffersCannot:
			a.Outcome, a.Score = "cannot", 1/float64(a.Options)+0.05
		case k == 4:
			a.Outcome = "unparsed"
		default:
			choice = 1
			a.Outcome, a.ChoiceIndex = "incorrect", &choice
		}
		answers = append(answers, a)
		calls = append(calls, data.Call{
			RequestHash: hash, Repeat: repeat, Stage: "answer", Model: reader, State: "ok", PromptTokens: 100, CachedTokens: int64(pick(100, hash)),
			LatencyMS: new(200 + float64(pick(100, "latency", hash))), FinishedAt: at.Add(time.Duration(i) * time.Second), Provenance: data.ProvenanceSimulated,
		})
	}
	return answers, calls
}

func captionText(captioner, prompt, image string) string {
	return strings.Repeat(captioner+" sees ", 1+pick(5, captioner, prompt, image)) + image
}

// answered adds a unit of answers and one of their calls.
func (l smallLake) answered(unit, protocol, reader, evidence, captioner, prompt string, repeat int32, salt string) {
	answers, calls := l.asked(protocol, reader, evidence, captioner, prompt, repeat, salt)
	addRows(l.t, l.Lake, data.Answers, unit, answers...)
	addRows(l.t, l.Lake, data.Calls, unit, calls...)
}

// described adds a captioner's captions under the prompts.
func (l smallLake) described(captioner string, prompts ...string) {
	var captions []data.Caption
	for _, prompt := range prompts {
		for i, q := range l.questions() {
			if i%2 == 0 {
				text := captionText(captioner, prompt, q.ImageID)
				captions = append(captions, data.Caption{
					ImageID: q.ImageID, Captioner: captioner, Prompt: prompt, Domain: q.Domain, Caption: text, Words: int32(len(strings.Fields(text))),
					FinishReason: "stop", Provenance: data.ProvenanceSimulated,
				})
			}
		}
	}
	addRows(l.t, l.Lake, data.Captions, captioner, captions...)
}

// judged adds a judge's verdicts on one captioner, and with them the captioner's answers to the same questions.
func (l smallLake) judged(unit, judge, captioner string, repeat int32, salt string) {
	var judgments []data.Judgment
	var answers []data.ElementAnswer
	another := fmt.Sprintf("%x", md5.Sum([]byte("mountain")))
	for _, a := range l.annotations() {
		j := data.Judgment{
			Benchmark: a.Benchmark, Judge: judge, Captioner: captioner, Repeat: repeat, SampleID: a.SampleID, Dimension: a.Dimension,
			Verdict: []string{"positive", "negative", "miss", "unparsed"}[pick(4, judge, captioner, repeat, a.SampleID, salt)], Provenance: data.ProvenanceSimulated,
		}
		if a.SampleID == "s0" {
			j.Verdict = "miss"
		}
		if a.SampleID == "s5" && salt != "" {
			j.ValueDigest = &another // Judged against a value that is annotated no more.
		}
		judgments = append(judgments, j)
		answers = append(answers, data.ElementAnswer{
			Benchmark: a.Benchmark, Model: captioner, Judge: judge, Repeat: repeat, SampleID: a.SampleID, Dimension: a.Dimension, Answer: "so",
			Outcome: []string{"correct", "incorrect"}[pick(2, captioner, repeat, a.SampleID, salt)], Provenance: data.ProvenanceSimulated, ValueDigest: j.ValueDigest,
		})
	}
	addRows(l.t, l.Lake, data.Judgments, unit, judgments...)
	addRows(l.t, l.Lake, data.ElementAnswers, unit, answers...)
}

func (l smallLake) annotations() (annotations []data.Annotation) {
	for i := range 6 {
		a := data.Annotation{
			Benchmark: "capability", SampleID: fmt.Sprintf("s%d", i), Dimension: "scene", View: "global", MediaType: "image", Media: fmt.Sprintf("m%d", i/2),
			Value: "harbour",
		}
		if i > 3 {
			a.Dimension, a.View, a.MediaType, a.Dynamic = "event", "temporal", "video", true
		}
		annotations = append(annotations, a)
	}
	return annotations
}

// fought adds battles of two captioners in both benchmarks and votes on them by a person, by a metric and, in both orders, by a model.
func (l smallLake) fought(unit, captionerA, captionerB, salt string) {
	var battles []data.Battle
	var votes []data.Vote
	var calls []data.Call
	for i, q := range l.questions() {
		if i%2 != 0 {
			continue
		}
		for _, benchmark := range []string{"caparena", "caparena-auto"} {
			id := fmt.Sprint(benchmark, captionerA, captionerB, q.ImageID)
			battles = append(battles, data.Battle{
				BattleID: id, ImageID: q.ImageID, CaptionerA: captionerA, CaptionerB: captionerB, CaptionA: captionText(captionerA, "Simple", q.ImageID),
				CaptionB: captionText(captionerB, "Simple", q.ImageID), Ordinal: int32(i), Benchmark: benchmark, Provenance: data.ProvenanceSimulated,
			})
			for _, v := range []data.Vote{
				{Judge: "people", JudgeType: "human", Protocol: "caparena/vote"},
				{Judge: "length", JudgeType: "metric", Protocol: "caparena/metric"},
				{Judge: "j", JudgeType: "model", Protocol: "caparena/battle", Position: "ab"},
				{Judge: "j", JudgeType: "model", Protocol: "caparena/battle", Position: "ba"},
			} {
				v.BattleID, v.ImageID, v.Provenance = id, q.ImageID, data.ProvenanceSimulated
				v.Winner = []string{"a", "b", "tie"}[pick(3, id, v.Judge, v.Position, salt)]
				switch v.JudgeType {
				case "metric":
					scoreA, scoreB := float64(pick(9, captionerA, q.ImageID)), float64(pick(9, captionerB, q.ImageID))
					v.ScoreA, v.ScoreB = &scoreA, &scoreB
				case "model":
					v.RequestHash = fmt.Sprintf("%x", md5.Sum([]byte(id+v.Position)))
					if salt != "" && i == 0 {
						v.RequestHash = "gone" // Its call is not in the lake.
						break
					}
					calls = append(calls, data.Call{
						RequestHash: v.RequestHash, Stage: "battle", Protocol: v.Protocol, Model: v.Judge, Subject: id + " " + v.Position, State: "ok",
						PromptTokens: 100, CompletionTokens: 5, Provenance: v.Provenance,
					})
				}
				votes = append(votes, v)
			}
		}
	}
	addRows(l.t, l.Lake, data.Battles, unit, battles...)
	addRows(l.t, l.Lake, data.Votes, unit, votes...)
	addRows(l.t, l.Lake, data.Calls, "battles "+unit, calls...)
}

// constructed adds a bank of a domain, with what its candidates went through: two items whose pictures are alike, a node each, two
// generators, ten guesses, two validators, a person, and drawn questions with their ratings.
func (l smallLake) constructed(domain, salt string) {
	var (
		pictures    []data.Image
		candidates  []data.Candidate
		calls       []data.Call
		trials      []data.BlindTrial
		groups      []data.QuestionGroup
		validations []data.Validation
		routes      []data.Route
		reviews     []data.Review
		questions   []data.Question
		samples     []data.QualitySample
		ratings     []data.QualityRating
	)
	options := []string{"one", "two", "three"}
	call := func(stage, model, subject string) string {
		hash := fmt.Sprintf("%x", md5.Sum([]byte(fmt.Sprintln(stage, model, subject, salt))))
		calls = append(calls, data.Call{
			RequestHash: hash, Stage: stage, Protocol: "construct/" + stage + "/1", Model: model, Subject: subject, State: "ok", PromptTokens: 100,
			CompletionTokens: int64(1 + pick(9, hash)), Provenance: data.ProvenanceSimulated,
		})
		return hash
	}
	for i := range 8 {
		image, category := fmt.Sprintf("%s-%d", domain, i/4), []string{"Tools", "Food"}[i%2]
		if i%4 == 0 {
			pictures = append(pictures, data.Image{ImageID: image, Domain: domain, Path: image + ".png", SHA256: image, Format: "png", PHash: fmt.Sprintf("%016x", i)})
		}
		generator := []string{"g-1", "g-2"}[i/2%2]
		c := data.Candidate{
			CandidateID: fmt.Sprintf("%s/%d", image, i), ImageID: image, Domain: domain, Category: category, Generator: generator, Question: fmt.Sprintf("How many, %d?", i),
			Options: options, AnswerIndex: int32(i % 3), Protocol: "construct/generate/1", Provenance: data.ProvenanceSimulated, RequestHash: call("generate", generator, fmt.Sprintf("%s/%d", image, i)),
		}
		candidates = append(candidates, c)
		known := pick(4, "known", c.CandidateID, salt) == 0
		for trial := range 10 {
			trials = append(trials, data.BlindTrial{
				CandidateID: c.CandidateID, Reader: "r1", Trial: int32(trial), OptionOrder: []int32{0, 1, 2}, Hit: known || trial < 3, Provenance: c.Provenance,
				RequestHash: call("blind", "r1", fmt.Sprintf("%s/%d", c.CandidateID, trial)),
			})
		}
		if known {
			continue
		}
		groups = append(groups, data.QuestionGroup{ImageID: image, CandidateID: c.CandidateID, GroupID: int32(i), Representative: true, Similarity: 1, Provenance: c.Provenance})
		agree := int32(0)
		for _, v := range []string{"v-1", "v-2"} {
			choice := (c.AnswerIndex + int32(pick(2, v, c.CandidateID, salt))) % 3
			validation := data.Validation{
				CandidateID: c.CandidateID, Validator: v, Choice: "option", ChoiceIndex: &choice, AgreesKey: choice == c.AnswerIndex, Provenance: c.Provenance,
				RequestHash: call("validate", v, c.CandidateID),
			}
			if validation.AgreesKey {
				agree++
			}
			validations = append(validations, validation)
		}
		route := data.Route{CandidateID: c.CandidateID, Route: "review", Validators: 2, Provenance: c.Provenance}
		drawn := data.QualitySample{
			Stage: "pre_quality", CandidateID: c.CandidateID, ImageID: image, Domain: domain, Category: category, Position: int32(i), Question: c.Question, Options: options,
			AnswerIndex: c.AnswerIndex, Seed: 1, Population: 8, Provenance: c.Provenance,
		}
		samples = append(samples, drawn)
		ratings = append(ratings, data.QualityRating{Stage: drawn.Stage, CandidateID: c.CandidateID, Reviewer: "ann", IsRight: pick(3, c.CandidateID) > 0, Provenance: data.ProvenanceMeasured})
		if agree == 2 {
			route.Route = "accept"
			questions = append(questions, data.Question{
				QuestionID: c.CandidateID, ImageID: image, Domain: domain, Category: category, Question: c.Question, Options: options, AnswerIndex: c.AnswerIndex,
				Source: "bank of " + domain, CandidateID: &c.CandidateID,
			})
		} else {
			reviews = append(reviews, data.Review{CandidateID: c.CandidateID, Reviewer: "ann", Decision: "keep", Provenance: data.ProvenanceMeasured})
		}
		routes = append(routes, route)
	}
	addRows(l.t, l.Lake, data.Images, domain, pictures...)
	addRows(l.t, l.Lake, data.Candidates, domain, candidates...)
	addRows(l.t, l.Lake, data.Calls, "construct "+domain, calls...)
	addRows(l.t, l.Lake, data.BlindTrials, domain, trials...)
	addRows(l.t, l.Lake, data.QuestionGroups, domain, groups...)
	addRows(l.t, l.Lake, data.Validations, domain, validations...)
	addRows(l.t, l.Lake, data.Routes, domain, routes...)
	addRows(l.t, l.Lake, data.Reviews, "ann "+domain, reviews...)
	addRows(l.t, l.Lake, data.Questions, domain, questions...)
	addRows(l.t, l.Lake, data.QualitySamples, domain, samples...)
	addRows(l.t, l.Lake, data.QualityRatings, "ann "+domain, ratings...)
}

func (l smallLake) remove(table, unit string) {
	l.t.Helper()
	must.Succeed(l.t, l.Remove(data.Unit{Stage: "test/" + table, Name: unit}.FileStem()))
}

// newSmallLake has two captioners under two prompts, two readers of one of them, who looked, what was answered without a caption, judgments
// by two judges, element answers, battles, votes, a bank that was made here and printed figures.
func newSmallLake(t testing.TB) smallLake {
	l := smallLake{laketest.New(t), t}
	addRows(t, l.Lake, data.Questions, "bank", l.questions()...)
	addRows(t, l.Lake, data.Annotations, "capability", l.annotations()...)
	addRows(t, l.Lake, data.Models, "registry", data.Model{ModelID: "m-1", Name: "Model One", ModelType: "open"})
	addRows(t, l.Lake, data.PublishedFigures, "paper",
		data.Published{Benchmark: "captionqa", Source: "paper", Item: "Table 12", Model: "P", ModelID: "p", Prompt: "Simple", Domain: "Natural", Metric: "score", Value: 60, Unit: "percent"},
		data.Published{Benchmark: "capability", Source: "paper", Item: "Table 3", Model: "M", ModelID: "m-1", Category: "scene", Metric: "recall", Value: 40, Unit: "percent", Decimals: 1})
	l.constructed("kitchen", "")
	for _, captioner := range []string{"m-1", "m-2"} {
		l.described(captioner, "Short", "Simple")
		for _, prompt := range []string{"Short", "Simple"} {
			l.answered(captioner+" "+prompt, "captionqa/upstream", "r1", "caption", captioner, prompt, 0, "")
		}
		l.judged(captioner, "j", captioner, 0, "")
	}
	l.answered("m-1 looks", "captionqa/upstream", "m-1", "image", "m-1", "", 0, "")
	l.answered("blind", "captionqa/upstream", "r1", "none", "", "", 0, "")
	l.answered("r2", "captionqa/upstream", "r2", "caption", "m-1", "Simple", 0, "")
	l.fought("m-1 m-2", "m-1", "m-2", "")
	return l
}

// copyWithoutMarts copies a lake as one that was never analyzed.
func copyWithoutMarts(t *testing.T, lake *data.Lake) *data.Lake {
	t.Helper()
	return copyWithout(t, lake, "marts", "journal")
}

// copyWithout copies a lake, but for some folders.
func copyWithout(t *testing.T, lake *data.Lake, folders ...string) *data.Lake {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	copyLake(t, lake.Dir(), dir)
	for _, folder := range folders {
		must.Succeed(t, os.RemoveAll(filepath.Join(dir, folder)))
	}
	whole := must.Get(data.Waiter{}.Edit(dir, "test"))(t)
	t.Cleanup(func() {
		must.Succeed(t, whole.Close())
	})
	return whole
}

// TestDamagedFoldsAreComputedAnew damages the kept mart of each fold. Rows of a file that is not what analyze had written are not carried
// on, though the unit that is added would need none of them computed.
func TestDamagedFoldsAreComputedAnew(t *testing.T) {
	must.Slow(t)
	models := foldModels(t)
	analyzed, other := laketest.New(t), laketest.At(t, filepath.Join(t.TempDir(), "other"))
	addRows(t, analyzed, data.Answers, "m-1", answer("m-1", "Natural", "q1"), answer("m-1", "Natural", "q2"))
	addRows(t, other, data.Answers, "m-1", answer("m-1", "Natural", "q1"))
	for _, l := range []*data.Lake{analyzed, other} {
		must.Get(Build(t.Context(), l, models, Options{}))(t)
	}
	for _, damage := range []struct {
		name string
		do   func(file, other string) error
	}{
		{"deleted", func(file, _ string) error { return os.Remove(file) }},
		{"cut off", func(file, _ string) error { return os.Truncate(file, 100) }},
		{"one byte changed", func(file, _ string) error {
			content := []byte(fileBytes(t, file))
			content[6] ^= 1
			return os.WriteFile(file, content, 0o644)
		}},
		{"another lake's", func(file, other string) error { return os.WriteFile(file, []byte(fileBytes(t, other)), 0o644) }},
	} {
		t.Run(damage.name, func(t *testing.T) {
			lake := copyWithout(t, analyzed)
			for _, fold := range []string{"marts/by_unit/00.parquet", "marts/by_question/00.parquet"} {
				must.Succeed(t, damage.do(lake.Path(fold), other.Path(fold)))
			}
			addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q1"))
			var notes []string
			must.Get(Build(t.Context(), lake, models, Options{Note: func(text string) { notes = append(notes, text) }}))(t)
			for _, fold := range []string{"marts/by_unit/00.parquet", "marts/by_question/00.parquet"} {
				if !strings.Contains(strings.Join(notes, "\n"), fold+" was not the file that analyze had written") {
					t.Errorf("nothing was said of %s: %q", fold, notes)
				}
			}
			whole := copyWithoutMarts(t, lake)
			must.Get(Build(t.Context(), whole, models, Options{}))(t)
			carried := filesOfMarts(t, lake)
			for name, want := range filesOfMarts(t, whole) {
				if carried[name] != want {
					t.Errorf("%s differs from that of a whole computation", name)
				}
			}
		})
	}
}

// TestFoldsAreHeldAgainstTheirTable builds folds whose select loses a unit, counts one twice, or makes rows of a unit that is not there.
func TestFoldsAreHeldAgainstTheirTable(t *testing.T) {
	const header = `-- what: w
-- key: [unit, image_id]
-- source: none
-- fold: answers
-- checks: {rows: COUNTS}
-- columns:
--   unit: [varchar, unit]
--   image_id: [varchar, image]
--   n: [bigint, count, 1.., answers]

`
	unit := func(name string) string { return data.Unit{Stage: "test/answers", Name: name}.FileStem() }
	lake := laketest.New(t)
	addRows(t, lake, data.Answers, "a", answer("m-1", "Natural", "q1"), answer("m-1", "Natural", "q2"))
	addRows(t, lake, data.Answers, "b", answer("m-2", "Natural", "q1"), answer("m-2", "Natural", "q3"))
	for _, c := range []struct{ name, counts, query, want string }{
		{"right", "n", "select unit, image_id, count(*) as n from answers group by unit, image_id", ""},
		{"a unit lost", "n", "select unit, image_id, count(*) as n from answers where captioner = 'm-1' group by unit, image_id",
			"unit=" + unit("b") + " counted=0 rows_that_count=2"},
		{"rows lost", "1", "select unit, image_id, 1 as n from answers where question_id <> 'q3'",
			"unit=" + unit("b") + " counted=1 rows_that_count=2"},
		{"a unit counted twice", "n", "select unit, image_id, count(*) as n from (from answers union all from answers where captioner = 'm-2') group by unit, image_id",
			"unit=" + unit("b") + " counted=4 rows_that_count=2"},
		{"repeated by a join", "n", "select a.unit, a.image_id, count(*) as n from answers as a inner join answers as b using (captioner) group by a.unit, a.image_id",
			"unit=" + unit("a") + " counted=4 rows_that_count=2\n  unit=" + unit("b") + " counted=4 rows_that_count=2"},
		{"no such unit", "n", "select 'c' as unit, image_id, count(*) as n from answers group by image_id", "unit=c counted=4 rows_that_count=∅"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := sqlmodel.Parse("by_image.sql", strings.Replace(header, "COUNTS", c.counts, 1)+c.query+";\n")
			must.Succeed(t, err)
			_, err = Build(t.Context(), lake, []sqlmodel.Model{m}, Options{})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// unheldFolds are the folds by unit that reduce but some of the rows of their table, so that its files do not say how many.
var unheldFolds = map[string]string{
	"captionqa_images": "sums of captionqa_image_sums, which is held",
	"parser_sums":      "answers that two ways of reading can read alone",
	"calls_by_item":    "calls of judges of battles and of the construction alone",
	"calls_by_second":  "replies to readers' requests alone",
}

// TestFoldsSayWhatTheyCount: a fold by unit is held against its table unless there is a reason.
func TestFoldsSayWhatTheyCount(t *testing.T) {
	for _, m := range sqlmodel.All() {
		if !m.Merges() {
			continue
		}
		if _, excepted := unheldFolds[m.Name]; excepted == (m.Counts != "") {
			t.Errorf("%s: counts is %q, and the list of folds that have none says %v", m.Name, m.Counts, excepted)
		}
	}
}
