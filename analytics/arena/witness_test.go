package arena

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/captionlake/captionlake/data/expect"
)

// citations are Stigler's counts of citations between journals of statistics (Statistical Science
// 9, 1994). They are an example in Agresti (Categorical Data Analysis, 2002, page 448) and in the R
// packages BradleyTerry2 and BradleyTerryScalable: the cited journal wins.
var citations = struct {
	names []string
	wins  [][]int
}{
	[]string{"Biometrika", "Comm Statist", "JASA", "JRSS-B"},
	[][]int{{0, 730, 498, 221}, {33, 0, 68, 17}, {320, 813, 0, 142}, {284, 276, 325, 0}},
}

// baseball are the games of the seven teams of the American League's Eastern Division in 1987
// (Agresti 2002, page 438).
var baseball = struct {
	names []string
	home  [][]int // home[i][j]: games that i won at home against j
	away  [][]int // away[i][j]: games that i lost at home against j
}{
	[]string{"Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"},
	[][]int{
		{0, 4, 4, 4, 6, 4, 6}, {3, 0, 4, 4, 6, 6, 4}, {2, 4, 0, 2, 4, 4, 6}, {3, 5, 2, 0, 4, 4, 6}, {5, 2, 3, 4, 0, 5,
			6}, {2, 3, 3, 4, 4, 0, 2},
		{2, 1, 1, 2, 1, 3, 0},
	},
	[][]int{
		{0, 3, 2, 3, 1, 2, 0}, {3, 0, 2, 3, 0, 1, 3}, {5, 3, 0, 4, 3, 2, 0}, {3, 1, 5, 0, 3, 2, 1}, {1, 5, 3, 2, 0, 2,
			0}, {5, 3, 4, 3, 2, 0, 4},
		{5, 5, 6, 4, 6, 4, 0},
	},
}

// puddings are Davidson's comparisons of six brands of chocolate pudding (Journal of the American
// Statistical Association 65, 1970, example 2; the R package PlackettLuce): brands i and j, wins of
// i, wins of j, ties.
var puddings = [][5]int{
	{1, 2, 19, 22, 16}, {1, 3, 16, 19, 12}, {2, 3, 19, 19, 10}, {1, 4, 18, 23, 13}, {2, 4, 23, 19, 9}, {3, 4, 19, 20,
		15}, {1, 5, 13, 19, 18},
	{2, 5, 16, 20, 12}, {3, 5, 16, 15, 17}, {4, 5, 17, 14, 16}, {1, 6, 18, 21, 12}, {2, 6, 22, 20, 12}, {3, 6, 13, 18,
		10}, {4, 6, 14, 19, 18},
	{5, 6, 11, 21, 12},
}

// times are n battles, each of an image of its own.
func times(to []Battle, n, a, b int, o Outcome) []Battle {
	for range n {
		to = append(to, Battle{A: int32(a), B: int32(b), Image: int32(len(to)), Outcome: o, Length: math.NaN()})
	}
	return to
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	expect.Between(t, got, want-within, want+within, what)
}

func citationBattles() (battles []Battle) {
	for i, row := range citations.wins {
		for j, n := range row {
			battles = times(battles, n, i, j, AWins)
		}
	}
	return battles
}

// Agresti and BradleyTerry2 print -2.949, -0.480 and 0.269 with Biometrika as the reference.
// BradleyTerryScalable prints the estimates with the mean 0, their covariance with JASA as the
// reference, and the chances, but stops after two rounds of its method, so that only two or three
// digits are the maximum's.
func TestCitations(t *testing.T) {
	f := New(citations.names, citationBattles()).Fit(Model{})
	for i, want := range []float64{0.7897537, -2.1597241, 0.3095638, 1.0604065} {
		near(t, citations.names[i], f.Strengths[i], want, 2e-3)
	}
	for i, want := range []float64{0, -2.949, -0.480, 0.269} {
		near(t, citations.names[i]+" less Biometrika", f.Strengths[i]-f.Strengths[0], want, 5e-4)
	}
	v := contrasts(f, 2)
	for _, c := range []struct {
		i, j int
		want float64
	}{{3, 3, 0.005323938}, {3, 0, 0.001988435}, {3, 1, 0.001172936}, {0, 0, 0.003671841}, {0, 1, 0.001396292}, {1, 1,
		0.009638953}} {
		near(t, "covariance of "+citations.names[c.i]+" and "+citations.names[c.j], v(c.i, c.j), c.want, 5e-6)
	}
	for _, c := range []struct {
		i, j int
		want float64
	}{{3, 0, 0.5672532}, {3, 2, 0.67936229}, {3, 1, 0.9615848}, {0, 2, 0.61779270}, {0, 1, 0.9502388}, {2, 1,
		0.9219605}, {1, 3, 0.03841516}} {
		near(t, citations.names[c.i]+" beats "+citations.names[c.j], 1/(1+math.Exp(f.Strengths[c.j]-f.Strengths[c.i])),
			c.want, 1e-3)
	}
}

