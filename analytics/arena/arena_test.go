package arena

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// released are battles in the released form, with the ratings that the released code gives for
// them.
type released struct {
	Battles []struct{ Img, Source1, Source2, Winner string }
	Elo     struct {
		K, Initial, Scale float64
		Ratings           map[string]float64
	}
	BradleyTerry map[string]float64 `json:"bradley_terry_ties_half"`
}

// readReleased reads the parity cases.
func readReleased(t testing.TB) (r released, names []string, battles []Battle) {
	t.Helper()
	must.Succeed(t, json.Unmarshal(must.Read(t, must.Shared(t, "parity/arena.json")), &r))
	for name := range r.Elo.Ratings {
		names = append(names, name)
	}
	slices.Sort(names)
	images := map[string]int32{}
	for _, b := range r.Battles {
		if _, ok := images[b.Img]; !ok {
			images[b.Img] = int32(len(images))
		}
		o := Tie
		switch b.Winner {
		case b.Source1:
			o = AWins
		case b.Source2:
			o = BWins
		}
		battles = append(battles,
			Battle{A: int32(slices.Index(names, b.Source1)), B: int32(slices.Index(names, b.Source2)), Image: images[b.Img],
				Outcome: o, Length: math.NaN()})
	}
	return r, names, battles
}

// The released battles give the ratings of the released code: ratings by one pass of Elo, and
// Bradley and Terry's with ties as half wins and the mean 0.
func TestReleasedRatings(t *testing.T) {
	r, names, battles := readReleased(t)
	if r.Elo.K != EloK || r.Elo.Initial != EloStart || r.Elo.Scale != EloScale {
		t.Errorf("the constants are %v", r.Elo)
	}
	of := New(names, battles)
	for i, rating := range of.Elo() {
		near(t, "Elo of "+names[i], rating, r.Elo.Ratings[names[i]], 1e-9)
	}
	f := of.Fit(Model{})
	for i, s := range f.Strengths {
		near(t, "strength of "+names[i], s, r.BradleyTerry[names[i]], 1e-8)
	}
}

// One pass of Elo by its definition.
func TestEloByDefinition(t *testing.T) {
	battles := simulated{players: 5, images: 2500, votes: 4, spread: 2, tie: 0.7}.battles(1)
	want := make([]float64, 5)
	for i := range want {
		want[i] = 1000
	}
	for _, b := range battles {
		gain := 4 * (float64(b.Outcome)/2 - 1/(1+math.Pow(10, (want[b.B]-want[b.A])/400)))
		want[b.A], want[b.B] = want[b.A]+gain, want[b.B]-gain
	}
	for i, got := range New(playerNames(5), battles).Elo() {
		near(t, "rating", got, want[i], 1e-9)
	}
}

// Drawn values have the shares of the weights, and a weight of 0 is never drawn.
func TestAliases(t *testing.T) {
	weights := []float64{1, 0, 7, 2, 90}
	table := newAliases(weights)
	random := rand.NewPCG(1, 2)
	counts := make([]float64, len(weights))
	for range 1_000_000 {
		counts[table.draw(random.Uint64())]++
	}
	for i, w := range weights {
		near(t, fmt.Sprint("share of ", i), counts[i]/1e6, w/100, 4*math.Sqrt(w/100*(1-w/100)/1e6))
	}
}

// simulated are battles of players whose strengths are spread evenly over a range of log-odds, with
// Davidson's parameter of ties and, where it is not 0, a coefficient of the length difference. The
// battles of an image share a part of their luck, so that each has the chances of the model and
// they are not independent.
type simulated struct {
	players, images, votes    int
	spread, tie, luck, length float64
}

func (s simulated) strengths() []float64 {
	out := make([]float64, s.players)
	for i := range out {
		out[i] = s.spread * (0.5 - float64(i)/float64(max(1, s.players-1)))
	}
	return out
}

func (s simulated) battles(seed uint64) []Battle {
	random := rand.New(rand.NewPCG(seed, 1))
	strengths := s.strengths()
	var battles []Battle
	for image := range s.images {
		shared := random.Float64()
		for range s.votes {
			a := random.IntN(s.players)
			b := (a + 1 + random.IntN(s.players-1)) % s.players
			if a > b { // so that the shared luck goes to the players who come first
				a, b = b, a
			}
			x := 0.0
			if s.length != 0 {
				x = random.NormFloat64() / 4
				x = max(-1, min(1, x))
			}
			d := strengths[a] - strengths[b] + s.length*x*4
			win, loss := math.Exp(d/2), math.Exp(-d/2)
			u := random.Float64()
			if random.Float64() < s.luck {
				u = shared
			}
			o := Tie
			switch u *= win + loss + s.tie; {
			case u < win:
				o = AWins
			case u >= win+s.tie:
				o = BWins
			}
			battles = append(battles, Battle{A: int32(a), B: int32(b), Image: int32(image), Outcome: o, Length: x})
		}
	}
	return battles
}

func playerNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("p%02d", i)
	}
	return names
}

