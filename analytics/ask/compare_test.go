package ask

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/analytics/statistics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

// An imagePair is what both sides have of one image.
type imagePair struct {
	domain         string
	nA, nB         float64
	scoreA, scoreB [2]float64 // sums of score and of correct answers
}

// differences compares pairs of images of the items a and b.
func differences(t *testing.T, pairs []imagePair, points float64) []Difference {
	t.Helper()
	e := testEngine(t)
	must.Succeed(t, e.Exec(t.Context(), engine.Macros))
	var rows []string
	for i, p := range pairs {
		rows = append(rows, fmt.Sprintf("(0, 1, %s, %d, %v, %v, %v, %v, %v, %v)", sql.Quote(p.domain), i,
			p.nA, p.scoreA[1], p.scoreA[0]*statistics.ScoreParts, p.nB, p.scoreB[1], p.scoreB[0]*statistics.ScoreParts))
	}
	must.Succeed(t, e.Exec(t.Context(),
		`create temp table pairs as select a_id, b_id, domain, image_id, cast(columns(* exclude (a_id, b_id, domain,
			image_id)) as bigint) `+
			"from (values "+strings.Join(rows,
			", ")+") as p (a_id, b_id, domain, image_id, n_a, correct_a, score_a, n_b, correct_b, score_b)"))
	return must.Get(compared(t.Context(), e, []string{"a", "b"}, points))(t)
}

// TestPairedDifference is worked by hand. Three images with two questions each; A has 2, 1, 1
// correct, B 1, 1, 0. A: 4/6, B: 2/6, difference 33.3333 points. By image A - B less the mean of
// 2/3: 1/3, -2/3, 1/3; over six questions squared: (1 + 4 + 1) / 9 / 36 = 1/54; times 3/2: 1/36;
// standard error 1/6 = 16.6667 points. Steadied: the prior design effect is 1 + 0.3 (6/3 - 1) =
// 1.3; with 0.65 questions of each outcome added, A has (4 + 0.65) / 7.3 = 0.636986 and B 0.363014,
// the prior variance is 2 * 0.636986 * 0.363014 / 6 * 1.3 = 0.100202; the events are (2/9 + 2/9) /
// (1/36) * 1/3 = 16/3, so (16/3 / 36 + 0.100202) / (19/3) = 0.0392131, and its root is 19.8023
// points. t = 33.3333 / 19.8023 = 1.683305. With 2 degrees of freedom the distribution has a closed
// form: p = 1 - t / sqrt(t^2 + 2) = 0.234348.
func TestPairedDifference(t *testing.T) {
	pairs := []imagePair{
		{"Natural", 2, 2, [2]float64{2, 2}, [2]float64{1, 1}},
		{"Natural", 2, 2, [2]float64{1, 1}, [2]float64{1, 1}},
		{"Natural", 2, 2, [2]float64{1, 1}, [2]float64{0, 0}},
	}
	all := differences(t, pairs, 1)
	must.Equal(t, len(all), 2)
	d := all[1]
	close := func(name string, got, want float64) {
		t.Helper()
		expect.Between(t, got, want-1e-6, want+1e-6, name)
	}
	close("mean of A", d.MeanA, 66.666666667)
	close("difference", d.Difference, 33.333333333)
	close("standard error", *d.SE, 16.666666667)
	steadied := math.Sqrt((16.0/3/36 + 2*4.65*2.65/(7.3*7.3)/6*1.3) / (19.0 / 3))
	close("p", *d.P, 1-1/steadied/math.Sqrt(1/(steadied*steadied)+18))
	close("p", *d.P, 0.234348213)
	close("low", *d.Low, 33.333333333-4.302652729749*19.802307463)
	if d.Metric != "accuracy" || d.Domain != "Natural" || d.Images != 3 || d.Questions != 6 {
		t.Errorf("%+v", d)
	}
}