// contrasts are the model's covariances of the differences to a reference.
func contrasts(f *Fit, reference int) func(i, j int) float64 {
	at := f.inverse.At
	return func(i, j int) float64 {
		return at(i, j) - at(i, reference) - at(reference, j) + at(reference, reference)
	}
}

func baseballBattles(homeIsA bool) (battles []Battle) {
	for i := range baseball.names {
		for j := range baseball.names {
			battles = times(battles, baseball.home[i][j], i, j, AWins)
			battles = times(battles, baseball.away[i][j], i, j, BWins)
		}
	}
	for i := range battles {
		if homeIsA {
			battles[i].Length = 1
		}
	}
	return battles
}

// BradleyTerry2 prints these with Baltimore as the reference, and Agresti's Table 10.11 has them
// with two digits and says that the standard errors are about 0.3. With the advantage of playing at
// home, which is a covariate that is 1 for A, Agresti has the coefficient
// 0.302 and the teams' shares of the sum of exp(strength).
func TestBaseball(t *testing.T) {
	f := New(baseball.names, baseballBattles(false)).Fit(Model{})
	for i, want := range []float64{1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0} {
		near(t, baseball.names[i], f.Strengths[i]-f.Strengths[6], want, 5e-5)
		if i < 6 {
			near(t, "standard error of "+baseball.names[i], math.Sqrt(contrasts(f, 6)(i, i)), 0.3, 0.05)
		}
	}
	f = New(baseball.names, baseballBattles(true)).Fit(Model{Length: true})
	near(t, "home advantage", f.Length, 0.302, 5e-4)
	sum := 0.0
	for _, s := range f.Strengths {
		sum += math.Exp(s)
	}
	for i, want := range []float64{0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044} {
		near(t, "share of "+baseball.names[i], math.Exp(f.Strengths[i])/sum, want, 5e-4)
	}
}

func puddingBattles() (battles []Battle) {
	for _, p := range puddings {
		battles = times(battles, p[2], p[0]-1, p[1]-1, AWins)
		battles = times(battles, p[3], p[0]-1, p[1]-1, BWins)
		battles = times(battles, p[4], p[0]-1, p[1]-1, Tie)
	}
	return battles
}

var brands = []string{"1", "2", "3", "4", "5", "6"}

// PlackettLuce prints the worths and the parameter of ties as in Davidson's paper, where the method
// stops after seven rounds, so that the last digits are not the maximum's, and standard errors with
// brand 1 as the reference. Its parameter of ties belongs to a choice of three: a tie is as tie √(a
// b).
func TestPuddings(t *testing.T) {
	f := New(brands, puddingBattles()).Fit(Model{Ties: true})
	sum := 0.0
	for _, s := range f.Strengths {
		sum += math.Exp(s)
	}
	for i, want := range []float64{0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855} {
		near(t, "worth of brand "+brands[i], math.Exp(f.Strengths[i])/sum, want, 5e-5)
	}
	near(t, "v", f.Tie, 0.7468147, 2e-5)
	near(t, "standard error of log v", math.Sqrt(f.inverse.At(6, 6)), 0.0825, 5e-5)
	for i, want := range []float64{0, 0.1872168, 0.1935181, 0.1882110, 0.1927043, 0.1924059} {
		near(t, "standard error of brand "+brands[i], math.Sqrt(contrasts(f, 0)(i, i)), want, 2e-5)
	}
	for i, want := range []float64{0.121949, 0.121818, 0.126823, 0.122003, 0.127054, 0.126594} {
		near(t, "standard error of centred brand "+brands[i], math.Sqrt(f.inverse.At(i, i)), want, 2e-5)
	}
}

