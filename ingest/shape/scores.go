package shape

import (
	"cmp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/ingest/file"
)

// Scores are a foreign metric's scores of captions, or of the two captions of battles. Higher is
// better.
//
// The metric is --reader or the column metric. The column prompt distinguishes captions of several
// prompts. Every battle of the lake with scores of both captions gets a vote of the metric. Notes
// count the battles without two scores, and the scores of captions in no battle.
var Scores = &Shape{
	Name: "scores",
	What: "a metric's scores of captions (image, captioner, score) or battles (battle, score_a, score_b); " +
		"the metric is --reader",
	Columns: strings.Fields("image captioner score battle score_a score_b metric prompt"),
	Reads:   []data.AnyTable{data.Battles},
	Unit:    readerUnit,
	Begin: func(j *Job) (Filler, error) {
		f := &scoreFiller{Job: j, scores: map[scoreKey]*foundScore{}}
		return Filler{f.row, f.match}, nil
	},
}

// A scoreKey identifies a score: of a caption by itself, or of a caption in a battle. In a battle,
// captioner is the side, a or b, and image and prompt are empty.
type scoreKey struct{ metric, image, captioner, prompt, battle string }

// A foundScore is a score of the file.
type foundScore struct {
	value float64
	where string // place in the file, for messages
	used  bool   // a battle has the caption
}

// A scoreFiller keeps all scores of a file, and at the end fills the table votes.
type scoreFiller struct {
	*Job
	scores  map[scoreKey]*foundScore
	keys    []scoreKey // in the order of the file
	metrics []string   // model_ids, in the order of the file
	prompts bool       // the file names the prompts
}

// A scoredBattle is the part of a battle that a metric's vote needs.
type scoredBattle struct {
	ID       string `parquet:"battle_id"`
	Image    string `parquet:"image_id"`
	A        string `parquet:"captioner_a"`
	B        string `parquet:"captioner_b"`
	Prompt   string `parquet:"prompt"`    // empty if the file does not name prompts
	SeveralA bool   `parquet:"several_a"` // A has several captions of the image, under the prompt if the file names it
	SeveralB bool   `parquet:"several_b"` // the same of B
}

// scoredBattles selects all battles; $1 says that the file names prompts.
const scoredBattles = `
	with here as (
		select battle_id, image_id, captioner_a, captioner_b, if($1, prompt, '') as prompt, caption_a, caption_b
		from battles
	),
	sides as (
		select image_id, captioner_a as captioner, prompt, caption_a as caption from here
		union all select image_id, captioner_b, prompt, caption_b from here
	),
	several as (
		select image_id, captioner, prompt from sides where caption <> ''
		group by all having min(caption) <> max(caption)
	)
	select battle_id, image_id, captioner_a, captioner_b, prompt,
		(image_id, captioner_a, prompt) in (from several) as several_a,
		(image_id, captioner_b, prompt) in (from several) as several_b
	from here`

// row keeps the score of a caption, or the two scores of a battle.
func (f *scoreFiller) row(r *Row) error {
	metric := cmp.Or(r.Text("metric"), f.Options.Reader)
	if metric == "" {
		return f.Source.Refuse("name it with --reader, such as --reader CLIPScore, or in a column metric",
			Unsaid+"which metric the scores are of")
	}
	id, err := f.ModelID(metric)
	if err != nil {
		return err
	}
	if !slices.Contains(f.metrics, id) {
		f.metrics = append(f.metrics, id)
	}
	if battle := r.Text("battle"); battle != "" {
		f.keep(r, "score_a", scoreKey{metric: id, battle: battle, captioner: "a"})
		f.keep(r, "score_b", scoreKey{metric: id, battle: battle, captioner: "b"})
		return nil
	}
	image := ItemName(r.Need("image", "the name of the picture"))
	name := r.Need("captioner", "the model's name, or human")
	prompt := PromptName(r.Text("prompt"))
	f.prompts = f.prompts || prompt != ""
	captioner := ""
	if !r.Faulty {
		captioner, err = f.ModelID(name)
	}
	f.keep(r, "score", scoreKey{metric: id, image: image, captioner: captioner, prompt: prompt})
	return err
}

// keep remembers the score in a column. A second score with the same key is a fault.
func (f *scoreFiller) keep(r *Row, column string, key scoreKey) {
	score, scored := r.Number(column)
	if r.Faulty {
		return
	}
	if first, isSecond := f.scores[key]; isSecond {
		r.Fault(column, "the caption of %q by %s is scored %s already: keep one of the two", cmp.Or(key.image, key.battle),
			key.captioner, first.where)
	} else if !scored {
		f.Count("%d scores are empty")
	} else {
		f.keys = append(f.keys, key)
		f.scores[key] = &foundScore{value: score, where: r.where(column)}
	}
}

