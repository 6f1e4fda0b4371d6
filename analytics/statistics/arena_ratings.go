package statistics

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/analytics/arena"
)

// arenaRatings is the computation of the mart arena_ratings: the captioners of each series by all
// methods. The battles of a series must be together and in their order.
func arenaRatings(ctx context.Context, in arrow.RecordBatch) ([][]any, error) {
	return byKey(ctx, in, 6, func(key []any, battles []arenaBattle) (out [][]any, err error) {
		s := arenaSeriesOf(key, battles)
		for _, method := range arenaMethods {
			if key[4] == "people" && !method.compared {
				continue
			}
			rows, err := s.rate(ctx, method)
			if err != nil {
				return nil, err
			}
			out = append(out, rows...)
		}
		return out, nil
	})
}

// An arenaMethod is a way to rate captioners.
type arenaMethod struct {
	name     string
	elo      bool
	model    arena.Model
	compared bool // judges are compared with people by it
}

var arenaMethods = []arenaMethod{
	{name: "elo", elo: true, compared: true},
	{name: "bradley_terry", compared: true},
	{name: "bradley_terry_weighted", model: arena.Model{Weighted: true}},
	{name: "davidson", model: arena.Model{Ties: true}},
	{name: "style", model: arena.Model{Length: true}},
}

// rate returns the rows of a method.
func (s *arenaSeries) rate(ctx context.Context, m arenaMethod) (rows [][]any, err error) {
	fit := s.tournament.Fit(m.model)
	rated := s.byModel(fit)
	if m.elo {
		if rated, err = s.byElo(ctx, fit); err != nil {
			return nil, err
		}
	}
	effect, margin := arena.PointsApart(fit.Length), arena.PointsApart(fit.Quantile()*fit.LengthSE())
	for i, r := range rated {
		var rank, low, high, first any
		if r.rank > 0 {
			rank = int64(r.rank)
			if r.places.Low > 0 && !math.IsNaN(r.low) {
				low, high, first = int64(r.places.Low), int64(r.places.High), 100*r.places.First
			}
		}
		rows = append(rows, append(slices.Clone(s.key[:5]), m.name, s.captioners[i], s.key[5], s.names[i],
			orNull(r.rating), orNull(r.low), orNull(r.high), orNull(r.se), orNull(r.strength), orNull(r.onePass),
			rank, low, high, first, int64(fit.Battles[i]), orNull(fit.Images), s.samples, int64(r.group),
			orNull(fit.Tie), orNull(effect), orNull(effect-margin), orNull(effect+margin), orNull(fit.Typical), r.note))
	}
	return rows, nil
}

// A ratedCaptioner holds the results of a method for one captioner; NaN for a missing result.
type ratedCaptioner struct {
	rating, se, low, high, strength, onePass float64
	rank, group                              int
	places                                   arena.RankInterval
	note                                     string
}

// byModel rates by the estimates of a likelihood.
func (s *arenaSeries) byModel(fit *arena.Fit) (rated []ratedCaptioner) {
	places := fit.Draw(int(s.samples), uint64(s.seed)).Ranks()
	ranks, q := fit.Ranks(), fit.Quantile()
	for i, strength := range fit.Strengths {
		se, note := fit.SE(i), fit.Note(i)
		if se < 1e-9 { // All battles agree with the rating, so that nothing tells how much other battles would differ.
			se = math.NaN()
			note = strings.TrimPrefix(note+"; all battles agree with the rating, which says nothing of its error; vote on more pairs", "; ")
		}
		rated = append(rated, ratedCaptioner{strength: strength, rating: arena.Points(strength),
			se: arena.PointsApart(se), low: arena.Points(strength - q*se), high: arena.Points(strength + q*se),
			onePass: math.NaN(), rank: ranks[i], group: fit.Groups[i] + 1, places: places[i], note: note})
	}
	return rated
}

// byElo ranks by the median over bootstrap samples, as the released code does. If Elo has not
// arrived, it gives ratings alone, because the samples of the ratings vary as little as the ratings
// have moved. The places are then the places of Bradley and Terry's model.
func (s *arenaSeries) byElo(ctx context.Context, fit *arena.Fit) (rated []ratedCaptioner, err error) {
	draws, err := s.tournament.BootstrapElo(ctx, int(s.samples), uint64(s.seed))
	if err != nil {
		return nil, err
	}
	places := draws.Ranks()
	var ratings []float64
	for i, onePass := range s.tournament.Elo() {
		r := ratedCaptioner{rating: draws.Quantile(i, 0.5), se: draws.Deviation(i), low: draws.Quantile(i, 0.025),
			high: draws.Quantile(i, 0.975), strength: math.NaN(), onePass: onePass, group: 1, places: places[i]}
		rated, ratings = append(rated, r), append(ratings, r.rating)
	}
	ranks := arena.Places(ratings)
	fewest := slices.Min(fit.Battles)
	for i := range rated {
		r := &rated[i]
		r.rank = ranks[i]
		var notes []string
		if apart := fit.Apart(i); apart != "" {
			notes = append(notes, "no chain of wins leads to or from "+apart+"; vote on pairs with them")
		}
		if fewest < arena.EloBattles {
			r.se, r.low, r.high, r.rank = math.NaN(), math.NaN(), math.NaN(), 0
			notes = append(notes,
				fmt.Sprintf("elo takes %d battles of each captioner to come from %.0f to where it stays, and the fewest are %d; see bradley_terry",
					arena.EloBattles, arena.EloStart, fewest))
		}
		r.note = strings.Join(notes, "; ")
	}
	return rated, nil
}