// toy is the example of BradleyTerryScalable for a graph that is not strongly connected; D is a
// tie, half a win of each.
var toy = []struct {
	a, b    string
	outcome Outcome
}{
	{"Cyd", "Amy", AWins}, {"Amy", "Ben", Tie}, {"Ben", "Eve", BWins}, {"Cyd", "Dan", BWins}, {"Ben", "Dan", Tie},
	{"Dan", "Eve", BWins},
	{"Fin", "Eve", BWins}, {"Fin", "Gal", BWins}, {"Fin", "Han", BWins}, {"Eve", "Gal", AWins}, {"Fin", "Gal", Tie},
	{"Han", "Gal", AWins},
	{"Han", "Gal", BWins}, {"Amy", "Dan", AWins}, {"Cyd", "Amy", AWins}, {"Ben", "Dan", Tie}, {"Dan", "Amy", BWins},
}

var toyNames = []string{"Amy", "Ben", "Cyd", "Dan", "Eve", "Fin", "Gal", "Han"}

// The package prints three components: Eve alone, {Han, Gal, Fin} and {Cyd, Amy, Ben, Dan}, with
// estimates and standard errors of the latter two, each with the mean 0, to the three digits that
// its early stop leaves.
func TestComponents(t *testing.T) {
	var battles []Battle
	for _, b := range toy {
		battles = times(battles, 1, slices.Index(toyNames, b.a), slices.Index(toyNames, b.b), b.outcome)
	}
	f := New(toyNames, battles).Fit(Model{})
	for i, want := range []float64{0.03250119, -0.24307179, 0.59239992, -0.38182932, math.NaN(), -1.10817768,
		0.41253614, 0.69564153} {
		if math.IsNaN(want) {
			if !math.IsNaN(f.Strengths[i]) || !math.IsNaN(f.SE(i)) || f.Ranks()[i] != 1 {
				t.Errorf("%s has %v", toyNames[i], f.Strengths[i])
			}
			continue
		}
		near(t, toyNames[i], f.Strengths[i], want, 2e-3)
	}
	for i, want := range []float64{0.6990438, 0.9443103, 0.9905958, 0.7124240, 0, 1.0499275, 0.7675914, 0.9110076} {
		if want > 0 {
			near(t, "standard error of "+toyNames[i], math.Sqrt(f.inverse.At(i, i)), want, 5e-4)
		}
	}
	for i, want := range map[int]string{
		4: "no rating fits: Amy, Ben, Cyd and 4 more never scored against it; vote on more pairs with it",
		0: "its group never scored against Eve; no chain of wins leads to or from Fin, Gal, Han; the rating compares " +
			"within the group alone; vote on more such pairs",
	} {
		expect.Equal(t, f.Note(i), want, toyNames[i])
	}
	if a, b := f.Groups[0], f.Groups[6]; a == b || f.Above[0] != -1 {
		t.Errorf("Amy and Gal: groups %d and %d, %d above", a, b, f.Above[0])
	}
}

// minorize is another estimator: Hunter's MM algorithm (Annals of Statistics 32, 2004) over a
// matrix of wins.
func minorize(wins [][]float64) []float64 {
	n := len(wins)
	worth := make([]float64, n)
	for i := range worth {
		worth[i] = 1
	}
	for range 200_000 {
		moved := 0.0
		for i := range n {
			var won, sum float64
			for j := range n {
				won += wins[i][j]
				if i != j {
					sum += (wins[i][j] + wins[j][i]) / (worth[i] + worth[j])
				}
			}
			moved = max(moved, math.Abs(won/sum/worth[i]-1))
			worth[i] = won / sum
		}
		if moved < 1e-14 {
			break
		}
	}
	mean := 0.0
	for i := range worth {
		worth[i] = math.Log(worth[i])
		mean += worth[i] / float64(n)
	}
	for i := range worth {
		worth[i] -= mean
	}
	return worth
}