// Same seed, same draws, on one thread and on many; another seed gives others. The median of Elo's
// draws is near the rating of one pass.
func TestDrawsDoNotDependOnThreads(t *testing.T) {
	of := New(playerNames(6),
		simulated{players: 6, images: 100, votes: 3, spread: 2, tie: 0.5, luck: 0.3, length: 0.3}.battles(3))
	draw := func(threads int, seed uint64) (all []float64) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		d := must.Get(of.BootstrapElo(t.Context(), 50, seed))(t)
		all = append(all, d.ratings...)
		for _, m := range []Model{{}, {Weighted: true}, {Ties: true}, {Length: true}, {Ties: true, Length: true}} {
			all = append(all, of.Fit(m).Draw(50, seed).ratings...)
		}
		return all
	}
	one := draw(1, 7)
	expect.Equal(t, one, draw(4, 7), "four threads give other draws than one")
	expect.Equal(t, slices.Equal(one, draw(2, 8)), false, "another seed gives the same draws")
	expect.Equal(t, slices.ContainsFunc(one, math.IsNaN), false, "a sample has no rating")
}

// Draws are around the estimates and vary by the errors: 1500 degrees of freedom hardly differ from
// all.
func TestDrawsVaryByTheErrors(t *testing.T) {
	for _, m := range []Model{{}, {Ties: true}} {
		f := New(playerNames(5),
			simulated{players: 5, images: 1500, votes: 2, spread: 1.5, tie: 0.5, luck: 0.4}.battles(5)).Fit(m)
		d := f.Draw(4000, 1)
		for i := range 5 {
			near(t, fmt.Sprintf("%+v: deviation over error of %d", m, i), d.Deviation(i)/f.SE(i), 1, 0.05)
			near(t, fmt.Sprintf("%+v: median of %d", m, i), d.Quantile(i, 0.5), f.Strengths[i], 0.1*f.SE(i))
		}
	}
}

// Ranks by hand over four samples of three players; b and c share the second place in one.
func TestRanksByHand(t *testing.T) {
	d := newDraws(3, 4, []int{0, 0, 0}, []int{0, 0, 0})
	copy(d.ratings, []float64{3, 2, 1, 3, 1, 1, 1, 2, 3, 3, 2, 1})
	for i, want := range []string{"1 3 0.75", "2 2 0", "1 3 0.25"} {
		expect.Equal(t, strings.Trim(fmt.Sprint(d.Ranks()[i]), "{}"), want, i)
	}
	expect.Equal(t, d.Quantile(0, 0.5), 3)
	expect.Equal(t, d.Deviation(0), 1)
	expect.Equal(t, fmt.Sprint(Places([]float64{5, 9, math.NaN(), 5})), "[2 1 0 2]")
}

