package ingest

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
)

// arenaAnnotationsFormat reads battles with the votes of people, and of a judge where there is one:
//
//	[{"img": "test_00303.jpg", "source1": "GPT-4o-0806", "source2": "human", "caption1": "…", "caption2": "…",
//	  "ref": "…", "winner": "GPT-4o-0806", "cluster": "level 4", "judge": "Caption 1 is better.", "judge_reason": "…"}, …]
//
// The winner is one of the two captioners, or tie, equal, tie (bothbad) or skipped; without one the battle waits for votes. All
// but img and the two captioners may be absent; captions come in pairs. Where people annotate under their own names, annotator
// names who, and seconds how long it took. Several files may have the same battles, as the released list and those of its judges
// have: the lake has each battle once, whichever file came first.
//
// Files do not name their judge: it is --reader, or that of a released file's name.
func arenaAnnotationsFormat() Format {
	return Format{
		Name:    "caparena-annotations",
		What:    "battles of CapArena with the votes of people, and of one judge, that of --reader, as a JSON list",
		Version: "1",
		Detect: func(_ Source, head []byte) bool {
			keys := firstOfList(head)
			return keys["img"] && keys["source1"] && keys["source2"] && !keys["ref_model"]
		},
		Unit: func(s Source, o Options) (string, error) {
			judge, err := annotationJudge(s, o)
			return arenaUnit(s, judge.id), err
		},
		Load: func(ctx context.Context, j *Job) error {
			judge, err := annotationJudge(j.Source, j.Options)
			if err != nil {
				return err
			}
			return loadBattles(ctx, j, data.BenchmarkCapArena, judge, func(b *battleFields) bool { return true })
		},
	}
}

// releasedJudges are the judges of the files of the release, by how the names of the files end.
var releasedJudges = map[string]string{"eval_gpt": "GPT-4o", "eval_gpt_ref": "GPT-4o (with ref)"}

// annotationJudge is the judge whose votes the file has beside those of people; its id is empty where nothing names it.
func annotationJudge(s Source, o Options) (arenaJudge, error) {
	stem := strings.TrimSuffix(s.base(), path.Ext(s.base()))
	name := o.Reader
	for ending, released := range releasedJudges {
		if name == "" && strings.HasSuffix(stem, ending) {
			name = released
		}
	}
	if name == "" {
		return arenaJudge{}, nil
	}
	return newArenaJudge(name, strings.HasSuffix(stem, "_ref"))
}

// An arenaJudge is the judge of a file's judge texts.
type arenaJudge struct {
	id, kind, protocol string
}

// newArenaJudge finds a judge by its name. Judges that are models get the human caption where their name says "with ref" or the
// file does.
func newArenaJudge(name string, reference bool) (arenaJudge, error) {
	id, err := data.ModelIDFor(name)
	if err != nil {
		return arenaJudge{}, err
	}
	models, err := data.Registry()
	if err != nil {
		return arenaJudge{}, err
	}
	m, _ := models.Resolve(name, "")
	switch {
	case m.ModelType == data.ModelMetric:
		return arenaJudge{id, arena.JudgeMetric, arena.ProtocolMetric}, nil
	case m.ModelType == data.ModelHuman:
		return arenaJudge{}, data.WithHint(fmt.Errorf("the judge %q is people, whose votes are winners", name), "name the model or metric that gave the judge texts with --reader")
	case reference || strings.Contains(strings.ToLower(name), "with ref"):
		return arenaJudge{id, arena.JudgeModel, arena.ProtocolBattleReference}, nil
	}
	return arenaJudge{id, arena.JudgeModel, arena.ProtocolBattle}, nil
}

// arenaUnit names a unit of battles or votes after the file, its folder and the judge.
func arenaUnit(s Source, judge string) string {
	stem := strings.TrimSuffix(s.base(), path.Ext(s.base()))
	return bankUnit(s, stem, Options{Domain: cmp.Or(judge, "")})
}