// Newton's method and MM agree on the examples, weighted and not.
func TestTwoEstimatorsAgree(t *testing.T) {
	for name, c := range map[string]struct {
		names   []string
		battles []Battle
	}{"citations": {citations.names, citationBattles()}, "baseball": {baseball.names, baseballBattles(false)},
		"puddings": {brands, puddingBattles()}} {
		for _, weighted := range []bool{false, true} {
			n := len(c.names)
			wins := make([][]float64, n)
			for i := range wins {
				wins[i] = make([]float64, n)
			}
			for _, b := range c.battles {
				wins[b.A][b.B] += float64(b.Outcome) / 2
				wins[b.B][b.A] += 1 - float64(b.Outcome)/2
			}
			for i := range n {
				for j := range i {
					if met := wins[i][j] + wins[j][i]; weighted && met > 0 {
						p := met / float64(len(c.battles))
						wins[i][j] /= p
						wins[j][i] /= p
					}
				}
			}
			f := New(c.names, c.battles).Fit(Model{Weighted: weighted})
			for i, want := range minorize(wins) {
				near(t, name+" "+c.names[i], f.Strengths[i], want, 1e-9)
			}
		}
	}
}

// Where each image has one battle and the model holds, the sandwich is near the inverse
// information; it is the same for battles of one image twice over as for that image once, where the
// inverse information halves.
func TestSandwich(t *testing.T) {
	battles := citationBattles()
	f := New(citations.names, battles).Fit(Model{})
	for i := range citations.names {
		near(t, "sandwich of "+citations.names[i], f.SE(i)/math.Sqrt(f.inverse.At(i, i)), 1, 0.05)
	}
	g := New(citations.names, slices.Concat(battles, battles)).Fit(Model{})
	n := float64(len(battles))
	correction := math.Sqrt((2*n - 1) / (2*n - 3) * (n - 3) / (n - 1))
	for i := range citations.names {
		near(t, "clustered error of "+citations.names[i], g.SE(i), f.SE(i)*correction, 1e-9)
		near(t, "information of "+citations.names[i], g.inverse.At(i, i), f.inverse.At(i, i)/2, 1e-9)
	}
	expect.Equal(t, g.Images, n)
	var sum mat.Dense
	sum.Mul(f.sandwich, mat.NewDense(4, 1, []float64{1, 1, 1, 1}))
	near(t, "sum of the covariances", mat.Norm(&sum, 2), 0, 1e-12)
}

// By hand: two players, A won 3 of 4. The strengths are ±ln 3 / 2. With the chance p = 3/4 the
// information of the difference is
// 4 p (1 - p) = 3/4, and the scores are 1/4 three times and -3/4, squares 3/4 in all: the sandwich
// is (3/4)/(3/4)² = 4/3 times G/(G - 1) (N - 1)/(N - k) = 4/3 · 3/3, so that the error of a
// strength is 2/3. t(3) = 3.18244631.
func TestTwoPlayersByHand(t *testing.T) {
	f := New([]string{"a", "b"}, times(times(nil, 3, 0, 1, AWins), 1, 1, 0, AWins)).Fit(Model{})
	near(t, "a", f.Strengths[0], math.Log(3)/2, 1e-12)
	near(t, "error of a", f.SE(0), 2.0/3, 1e-12)
	near(t, "quantile", f.Quantile(), 3.18244631, 1e-8)
	near(t, "points", Points(f.Strengths[0])-Points(f.Strengths[1]), 400*math.Log10(3), 1e-9)
}

// By hand, Davidson's model: of two players A won 4, B 1, and 4 were ties, which fits exactly:
// exp(a - b) = 4/1 and v = 4/√(4 · 1) = 2.
func TestDavidsonByHand(t *testing.T) {
	battles := times(times(times(nil, 4, 0, 1, AWins), 1, 0, 1, BWins), 4, 1, 0, Tie)
	f := New([]string{"a", "b"}, battles).Fit(Model{Ties: true})
	near(t, "v", f.Tie, 2, 1e-9)
	near(t, "a", f.Strengths[0], math.Log(2), 1e-9)
}
