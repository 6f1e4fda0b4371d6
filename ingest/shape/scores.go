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
// prompts. Every battle of the lake with scores of both captions becomes a vote. Battles without
// two scores, and scores of captions in no battle, are counted.
var Scores = &Shape{
	Name:    "scores",
	What:    "a metric's scores of captions (image, captioner, score) or battles (battle, score_a, score_b); the metric is --reader",
	Columns: strings.Fields("image captioner score battle score_a score_b metric prompt"),
	Reads:   []data.AnyTable{data.Battles}, Unit: readUnit,
	Begin: func(j *Job) (Filler, error) {
		f := &scoreFiller{Job: j, scores: map[scoreKey]*foundScore{}}
		return Filler{f.row, f.match}, nil
	},
}

// A scoreKey identifies a scored caption: by itself, or in a battle.
type scoreKey struct{ metric, image, captioner, prompt, battle string }

// A foundScore is a score during matching.
type foundScore struct {
	value float64
	where string
	used  bool
}

// A scoreFiller fills tables from scores.
type scoreFiller struct {
	*Job
	scores  map[scoreKey]*foundScore
	keys    []scoreKey // in the order of the file
	metrics []string   // in the order of the file
	prompts bool       // the file names the prompts
}

// A scoredBattle is the part of a battle that a metric's vote needs.
type scoredBattle struct {
	ID       string `parquet:"battle_id"`
	Image    string `parquet:"image_id"`
	A        string `parquet:"captioner_a"`
	B        string `parquet:"captioner_b"`
	Prompt   string `parquet:"prompt"`    // empty if the file does not name prompts
	SeveralA bool   `parquet:"several_a"` // A has another caption of the image under the prompt
	SeveralB bool   `parquet:"several_b"`
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
	image, name, prompt := ItemName(r.Need("image", "the name of the picture")),
		r.Need("captioner", "the model's name, or human"), PromptName(r.Text("prompt"))
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
	if first, twice := f.scores[key]; twice {
		r.Fault(column, "the caption of %q by %s is scored %s already: keep one of the two", cmp.Or(key.image, key.battle),
			key.captioner, first.where)
	} else if !scored {
		f.Count("%d scores are empty")
	} else {
		f.keys, f.scores[key] = append(f.keys, key), &foundScore{value: score, where: r.where(column)}
	}
}

// match turns the scores into votes. A captioner may have described an image more than once. Then
// only the prompt can show which text a score is about, if the file has it.
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
	scored := 0
	for _, metric := range f.metrics {
		for _, b := range battles {
			first, ambiguousA := f.score(metric, b, "a", b.A, b.SeveralA)
			second, ambiguousB := f.score(metric, b, "b", b.B, b.SeveralB)
			reason := ""
			switch {
			case first == nil && second == nil:
				reason = "have no score and get no vote"
			case first == nil || second == nil:
				reason = "have a score of one caption only and get no vote"
			case ambiguousA || ambiguousB:
				reason = "have one of several captions of a captioner and an image and get no vote: add a column prompt"
			}
			if reason != "" {
				f.Count("%d battles " + reason)
				continue
			}
			scored++
			err := Write(f.Job, data.Votes, data.Vote{
				BattleID: b.ID, Judge: metric, JudgeType: arena.JudgeMetric, Protocol: arena.ProtocolMetric,
				Winner: arena.ScoreWinner(*first, *second), ScoreA: first, ScoreB: second, ImageID: b.Image,
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
				key.image+key.battle,
				key.captioner)
		}
	}
	if scored == 0 {
		f.Settle(0)
		f.Fault(file.Start,
			"no battle of the lake gets a vote: compare image, captioner and prompt with the table battles")
	}
	return nil
}

// score is the score of a battle's caption: in the battle, or by itself. Then it is ambiguous if
// the captioner has several captions.
func (f *scoreFiller) score(metric string, b scoredBattle, side, captioner string, several bool) (*float64, bool) {
	score, is := f.scores[scoreKey{metric: metric, battle: b.ID, captioner: side}]
	if is {
		several = false
	} else if score, is = f.scores[scoreKey{metric, b.Image, captioner, b.Prompt, ""}]; !is {
		return nil, several
	}
	score.used = true
	return &score.value, several
}

// ModelScores are models' scores on other benchmarks, for comparison with the ranking of their
// captions (CapArena Figure 4). They become rows of published with the item Figure 4, the benchmark
// as category and the metric benchmark_score.
var ModelScores = &Shape{
	Name:    "model_scores",
	What:    "models' scores on other benchmarks, to compare with CapArena's ranking",
	Columns: strings.Fields("model benchmark score"),
	Needs:   3, Unit: readUnit,
	Begin: func(j *Job) (Filler, error) {
		n, seen := int32(0), map[string]string{}
		return Filler{Row: func(r *Row) error {
			n++
			model, benchmark := r.Need("model", "the model's name"),
				r.Need("benchmark", "the benchmark's name, such as MMMU")
			r.Need("score", "it, or leave the row out")
			score, _ := r.Number("score")
			id, err := j.ModelID(model)
			key := id + "\x00" + benchmark
			if place, twice := seen[key]; twice && !r.Faulty {
				r.Fault("model", "%s has a score on %s %s already: keep one of the two", model, benchmark,
					place)
			}
			if r.Faulty || err != nil {
				return err
			}
			seen[key] = r.where("model")
			_, fraction, _ := strings.Cut(r.Text("score"), ".")
			return Write(j, data.PublishedFigures, data.Published{
				Benchmark: data.BenchmarkCapArena, Source: "benchmark-scores", Item: "Figure 4", Model: model,
				ModelID: id, Category: benchmark,
				Metric: "benchmark_score", Value: score, Unit: "points", Decimals: int32(min(len(fraction), 9)),
				File: j.Source.Base(), Line: n,
			})
		}}, nil
	},
}