// TestDifferenceOverDomains: the mean of two domains has the root of the sum of the squared errors,
// halved. With two images each, which is one degree of freedom, its degrees of freedom are ((1/2 +
// 1/2)² + 2 (1/4 + 1/4)) / (3/4 + 3/4) = 4/3, and the quantile is 7.191585. Four questions in 7/3
// images have the prior design effect 1 + 0.3 (12/7 - 1) = 17/14; half of it added to 3 right and 1
// wrong, or to 1 and 3, is
// 3.607143 * 1.607143 / 5.214286² = 0.213220 twice, over 4 and times 17/14 0.129455. The events are
// (3/16 + 3/16) / (1/8) * 1/4 = 0.75, so the variance is (0.75 / 8 + 0.129455) / 1.75 = 0.127546,
// and its root is 35.713549 points. One image in a domain leaves the mean without an interval.
func TestDifferenceOverDomains(t *testing.T) {
	side := func(domain string, a, b float64) imagePair {
		return imagePair{domain, 1, 1, [2]float64{a, a}, [2]float64{b, b}}
	}
	// Each domain: differences 1 and 0, mean 50 points; less the mean 0.5 and -0.5; squares 0.5 / 4
	// * 2 = 1/4: 50 points.
	all := differences(t, []imagePair{side("D", 1, 0), side("D", 1, 1), side("N", 1, 0), side("N", 0, 0)}, 1)
	overall := all[2]
	if overall.Domain != "Overall" || math.Abs(*overall.SE-50/math.Sqrt2) > 1e-9 || overall.Difference != 50 {
		t.Errorf("%+v", overall)
	}
	expect.Between(t, *overall.High-overall.Difference, 7.191585010780*35.713548501-1e-6,
		7.191585010780*35.713548501+1e-6, "the degrees of freedom are not 4/3, or the error is not 35.71")
	all = differences(t, []imagePair{side("D", 1, 0), side("N", 1, 0), side("N", 0, 0)}, 1)
	if all[0].SE != nil || all[2].SE != nil || all[2].ForPower != nil || all[1].SE == nil {
		t.Errorf("one image gives an interval: %+v", all)
	}
	same := differences(t, []imagePair{side("D", 1, 1), side("D", 0, 0)}, 1)[0]
	expect.Equal(t, fmt.Sprint(*same.P, *same.SE, same.Difference), "1 0 0")
	if same.ToTell != nil || same.ForPower != nil {
		t.Errorf("sides that differ on no image give numbers of images: %d and %d", *same.ToTell, *same.ForPower)
	}
}

// TestDifferenceEqualOnAllImages: three images of 5 questions, all right on one side and one wrong
// on the other, have the error 0, so only the prior variance counts. Its design effect is 1 + 0.3
// (5 - 1) = 2.2; half of it, 1.1, is added to 15 right and 0 wrong and to 12 and 3:
// (16.1 * 1.1 + 13.1 * 4.1) / 17.2² / 15 * 2.2 = 0.0354074, and its root is 18.816861 points. The
// ends are 20 ± 4.302653 * 18.816861, and t = 20 / 18.816861 = 1.062876 for 2 degrees of freedom
// has p = 1 - t / √(t² + 2) = 0.399199.
func TestDifferenceEqualOnAllImages(t *testing.T) {
	same := imagePair{"D", 5, 5, [2]float64{5, 5}, [2]float64{4, 4}}
	d := differences(t, []imagePair{same, same, same}, 1)[0]
	if !d.Alike || math.Abs(*d.Low+60.962420232) > 1e-6 || math.Abs(*d.High-100.962420232) > 1e-6 ||
		math.Abs(*d.P-0.399198505) > 1e-8 {
		t.Errorf("%v to %v, p %v: %+v", *d.Low, *d.High, *d.P, d)
	}
	// 300 images of 100 questions that all but one of them tell apart: p is too small for a number.
	many := slices.Repeat([]imagePair{{"D", 100, 100, [2]float64{100, 100}, [2]float64{1, 1}}}, 300)
	many[0].scoreB = [2]float64{2, 2}
	if d := differences(t, many, 1)[0]; !(*d.P > 0) {
		t.Errorf("p is %v", *d.P)
	}
}

