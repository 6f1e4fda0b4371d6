package build

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

// By hand, as CaptionQA's filter of ten trials needs them and where the ceiling matters: 0.8·8 =
// 6.4, 0.7·8 = 5.6, 0.6·8 = 4.8, 0.7·3 = 2.1; then as the authors' code has them.
func TestBlindDropAt(t *testing.T) {
	e := macroEngine(t)
	type threshold struct {
		Options int `json:"options"`
		Trials  int `json:"trials"`
		DropAt  int `json:"drop_at"`
	}
	check := func(cases []threshold) {
		for _, c := range cases {
			expect.Equal(t, selected(t, e, fmt.Sprintf("select blind_drop_at(%d, %d)", c.Options, c.Trials))[0][0],
				fmt.Sprint(c.DropAt), c)
		}
	}
	check([]threshold{
		{2, 10, 10}, {3, 10, 8}, {4, 10, 7}, {5, 10, 6}, {9, 10, 6}, {2, 8, 8}, {3, 8, 7}, {4, 8, 6}, {5, 8, 5}, {4, 3,
			3}, {0, 10, 10}, {1, 10, 10},
		{4, 0, 1}, // nothing tried, nothing dropped
	})
	var published []threshold
	must.Succeed(t, json.Unmarshal(must.Read(t, must.Shared(t, "parity/blind_threshold.json")), &published))
	check(published)
	if len(published) < 36 {
		t.Errorf("%d published thresholds", len(published))
	}
}

// A correlation needs two sides that vary. Sums of squares are rounded, so that a single row, or
// equal rows, leave a rest of either sign, which must not be taken for variation.
func TestCorrelationOfRowsThatDoNotVary(t *testing.T) {
	e := macroEngine(t)
	for _, c := range []struct{ rows, want string }{
		{"(33.333333333333, 66.666666666667)", "∅"},
		{"(33.333333333333, 66.666666666667), (33.333333333333, 12.5)", "∅"},
		{"(0, 0), (0, 0), (0, 0)", "∅"},
		{"(33.333333333333, 66.666666666667), (12.345678901234, 12.5)", "1"},
		{"(33.333333333333, 12.5), (12.345678901234, 66.666666666667)", "-1"},
		// x = 1, 2, 4 and y = 1, 3, 2: means 7/3 and 2, products of deviations 1, squares 14/3 and
		// 2, r = 1 / sqrt(28/3) = 0.3273.
		{"(1, 1), (2, 3), (4, 2)", "0.3273"},
	} {
		got := selected(t, e, `
			select round(correlation_of(count(*), sum(x), sum(y), sum(exact_product(x, x)), sum(exact_product(y, y)),
			sum(exact_product(x, y))), 4)
			from (select exact(a) as x, exact(b) as y from (values `+c.rows+`) as v(a, b)) as r`)
		expect.Equal(t, fmt.Sprint(got), "[["+c.want+"]]", c.rows)
	}
}

// Repetitions often give the same accuracy. Its deviation is 0 and not the rest that rounding the
// squares leaves.
func TestDeviationOfRowsThatDoNotVary(t *testing.T) {
	e := macroEngine(t)
	for _, c := range []struct{ rows, want string }{
		{"(47.634069400631)", "∅"},
		{"(47.634069400631), (47.634069400631), (47.634069400631)", "0"},
		{"(47.634069400631), (47.634069400631), (47.637069400631)",
			"0.001732"}, // 0.003 / sqrt(3), one answer of 33,027
		{"(1), (2), (4)", "1.527525"}, // mean 7/3, squares 14/3, sqrt(7/3)
	} {
		got := selected(t, e, `
			select round(deviation_of(sum(x), sum(exact_square(x)), count(*)), 6)
			from (select exact(a) as x from (values `+c.rows+`) as v(a)) as r`)
		expect.Equal(t, fmt.Sprint(got), "[["+c.want+"]]", c.rows)
	}
}

var (
	joinedBy = regexp.MustCompile(
		`(?s)\busing\s*\(([^)]*)\)|` +
			`\bon\s+(.*?)(?:\b(?:inner|left|full|cross|join|where|group|window|union|order)\b|;|\n\s*\)|$)`)
	// a comparison with a value that is not written there
	joinedOn = regexp.MustCompile(`[^<>!]=\s*[^'\s]`)
	semiJoin = regexp.MustCompile(`(?s)\b(?:semi|anti) join\b.*?\busing\s*\([^)]*\)`) // counts no row twice
	wording  = regexp.MustCompile(`--[^\n]*|'[^']*'`)
)

// joinColumns is how many columns the widest join of a query names, or holds to be equal.
func joinColumns(query string) (most int) {
	for _, m := range joinedBy.FindAllStringSubmatch(semiJoin.ReplaceAllString(wording.ReplaceAllString(query,
		"''"), ""), -1) {
		most = max(most, strings.Count(m[1], ",")+1, len(joinedOn.FindAllString(m[2], -1)))
	}
	return most
}

// TestJoinsNameConditions: above the folds, a join names three columns at most. What more texts
// stand for has an id, such as condition_id, and what a row has in common with others of its group
// is a window: a text that is forgotten among six would count rows twice.
func TestJoinsNameConditions(t *testing.T) {
	files := map[string]string{}
	for _, m := range sql.Models() {
		if strings.HasPrefix(m.Path, "models/marts/") {
			files[m.Path] = m.Text
		}
	}
	for _, f := range slices.Concat(sql.Shown(), sql.Files("shortcuts")) {
		files[f.Path] = f.Text
	}
	for file, text := range files {
		expect.Between(t, joinColumns(text), 0, 3, file)
	}
	for query, want := range map[string]int{
		`select 1 from a inner join b using (protocol, reader, prompt,
			provenance)`: 4,
		"select 1 from a left join b\n    on b.protocol = f(a.protocol, 1) and b.reader = a.reader and b.x = '' where " +
			"a.prompt = b.prompt": 2,
	} {
		expect.Equal(t, joinColumns(query), want, query)
	}
}