func TestDegenerate(t *testing.T) {
	names := []string{"a", "b", "c"}
	chain := times(times(nil, 2, 0, 1, AWins), 2, 1, 2, AWins) // a beat b, b beat c, always
	apart := times(times(nil, 3, 0, 1, Tie), 1, 0, 1, AWins)   // c has no battle
	for _, c := range []struct {
		name    string
		names   []string
		battles []Battle
		model   Model
		want    string // strengths, ranks, and the note of each
	}{
		{"no battle", names, nil, Model{}, "[NaN NaN NaN] [0 0 0] | no battle | no battle | no battle"},
		{"one player", names[:1], nil, Model{}, "[NaN] [0] | no battle"},
		{"no player", nil, nil, Model{}, "[] []"},
		{"one battle", names[:2], times(nil, 1, 0, 1, AWins), Model{},
			"[NaN NaN] [1 2] | no two of them have each scored against the other, in a chain of battles; " +
				"vote on more pairs | no two of them have each scored against the other, in a chain of battles; vote on more " +
				"pairs"},
		{"one tie", names[:2], times(nil, 1, 0, 1, Tie), Model{}, "[0.000 0.000] [1 1] |  | "},
		{"all ties", names[:2], times(nil, 9, 0, 1, Tie), Model{Ties: true},
			"[NaN NaN] [0 0]" + strings.Repeat(" | "+Model{Ties: true}.endless(), 2)},
		{"no ties", names[:2], times(times(nil, 3, 0, 1, AWins), 1, 0, 1, BWins), Model{Ties: true},
			"[0.549 -0.549] [1 2] |  | "},
		{"ties of neighbours", names, times(times(times(nil, 1, 0, 1, Tie), 1, 1, 2, Tie), 1, 0, 2, AWins),
			Model{Ties: true}, "[NaN NaN NaN] [0 0 0] | " +
				strings.Repeat(" | "+Model{Ties: true}.endless(), 3)[3:]},
		{"never loses", names, times(times(times(nil, 2, 0, 1, AWins), 1, 1, 2, AWins), 1, 2, 1, AWins), Model{},
			"[NaN 0.000 0.000] [1 2 2] | " +
				"no rating fits: b, c never scored against it; vote on more pairs with it" +
				strings.Repeat(" | its group never scored against a; the rating compares within the group alone; vote on more "+
					"such pairs", 2)},
		// 2/(1 + exp(-x)) + 1/(1 + exp(-2x)) = 2.5
		{"a chain", names, append(chain, times(nil, 1, 0, 2, Tie)...), Model{},
			"[1.295 0.000 -1.295] [1 2 3] |  |  | "},
		{"between", names, append(times(times(nil, 1, 0, 1, AWins), 1, 1, 2, AWins), times(nil, 1, 0, 2, AWins)...),
			Model{}, "[NaN NaN NaN] [1 2 3] | " +
				strings.Repeat(" | no two of them have each scored against the other, in a chain of battles; vote on more "+
					"pairs", 3)[3:]},
		{"apart", names, apart, Model{},
			"[0.255 -0.255 NaN] [0 0 0] | no chain of wins leads to or from c; the rating compares within the group alone; " +
				"vote on more such pairs | " +
				"no chain of wins leads to or from c; the rating compares within the group alone; vote on more such pairs | no " +
				"battle; vote on pairs with it"},
		{"no lengths", names[:2], times(nil, 2, 0, 1, Tie), Model{Length: true},
			"[NaN NaN] [0 0] | no battle has the lengths of both captions | no battle has the lengths of both captions"},
		{"the longer wins", names[:2],
			[]Battle{{A: 0, B: 1, Image: 0, Outcome: AWins, Length: 0.2},
				{A: 0, B: 1, Image: 1, Outcome: BWins, Length: -0.1}}, Model{Length: true},
			"[NaN NaN] [0 0]" +
				strings.Repeat(" | the length differences alone explain every outcome, or do not vary, so that their "+
					"coefficient has no finite estimate; vote on more pairs", 2)},
	} {
		of := New(c.names, c.battles)
		f := of.Fit(c.model)
		var text []string
		for _, s := range f.Strengths {
			text = append(text, strings.Replace(fmt.Sprintf("%.3f", s), "-0.000", "0.000", 1))
		}
		got := fmt.Sprint(text, " ", f.Ranks())
		for i := range c.names {
			got += " | " + f.Note(i)
		}
		expect.Equal(t, got, c.want, c.name)
		d := f.Draw(20, 1)
		for i, s := range f.Strengths {
			if q := d.Quantile(i, 0.5); d.Samples() > 0 && math.IsNaN(q) != math.IsNaN(s) || math.IsInf(q, 0) {
				t.Errorf("%s: the median of %d is %v", c.name, i, q)
			}
		}
		must.Get(of.BootstrapElo(t.Context(), 3, 1))(t)
	}
	// Battles of one image tell nothing of others: estimates without errors.
	f := New(names[:2], []Battle{{A: 0, B: 1, Outcome: AWins}, {A: 0, B: 1, Outcome: BWins}}).Fit(Model{})
	if f.Strengths[0] != 0 || !math.IsNaN(f.SE(0)) || !math.IsNaN(f.Quantile()) {
		t.Errorf("one image: %v, error %v, quantile %v", f.Strengths, f.SE(0), f.Quantile())
	}
}

// A shuffle of the battles, and each the other way round, change no estimate of a model that knows
// no order.
func TestEstimatesAreSymmetric(t *testing.T) {
	s := simulated{players: 6, images: 150, votes: 4, spread: 2, tie: 0.6, luck: 0.2, length: 0.4}
	battles := s.battles(11)
	turned := slices.Clone(battles)
	random := rand.New(rand.NewPCG(1, 1))
	random.Shuffle(len(turned), func(i, j int) { turned[i], turned[j] = turned[j], turned[i] })
	for i := range turned {
		b := &turned[i]
		if i%2 == 0 {
			b.A, b.B, b.Outcome, b.Length = b.B, b.A, AWins-b.Outcome, -b.Length
		}
	}
	for _, m := range []Model{{}, {Weighted: true}, {Ties: true}, {Length: true}, {Ties: true, Length: true}} {
		f, g := New(playerNames(6), battles).Fit(m), New(playerNames(6), turned).Fit(m)
		for i := range 6 {
			near(t, fmt.Sprintf("%+v", m), g.Strengths[i], f.Strengths[i], 1e-9)
			near(t, fmt.Sprintf("error of %+v", m), g.SE(i), f.SE(i), 1e-9)
		}
		if m.Length {
			near(t, "coefficient", g.Length, f.Length, 1e-9)
		}
	}
}

func TestLengthDifference(t *testing.T) {
	for _, c := range [][3]float64{{30, 10, 0.5}, {10, 30, -0.5}, {5, 0, 1}, {0, 0, math.NaN()}, {-1, 5, math.NaN()},
		{math.NaN(), 5, math.NaN()}} {
		if got := LengthDifference(c[0], c[1]); got != c[2] && !(math.IsNaN(got) && math.IsNaN(c[2])) {
			t.Errorf("%v and %v differ by %v, want %v", c[0], c[1], got, c[2])
		}
	}
}
