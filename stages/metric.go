package stages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/textmetrics"
	"github.com/captionlake/captionlake/stages/engine"
)

// metricStage scores both captions of each battle by the built-in metrics. The votes of the metrics
// are compared with people's votes (CapArena section 4). The stage asks no model.
var metricStage = engine.Stage{
	Name: "metric",
	Help: "score the captions of battles by their length and, against human captions, " +
		"by BLEU-4, ROUGE-L, CIDEr and METEOR, without asking a model",
	Section: "battles",
	Named:   true,
	Units:   metricUnits,
}

// A metricUnit is the set of scores of one metric for the battles of one set.
type metricUnit struct {
	Metric     textmetrics.Metric
	Set        battleSet
	references *referenceTexts
}

// referenceTexts are the human captions of the lake.
type referenceTexts struct {
	byImage map[string][]string // all human captions, by image_id
	loaded  map[string][]string // only the human captions in the table captions, by image_id
	corpus  *textmetrics.Corpus // all human captions, for the weights of words in CIDEr
}

// Reasons why a battle has no score by a metric that needs a human caption. For the reason textless
// a battle has no score by any metric.
const (
	withPerson = "with a caption by a person"
	unaided    = "without a human caption to compare with" // no person has described the image
)

// metricUnits adds a unit for each set of battles and metric.
func metricUnits(s *engine.Scope) error {
	references, err := readReferences(s.Lake)
	if err != nil {
		return err
	}
	sets, counts, err := countBattles(s.Lake, references.unscored)
	if err != nil {
		return err
	}
	for _, set := range sets {
		for _, metric := range textmetrics.Metrics() {
			s.Add(metricUnit{metric, set, references}.unit(scoredNote(set, counts[set], references)))
		}
	}
	return nil
}

// readReferences reads the human captions of the lake: captions that came with battles, captions
// that took part in battles, and the captions of the captioner human.
func readReferences(l *data.Lake) (*referenceTexts, error) {
	r := &referenceTexts{map[string][]string{}, map[string][]string{}, textmetrics.NewCorpus()}
	for image, err := range data.Query[struct {
		ImageID string   `parquet:"image_id"`
		Texts   []string `parquet:"texts"`
		Loaded  []string `parquet:"loaded"`
	}](l, `
		select
			image_id, list(distinct text order by text) as texts,
			coalesce(list(distinct text order by text) filter (where loaded), []) as loaded
		from (
			select image_id, reference as text, false as loaded from battles
			union all select image_id, caption_a, false from battles where captioner_a = $1
			union all select image_id, caption_b, false from battles where captioner_b = $1
			union all select image_id, caption, true from captions where captioner = $1
		)
		where regexp_matches(text, '\S')
		group by image_id
		order by image_id`, arena.Human) {
		if err != nil {
			return nil, err
		}
		r.byImage[image.ImageID], r.loaded[image.ImageID] = image.Texts, image.Loaded
		var tokens [][]string
		for _, text := range image.Texts {
			tokens = append(tokens, textmetrics.Tokens(text))
		}
		r.corpus.Add(tokens...)
	}
	return r, nil
}

// of gives the human captions with which the captions of a battle are compared. A battle without a
// reference is compared with all human captions of the image, from the tables captions and battles.
// If the reference is in the table captions, the battle is compared with all human captions of the
// image in this table, and otherwise only with the reference.
func (r *referenceTexts) of(b *data.Battle) []string {
	switch loaded := r.loaded[b.ImageID]; {
	case strings.TrimSpace(b.Reference) == "":
		return r.byImage[b.ImageID]
	case slices.Contains(loaded, b.Reference):
		return loaded
	}
	return []string{b.Reference}
}

// unscored gives the first reason for leaving a battle out, empty if there is no reason. The reason
// textless comes first, because it alone also excludes metrics without a reference. A person's
// caption is the reference itself, so it would always win.
func (r *referenceTexts) unscored(b *data.Battle) string {
	switch {
	case b.CaptionA == "" || b.CaptionB == "":
		return textless
	case b.CaptionerA == arena.Human || b.CaptionerB == arena.Human:
		return withPerson
	case len(r.of(b)) == 0:
		return unaided
	}
	return ""
}

// scoredNote says how many battles of a set are scored, and why others are not.
func scoredNote(set battleSet, counts map[string]int, references *referenceTexts) string {
	all, left := leftOut(counts, "") // "": every reason is mentioned
	// counts[""] is the number of battles without a reason to leave them out.
	note := fmt.Sprintf("Of the %d battles of %s, %d have a score by the length "+
		"and %d by metrics that need a human caption", all, set.name(), all-counts[textless], counts[""])
	if len(left) > 0 {
		note += "; left out are " + strings.Join(left, ", ")
	}
	if references.corpus.Images() == 1 {
		note += ". There are human captions of one image only: no word is rarer than another, and CIDEr is 0 throughout"
	}
	return note + "."
}

func (c metricUnit) unit(note string) *engine.Unit[data.Battle] {
	return &engine.Unit[data.Battle]{
		Conditions: engine.Conditions{
			Name: conditions(c.Metric.Name, c.Set.name()), Protocol: arena.ProtocolMetric,
			// If there are no items, a run prints only Empty.
			Source: "battles, captions", Simulated: c.Set.Simulated, Note: note, Empty: note,
		},
		Inputs: engine.Inputs{
			// The version changes whenever the same texts get other scores.
			Settings: map[string]any{"metric": c.Metric.Name, "set": c.Set, "version": 1},
			Reads:    []data.AnyTable{data.Battles, data.Captions},
		},
		Items: c.items,
		Rows:  engine.Into("votes", data.Votes, c.rows),
	}
}

// items gives the battles of the set that can be scored.
func (c metricUnit) items(s *engine.Scope, each engine.Each[data.Battle]) error {
	for b, err := range data.Select(s.Lake, data.Battles,
		data.Where{"benchmark": c.Set.Benchmark, "prompt": c.Set.Prompt}) {
		if err != nil {
			return err
		}
		reason := c.references.unscored(&b)
		hasScore := reason == "" || reason != textless && !c.Metric.NeedsReference
		if !hasScore || (b.Provenance == data.ProvenanceSimulated) != c.Set.Simulated {
			continue
		}
		if err := each(b, engine.Keys{Subject: b.BattleID}); err != nil {
			return err
		}
	}
	return nil
}

// rows gives the metric's vote.
func (c metricUnit) rows(b data.Battle, o engine.Outcome) ([]data.Vote, error) {
	references := c.references.of(&b)
	score := func(caption string) *float64 {
		return new(c.Metric.Score(caption, references, c.references.corpus))
	}
	v := data.Vote{
		BattleID: b.BattleID, Judge: c.Metric.Name, JudgeType: arena.JudgeMetric, Protocol: arena.ProtocolMetric,
		ScoreA: score(b.CaptionA), ScoreB: score(b.CaptionB), ImageID: b.ImageID, Provenance: o.Provenance,
	}
	v.Winner = arena.ScoreWinner(*v.ScoreA, *v.ScoreB)
	return []data.Vote{v}, nil
}