// TestUnevenImages: two sides of three images with 1, 1 and 4 questions have the effective number
// 6² / (1 + 1 + 16) = 2, so one degree of freedom.
func TestUnevenImages(t *testing.T) {
	pair := func(n, a, b float64) imagePair { return imagePair{"D", n, n, [2]float64{a, a}, [2]float64{b, b}} }
	// Means 5/6 and 3/6; left over 1 - 5/6 - (0 - 1/2) = 2/3, 1 - 5/6 - (1 - 1/2) = -1/3 and 3 -
	// 20/6 - (2 - 2) = -1/3; squares
	// 2/3 / 36 * 3/2 = 1/36: 16.67 points. Steadied: prior design effect 1 + 0.3 (6/2 - 1) = 1.6;
	// 0.8 of each outcome added to 5 and 1 and to 3 and 3: (5.8 * 1.8 + 3.8 * 3.8) / 7.6² / 6 * 1.6
	// = 0.114866; events (5/36 + 9/36) / (1/36) * (1/6 + 1/2) / 2 = 14/3;
	// (14/3 / 36 + 0.114866) / (17/3) = 0.0431463: 20.771689 points. t(1 df) = 12.706204736175.
	d := differences(t, []imagePair{pair(1, 1, 0), pair(1, 1, 1), pair(4, 3, 2)}, 1)[0]
	if math.Abs(*d.SE-100.0/6) > 1e-9 || math.Abs(*d.High-d.Difference-12.706204736175*20.771689258) > 1e-6 {
		t.Errorf("error %v, interval up to %v of %v", *d.SE, *d.High, d.Difference)
	}
}

// TestHolm is worked by hand: 0.005 * 4 = 0.02, 0.01 * 3 = 0.03, 0.03 * 2 = 0.06, 0.04 * 1 = 0.04,
// which may not be below 0.06. Comparisons without a p-value and of the other metric do not count.
func TestHolm(t *testing.T) {
	e := testEngine(t)
	must.Succeed(t, e.Exec(t.Context(), engine.Macros))
	_, rows, err := e.Strings(t.Context(), "with compared as (select *, "+
		"b_id as a_id, 'D' as domain, 1 as n_domains, 0 as mean_a, 0 as mean_b, 0 as difference, 0 as se, false as "+
		"alike, 0 as low, 0 as high, "+
		"1 as n_images, 1 as n_answers, 1 as to_tell, 1 as for_power from (values ('score', 0, null), ('accuracy', 1, "+
		"0.01), ('score', 2, 0.01), "+
		"('score', 3, 0.04), ('score', 4, 0.03), ('score', 5, 0.005)) as c (metric, b_id, p)) "+
		"select p_holm from ("+
		strings.ReplaceAll(compareSQL[strings.LastIndex(compareSQL, "select\n    items["):len(compareSQL)-2], "@items",
			"['a']")+")")
	must.Succeed(t, err)
	expect.Equal(t, fmt.Sprint(rows), "[[∅] [0.01] [0.03] [0.06] [0.06] [0.02]]")
}

