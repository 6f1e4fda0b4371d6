package analytics

import (
	"context"
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/analytics/arena"
	"github.com/captionlake/captionlake/data"
)

// NextOptions say which pairs of captioners votes are to be asked for.
type NextOptions struct {
	Prompt      string   // captioners with captions under this prompt take part though they have no battle yet
	NeedCaption bool     // captioners without such captions, people aside, take no part
	Captioners  []string // model_ids of those who take part; none means all
	Count       int      // pairs to draw
	Seed        int64    // of the draw
	Engine      EngineOptions
}

// A NextPair is a pair of captioners that a vote can be asked for.
type NextPair struct {
	CaptionerA  string  `json:"captioner_a"`
	CaptionerB  string  `json:"captioner_b"`
	Battles     int     `json:"battles"`     // of the two that people decided
	WinShare    float64 `json:"win_share"`   // of a in percent, with half a win of each added
	Width       float64 `json:"width"`       // of the 95 % interval of that share, in percent points
	Probability float64 `json:"probability"` // in percent, with which the pair is drawn
	Drawn       int     `json:"drawn"`       // how often it was
}

// NextPairs draws the pairs of captioners to ask the next votes for, as CapArena's section 3.2 does (see arena.NextPairs), from what people
// decided in the battles of the benchmark caparena, and returns all pairs in the order of their names. It builds the mart
// arena_outcomes where votes have come since, so that the lake must be open for writing.
func NextPairs(ctx context.Context, lake *data.Lake, o NextOptions) (pairs []NextPair, err error) {
	models, err := Models()
	if err != nil {
		return nil, err
	}
	if _, err := Build(ctx, lake, needed(models, "arena_outcomes"), RunOptions{Engine: o.Engine}); err != nil {
		return nil, err
	}
	r, err := OpenReader(ctx, lake, o.Engine)
	if err != nil {
		return nil, err
	}
	defer func() {
		if fault := r.Close(); err == nil {
			err = fault
		}
	}()
	captioners, err := r.contestants(ctx, o)
	if err != nil {
		return nil, err
	}
	var battles []arena.Battle
	err = r.Rows(ctx, `select distinct battle_id, captioner_a, captioner_b, people from arena_outcomes where benchmark = 'caparena' and people is not null order by battle_id`,
		func([]string) error { return nil }, func(row []any) error {
			a, hasA := slices.BinarySearch(captioners, row[1].(string))
			b, hasB := slices.BinarySearch(captioners, row[2].(string))
			if hasA && hasB {
				battles = append(battles, arena.Battle{A: int32(a), B: int32(b), Image: int32(len(battles)), Outcome: outcomeOf(row[3].(string))})
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	tournament, err := arena.New(captioners, battles)
	if err != nil {
		return nil, err
	}
	next := tournament.NextPairs()
	for _, p := range next {
		pairs = append(pairs, NextPair{
			CaptionerA: captioners[p.A], CaptionerB: captioners[p.B], Battles: p.Battles, WinShare: 100 * p.Share, Width: 100 * p.Width, Probability: 100 * p.Probability,
		})
	}
	for _, i := range arena.Draw(next, o.Count, uint64(o.Seed)) {
		pairs[i].Drawn++
	}
	return pairs, nil
}

// contestants are the captioners who take part, sorted. It is an error if there are fewer than two, or if one that is named is not there.
func (r *Reader) contestants(ctx context.Context, o NextOptions) ([]string, error) {
	query := "select captioner from captions where caption <> '' and (prompt = " + quote(o.Prompt) + " or captioner = 'human')"
	if !o.NeedCaption {
		query += " union select captioner_a from battles where benchmark = 'caparena' union select captioner_b from battles where benchmark = 'caparena'"
	}
	var all []string
	err := r.Rows(ctx, "select distinct captioner from ("+query+") order by captioner", func([]string) error { return nil }, func(row []any) error {
		all = append(all, row[0].(string))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, c := range o.Captioners {
		if !slices.Contains(all, c) {
			return nil, data.WithHint(fmt.Errorf("%s has no captions under the prompt %s and no battles", c, o.Prompt),
				"see who has: captionlake sql \"select distinct captioner, prompt from captions\"")
		}
	}
	if len(o.Captioners) > 0 {
		all = slices.Sorted(slices.Values(o.Captioners))
	}
	switch have := "battles, or captions"; {
	case len(all) >= 2:
	case len(o.Captioners) > 0:
		return nil, data.WithHint(fmt.Errorf("%s is the only captioner that is named; a pair needs two", all[0]), "name another one with --captioners")
	case o.NeedCaption:
		have = "captions"
		fallthrough
	default:
		return nil, data.WithHint(fmt.Errorf("%d captioners have %s under the prompt %s; a pair needs two", len(all), have, o.Prompt),
			"caption images with another one, name another prompt with --prompt, or load captions or battles with captionlake ingest")
	}
	return all, nil
}

// needed are a model and all that it reads, in building order.
func needed(models []Model, name string) []Model {
	want := map[string]bool{name: true}
	for _, m := range slices.Backward(models) { // inputs come before
		if want[m.Name] {
			for _, input := range m.Inputs {
				want[input] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(models), func(m Model) bool { return !want[m.Name] })
}

// outcomeOf is that of the mart arena_outcomes.
func outcomeOf(text string) arena.Outcome {
	switch text {
	case "a":
		return arena.AWins
	case "b":
		return arena.BWins
	}
	return arena.Tie
}