// match turns the scores into votes: one for each metric and battle with both scores.
func (f *scoreFiller) match() error {
	battles, err := data.QueryAll[scoredBattle](f.Lake, scoredBattles, f.prompts)
	if err != nil {
		return err
	}
	if len(battles) == 0 {
		return f.Source.Refuse(
			"load the list of battles first, or make battles of the lake's captions with: captionlake arena pair",
			"the lake has no battles to compare the scores in")
	}
	votes := 0
	for _, metric := range f.metrics {
		for _, b := range battles {
			scoreA, ambiguousA := f.score(metric, b, "a", b.A, b.SeveralA)
			scoreB, ambiguousB := f.score(metric, b, "b", b.B, b.SeveralB)
			reason := ""
			switch {
			case scoreA == nil && scoreB == nil:
				reason = "have no score and get no vote"
			case scoreA == nil || scoreB == nil:
				reason = "have a score of one caption only and get no vote"
			case ambiguousA || ambiguousB:
				reason = "have one of several captions of a captioner and an image and get no vote: add a column prompt"
			}
			if reason != "" {
				f.Count("%d battles " + reason)
				continue
			}
			votes++
			err := Write(f.Job, data.Votes, data.Vote{
				BattleID: b.ID, Judge: metric, JudgeType: arena.JudgeMetric, Protocol: arena.ProtocolMetric,
				Winner: arena.ScoreWinner(*scoreA, *scoreB), ScoreA: scoreA, ScoreB: scoreB, ImageID: b.Image,
				Provenance: data.ProvenanceOf(f.Tx.Unit().Provenance, b.A, b.B),
			})
			if err != nil {
				return err
			}
		}
	}
	for _, key := range f.keys {
		if !f.scores[key].used {
			f.Count("%d scores are of captions in no battle, such as the caption of %s by %s",
				key.image+key.battle, key.captioner) // One of image and battle is empty.
		}
	}
	if votes == 0 {
		f.Settle(0) // The counted reasons become faults of the file.
		f.Fault(file.Start,
			"no battle of the lake gets a vote: compare image, captioner and prompt with the table battles")
	}
	return nil
}

// score is the score of one side of a battle: the score in the battle, or the score of the caption
// by itself; nil if the file has neither. A caption's own score is ambiguous if the captioner has
// several captions of the image: then nothing shows which caption the score is about.
func (f *scoreFiller) score(
	metric string, b scoredBattle, side, captioner string, several bool,
) (value *float64, ambiguous bool) {
	if score, found := f.scores[scoreKey{metric: metric, battle: b.ID, captioner: side}]; found {
		score.used = true
		return &score.value, false
	}
	if score, found := f.scores[scoreKey{metric, b.Image, captioner, b.Prompt, ""}]; found {
		score.used = true
		return &score.value, several
	}
	return nil, false
}

// ModelScores are models' scores on other benchmarks, for comparison with the ranking of their
// captions (CapArena Figure 4). They become rows of published with the item Figure 4, the benchmark
// as category and the metric benchmark_score.
var ModelScores = &Shape{
	Name:    "model_scores",
	What:    "models' scores on other benchmarks, to compare with CapArena's ranking",
	Columns: strings.Fields("model benchmark score"),
	Needs:   3,
	Unit:    readerUnit,
	Begin: func(j *Job) (Filler, error) {
		// line is the number of rows so far; places are the places of scores, by model and benchmark.
		line, places := int32(0), map[string]string{}
		return Filler{Row: func(r *Row) error {
			line++
			model := r.Need("model", "the model's name")
			benchmark := r.Need("benchmark", "the benchmark's name, such as MMMU")
			r.Need("score", "it, or leave the row out")
			score, _ := r.Number("score")
			id, err := j.ModelID(model)
			key := id + "\x00" + benchmark
			if place, isSecond := places[key]; isSecond && !r.Faulty {
				r.Fault("model", "%s has a score on %s %s already: keep one of the two", model, benchmark, place)
			}
			if r.Faulty || err != nil {
				return err
			}
			places[key] = r.where("model")
			_, fraction, _ := strings.Cut(r.Text("score"), ".")
			return Write(j, data.PublishedFigures, data.Published{
				Benchmark: data.BenchmarkCapArena, Source: "benchmark-scores", Item: "Figure 4", Model: model,
				ModelID: id, Category: benchmark,
				Metric: "benchmark_score", Value: score, Unit: "points", Decimals: int32(min(len(fraction), 9)),
				File: j.Source.Base(), Line: line,
			})
		}}, nil
	},
}
