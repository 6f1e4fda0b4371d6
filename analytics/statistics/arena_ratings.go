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

// arenaRatings is the computation of the mart arena_ratings: it rates the captioners of each series
// by all methods. The battles of a series must follow one another, in the order in which they were
// fought.
func arenaRatings(ctx context.Context, in arrow.RecordBatch) ([][]any, error) {
	// The key has six columns, as arenaSeries.key says.
	return byKey(ctx, in, 6, func(key []any, battles []arenaBattle) (out [][]any, err error) {
		s := arenaSeriesOf(key, battles)
		for _, method := range arenaMethods {
			// Outcomes by people on the battles of a judge only serve to compare the judge with people.
			const source = 4 // the column of key that says who decided the battles
			if key[source] == "people" && !method.compared {
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
	compared bool // judges are compared with people by this method
}

var arenaMethods = []arenaMethod{
	{name: "elo", elo: true, compared: true},
	{name: "bradley_terry", compared: true},
	{name: "bradley_terry_weighted", model: arena.Model{Weighted: true}},
	{name: "davidson", model: arena.Model{Ties: true}},
	{name: "style", model: arena.Model{Length: true}},
}

// rate returns the rows of a method. Elo ranks by the median over bootstrap samples, as the
// released code does. If a captioner has fewer than arena.EloBattles battles, Elo gives ratings but
// no errors and no places: all samples are still near the start, so they vary too little. The other
// methods rate by the estimates of a likelihood.
func (s *arenaSeries) rate(ctx context.Context, m arenaMethod) (rows [][]any, err error) {
	fit := s.tournament.Fit(m.model) // for Elo a fit of Bradley and Terry, which has the counts of battles
	var draws *arena.Draws
	var medians, onePass []float64
	ranks, q, few := fit.Ranks(), fit.Quantile(), slices.Min(fit.Battles) < arena.EloBattles
	if m.elo {
		if draws, err = s.tournament.BootstrapElo(ctx, int(s.samples), uint64(s.seed)); err != nil {
			return nil, err
		}
		for i := range s.captioners {
			medians = append(medians, draws.Quantile(i, 0.5))
		}
		ranks, onePass = arena.Places(medians), s.tournament.Elo()
	} else {
		draws = fit.Draw(int(s.samples), uint64(s.seed))
	}
	places := draws.Ranks()
	effect, margin := arena.PointsApart(fit.Length), arena.PointsApart(q*fit.LengthSE())
	for i, strength := range fit.Strengths {
		se, note, group, unknown := fit.SE(i), fit.Note(i), fit.Groups[i]+1, math.NaN()
		if se < 1e-9 { // All battles agree with the rating, so that nothing tells how much other battles would differ.
			se = unknown
			note = strings.TrimPrefix(
				note+"; all battles agree with the rating, which says nothing of its error; vote on more pairs", "; ")
		}
		// the rating, the ends of its interval, its error, the strength, and Elo's rating of one
		// pass
		numbers := []float64{arena.Points(strength), arena.Points(strength - q*se), arena.Points(strength + q*se),
			arena.PointsApart(se), strength, unknown}
		if m.elo {
			note, group = eloNote(fit, i), 1 // Elo compares all captioners: they are one group.
			numbers = []float64{medians[i], draws.Quantile(i, 0.025), draws.Quantile(i, 0.975), draws.Deviation(i), unknown,
				onePass[i]}
			if few {
				numbers[1], numbers[2], numbers[3], ranks[i] = unknown, unknown, unknown, 0
			}
		}
		var rank, low, high, first any
		if ranks[i] > 0 {
			rank = int64(ranks[i])
			// If the rating has no interval, its samples vary too little to give its places one.
			if place := places[i]; place.Low > 0 && !math.IsNaN(numbers[1]) {
				low, high, first = int64(place.Low), int64(place.High), 100*place.First
			}
		}
		// The last part of the key is the judge's name, which the mart has beside the captioner's name.
		row := append(slices.Clone(s.key[:5]), m.name, s.captioners[i], s.key[5], s.names[i])
		for _, x := range numbers {
			row = append(row, orNull(x))
		}
		rows = append(rows, append(row, rank, low, high, first, int64(fit.Battles[i]), orNull(fit.Images), s.samples,
			int64(group), orNull(fit.Tie), orNull(effect), orNull(effect-margin), orNull(effect+margin),
			orNull(fit.Typical), note))
	}
	return rows, nil
}

// eloNote names the captioners with whom Elo hardly compares a captioner. It also says if some
// captioner of the series has fewer than arena.EloBattles battles.
func eloNote(fit *arena.Fit, captioner int) string {
	var notes []string
	if apart := fit.Apart(captioner); apart != "" {
		notes = append(notes, "no chain of wins leads to or from "+apart+"; vote on pairs with them")
	}
	if fewest := slices.Min(fit.Battles); fewest < arena.EloBattles {
		notes = append(notes,
			fmt.Sprintf("elo takes %d battles of each captioner to come from %.0f to where it stays, "+
				"and the fewest are %d; see bradley_terry", arena.EloBattles, arena.EloStart, fewest))
	}
	return strings.Join(notes, "; ")
}
