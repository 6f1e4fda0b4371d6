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
// methods. It takes the rows that arenaSeriesOf reads.
func arenaRatings(ctx context.Context, in arrow.RecordBatch) ([][]any, error) {
	return arenaSeriesOf(ctx, in, func(s *arenaSeries) (out [][]any, err error) {
		for _, method := range arenaMethods {
			if s.key[4] == "people" && !method.compared {
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
func (s *arenaSeries) rate(ctx context.Context, m arenaMethod) ([][]any, error) {
	fit := s.tournament.Fit(m.model)
	if m.elo {
		return s.rateElo(ctx, m, fit)
	}
	places := fit.Draw(int(s.samples), uint64(s.seed)).Ranks()
	ranks, q := fit.Ranks(), fit.Quantile()
	effect, margin := arena.PointsApart(fit.Length), arena.PointsApart(q*fit.LengthSE())
	var rows [][]any
	for i := range s.captioners {
		strength, se := fit.Strengths[i], fit.SE(i)
		r := ratedCaptioner{strength: strength, rating: arena.Points(strength), onePass: math.NaN(), rank: ranks[i],
			group: fit.Groups[i] + 1, note: fit.Note(i), places: places[i]}
		if se < 1e-9 { // All battles agree with the rating, so that nothing tells how much other battles would differ.
			se = math.NaN()
			r.note = strings.TrimPrefix(r.note+"; all battles agree with the rating, which says nothing of its error; vote on more pairs", "; ")
		}
		r.se, r.low, r.high = arena.PointsApart(se), arena.Points(strength-q*se), arena.Points(strength+q*se)
		row := s.row(m, fit, i, r)
		rows = append(rows,
			append(row, orNull(fit.Tie), orNull(effect), orNull(effect-margin), orNull(effect+margin),
				orNull(fit.Typical), r.note))
	}
	return rows, nil
}

// rateElo ranks by the median over bootstrap samples, as the released code does. If Elo has not
// arrived, it gives ratings alone, because the samples of the ratings vary as little as the ratings
// have moved. The places are then the places of Bradley and Terry's model.
func (s *arenaSeries) rateElo(ctx context.Context, m arenaMethod, fit *arena.Fit) ([][]any, error) {
	draws, err := s.tournament.BootstrapElo(ctx, int(s.samples), uint64(s.seed))
	if err != nil {
		return nil, err
	}
	onePass, places := s.tournament.Elo(), draws.Ranks()
	ratings := make([]float64, len(s.captioners))
	for i := range ratings {
		ratings[i] = draws.Quantile(i, 0.5)
	}
	ranks := arena.Places(ratings)
	fewest := slices.Min(append(slices.Clone(fit.Battles), math.MaxInt))
	var rows [][]any
	for i := range s.captioners {
		r := ratedCaptioner{
			rating: ratings[i], se: draws.Deviation(i), low: draws.Quantile(i, 0.025), high: draws.Quantile(i, 0.975),
			strength: math.NaN(),
			onePass:  onePass[i], rank: ranks[i], group: 1, places: places[i],
		}
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
		rows = append(rows, append(s.row(m, fit, i, r), nil, nil, nil, nil, nil, r.note))
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

// row begins the row of a captioner with the columns that all methods have.
func (s *arenaSeries) row(m arenaMethod, fit *arena.Fit, i int, r ratedCaptioner) []any {
	var rank, low, high, first any
	if r.rank > 0 {
		rank = int64(r.rank)
		if r.places.Low > 0 && !math.IsNaN(r.low) {
			low, high, first = int64(r.places.Low), int64(r.places.High), 100*r.places.First
		}
	}
	return append(slices.Clone(s.key[:5]), m.name, s.captioners[i], s.key[5], s.names[i], orNull(r.rating),
		orNull(r.low), orNull(r.high), orNull(r.se),
		orNull(r.strength), orNull(r.onePass), rank, low, high, first, int64(fit.Battles[i]),
		orNull(fit.Images), s.samples, int64(r.group))
}