// TestCompare compares captioners, prompts and readers of a small lake.
func TestCompare(t *testing.T) {
	lake := laketest.New(t)
	laketest.Put(t, lake, data.Models, "registry", must.Get(data.ModelRows())(t)...)
	var rows []data.Answer
	add := func(captioner, prompt, reader, question, outcome string, score float64) {
		a := answer(captioner, "Natural", question)
		a.Prompt, a.Reader, a.Outcome, a.Score = prompt, reader, outcome, score
		rows = append(rows, a)
	}
	for _, q := range []string{"1", "2", "3"} {
		add("gpt-5", "Simple", "r", q, "correct", 1)
		add("gpt-5", "Long", "r", q, "correct", 1)
	}
	add("gpt-4o", "Simple", "r", "1", "correct", 1)
	add("gpt-4o", "Simple", "r", "2", "incorrect", 0)
	add("gpt-4o", "Simple", "r", "3", "cannot", 0.3833)
	add("gpt-4o", "Simple", "s", "1", "incorrect", 0)
	laketest.Put(t, lake, data.Answers, "answers", rows...)
	expect.Refusal(Compare(t.Context(), lake, []string{"GPT-5", "gpt-4o"}, CompareOptions{Points: 1}))(t,
		"no results yet")
	some := []string{"+conditions", "+captionqa_uneven_answers"}
	must.Get(build.Build(t.Context(), lake, sqlmodel.All(), build.Options{Select: some}))(t)

	c := must.Get(Compare(t.Context(), lake, []string{"GPT-5", "gpt-4o"}, CompareOptions{Points: 1}))(t)
	if len(c.Differences) != 2 || c.Provenance != data.ProvenanceSimulated || len(c.Pooled) != 0 {
		t.Fatalf("%+v", c)
	}
	// Reader s has no answer about gpt-5 and falls out of the comparison and is not said to be
	// pooled: scores 1 against the mean 0.461111 of 1, 0 and 1/3 + 0.05.
	if d := c.Differences[0]; d.A != "gpt-5" || d.Metric != "score" || math.Abs(d.Difference-53.888888889) > 1e-8 ||
		d.Images != 3 {
		t.Errorf("%+v", d)
	}
	c = must.Get(Compare(t.Context(), lake, []string{"Simple", "Long"}, CompareOptions{By: ByPrompt, Points: 1}))(t)
	if d := c.Differences[0]; d.Difference != 0 || *d.P != 1 || d.Images != 3 {
		t.Errorf("prompts: %+v", d)
	}
	c = must.Get(Compare(t.Context(), lake, []string{"r", "s"}, CompareOptions{By: ByReader, Points: 1}))(t)
	if d := c.Differences[1]; d.Difference != 100 || d.SE != nil || d.Images != 1 {
		t.Errorf("readers: %+v", d)
	}
	for _, bad := range []struct {
		names []string
		o     CompareOptions
		want  string
	}{
		{[]string{"gpt-5"}, CompareOptions{Points: 1}, "at least two names"},
		{[]string{"gpt-5", "nobody's"}, CompareOptions{Points: 1}, `with the captioner "nobody's"`},
		{[]string{"gpt-5", "GPT-5"}, CompareOptions{Points: 1}, "named twice"},
		{[]string{"gpt-5", "gpt-4o"}, CompareOptions{By: "weather", Points: 1}, "compared by"},
		{[]string{"gpt-5", "gpt-4o"}, CompareOptions{Prompts: []string{"Long"}, Points: 1}, "same questions"},
		{[]string{"gpt-5", "gpt-4o"}, CompareOptions{Prompts: []string{"Short"}, Points: 1}, "under these conditions"},
		{[]string{"gpt-5", "gpt-4o"}, CompareOptions{Points: -1}, "points"},
		{[]string{"gpt-5", "gpt-4o"}, CompareOptions{}, "the difference of 0 points"},
	} {
		expect.Refusal(Compare(t.Context(), lake, bad.names, bad.o))(t, bad.want)
	}
}

// A user's own domain has its rows after the rows of published ones and is in no mean with them;
// alone, own domains have a mean.
func TestDifferencesOfOwnDomains(t *testing.T) {
	pair := func(domain string, a float64) imagePair {
		return imagePair{domain, 1, 1, [2]float64{a, a}, [2]float64{0, 0}}
	}
	for _, c := range []struct {
		domains []string
		want    string
	}{
		{[]string{"Document", "Natural", "Photos"}, "Natural 100, Document 0, Photos 0, Document, Natural 50"},
		{[]string{"Natural", "Photos"}, "Natural 100, Photos 0"},
		{[]string{"Drawings", "Natural is not", "Photos"}, "Drawings 0, Natural is not 100, Photos 0, Overall 33.3"},
	} {
		var pairs []imagePair
		for _, d := range c.domains {
			a := 0.0
			if strings.HasPrefix(d, "Natural") {
				a = 1
			}
			pairs = append(pairs, pair(d, a), pair(d, a))
		}
		var got []string
		for _, d := range differences(t, pairs, 1) {
			if d.Metric == "score" {
				got = append(got, fmt.Sprintf("%s %.3g", d.Domain, d.Difference))
			}
		}
		expect.Equal(t, strings.Join(got, ", "), c.want, c.domains)
	}
}
