package ingest

import (
	"context"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
)

// arenaAutoFormat reads what CapArena-Auto's judge made of one captioner's captions against the baselines' (CapArena section 5):
//
//	[{"img": "test_01258.jpg", "source1": "Model-Test", "source2": "GPT-4o-0806", "caption1": "…", "caption2": "…",
//	  "ref": "…", "ref_model": "GPT-4o-0806", "judge": "Caption 2 is better.", "judge_reason": "…"}, …]
//
// ref is the human caption, and ref_model the captioner that is the baseline of the image. A battle's caption a is that of the
// captioner tested and b the baseline's; which of them the judge saw first is the vote's position. The judge is --reader, with the
// human caption.
func arenaAutoFormat() Format {
	return Format{
		Name:    "caparena-auto",
		What:    "battles of CapArena-Auto against its baselines with the judge's votes, as a JSON list",
		Version: "1",
		Detect: func(_ Source, head []byte) bool {
			keys := firstOfList(head)
			return keys["img"] && keys["source1"] && keys["source2"] && keys["ref_model"]
		},
		Unit: func(s Source, o Options) (string, error) {
			judge, err := autoJudge(s, o)
			return arenaUnit(s, judge.id), err
		},
		Load: func(ctx context.Context, j *Job) error {
			judge, err := autoJudge(j.Source, j.Options)
			if err != nil {
				return err
			}
			return loadBattles(ctx, j, data.BenchmarkCapArenaAuto, judge, (*battleFields).baselineSecond)
		},
	}
}

func autoJudge(s Source, o Options) (arenaJudge, error) {
	if o.Reader == "" {
		return arenaJudge{}, missing(s, "which model judged", "name it with --reader, such as --reader GPT-4o, the paper's judge")
	}
	return newArenaJudge(o.Reader, true)
}

// baselineSecond makes the baseline's caption the battle's second.
func (b *battleFields) baselineSecond() bool {
	n, ok := b.value.field("ref_model")
	switch {
	case !ok || n.kind != kindString:
		b.report(n.at, "the battle does not say which captioner is the baseline: add \"ref_model\" with its name")
	case n.text == b.source[1]:
	case n.text == b.source[0]:
		b.captioner[0], b.captioner[1] = b.captioner[1], b.captioner[0]
		b.caption[0], b.caption[1] = b.caption[1], b.caption[0]
		b.shown = arena.PositionBA
	default:
		b.report(n.at, "the baseline %q is neither source1 nor source2: correct it", clip(n.text))
	}
	return b.ok
}
