package build

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/analytics/statistics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
)

// states names what became of the three models that these tests are about; further models do not
// disturb them.
func states(reports []Report) string {
	var all []string
	for _, r := range reports {
		switch r.Model {
		case "dataset_statistics", "captionqa_scores", "captionqa_ranks":
			all = append(all, r.Model+" "+r.State)
		}
	}
	slices.Sort(all) // independent models have any order
	return strings.Join(all, ", ")
}

func reportOf(reports []Report, model string) Report {
	for _, r := range reports {
		if r.Model == model {
			return r
		}
	}
	return Report{}
}

// TestMainTableFromPublishedFigures is the paper's Table 3 from its Tables 11 to 26.
func TestMainTableFromPublishedFigures(t *testing.T) {
	lake := referenceLake(t)
	models := modelsWith(t, "dataset_statistics", "captionqa_scores", "captionqa_ranks")
	expect.Equal(t, states(built(t, lake, models)),
		"captionqa_ranks built, captionqa_scores built, dataset_statistics built")
	for _, c := range []struct{ query, want string }{
		// (88.78 + 90.81 + 94.73 + 86.82) / 4 = 361.14 / 4; (88.95 + 88.97 + 95.73 + 84.89) / 4 = 358.54
		// / 4.
		{`select captioner_name as model, value as overall from captionqa_ranks where prompt = 'Simple'
			and domain = 'Overall' and metric = 'score' order by rank limit 3`,
			"model,overall\nGPT-5,90.285\nGemini 2.5 Flash,89.635\nGemini 2.5 Pro,88.9775\n"},
		{`select score, source_item from captionqa_scores where captioner = 'internvl3-8b' and prompt = 'Simple'
			and (domain = 'Natural' and level = 'domain' or level = 'overall') order by level`,
			"score,source_item\n76.46,Table 3\n77.8425,\n"},
		{`select prompt, count(*) n, count(score) o from captionqa_scores where level = 'overall' group by prompt
			order by prompt`,
			"prompt,n,o\nLong,24,24\nShort,24,24\nSimple,24,24\nTaxonomy-Hinted,24,24\n"},
		{"select count(*), count(distinct captioner) from captionqa_scores where level = 'category'",
			"count_star(),count(DISTINCT captioner)\n600,24\n"},
		{"select decode(key) k, decode(value) v from parquet_kv_metadata('" +
			lake.Path(
				"marts/captionqa_ranks.parquet") + "') where k in ('captionlake.provenance', 'captionlake.unit') order by k",
			"k,v\ncaptionlake.provenance,published\ncaptionlake.unit,captionqa_ranks\n"},
		{"select count(*) n from parquet_schema('" +
			lake.Path("marts/captionqa_ranks.parquet") + "') where field_id is not null", "n\n0\n"},
	} {
		expect.Equal(t, asked(t, lake, "csv", c.query), c.want, c.query)
	}
	// Table 3 prints overall scores, rounded: every one must be the mean that the mart has.
	expect.Equal(t, asked(t, lake, "csv", `select count(*) as n, count(*) filter (abs(m.score - p.value) <= 0.00501)
		as agree,
			string_agg(p.prompt || ' ' || p.model || ' ' || p.value, ', ') filter (abs(m.score - p.value) > 0.00501) as others
		from published p join captionqa_scores m on m.level = 'overall' and p.model_id = m.captioner
		and p.prompt = m.prompt where p.item = 'Table 3' and p.domain = 'Overall'`),
		"n,agree,others\n40,40,\n")
	reports := built(t, lake, models)
	if strings.Contains(states(reports), StateBuilt) || reportOf(reports, "captionqa_scores").Rows != 96*5+600 {
		t.Errorf("nothing has changed, yet %s %+v", states(reports), reports)
	}
	addRows(t, lake, data.Answers, "more", answer("gpt-5", "Natural", "q1"))
	expect.Equal(t, states(built(t, lake, models)),
		"captionqa_ranks built, captionqa_scores built, dataset_statistics unchanged")
	expect.Refusal(os.Stat(lake.Path("journal/spill")))(t)
}

// TestFailedAuditBlocks breaks a rule of the answers and expects the earlier marts in place.
func TestFailedAuditBlocks(t *testing.T) {
	lake := laketest.New(t)
	models := modelsWith(t, "dataset_statistics", "captionqa_scores", "captionqa_ranks")
	good, bad := answer("m", "Natural", "q1"), answer("m", "Document", "q2")
	good.ImageID, bad.ImageID = "i2\x1b[31m", "i2\x1b[31m"
	addRows(t, lake, data.Answers, "good", good)
	built(t, lake, models)
	before := filesOfMarts(t, lake)
	addRows(t, lake, data.Answers, "bad", bad)
	reports, err := Build(t.Context(), lake, models, Options{})
	expect.Equal(t, states(reports), "captionqa_ranks skipped, captionqa_scores skipped, dataset_statistics unchanged")
	want := "audit one_domain failed: an image belongs to one domain, or its questions would be counted in two\n" +
		"1 offending rows:\n  image_id=i2�[31m one=Document other=Natural"
	expect.Failure(t, err, want, "captionqa_images.sql:",
		"model captionqa_scores: not built, because its input captionqa_images failed")
	after := filesOfMarts(t, lake)
	for _, name := range []string{"captionqa_scores.parquet", "captionqa_ranks.parquet"} {
		expect.Equal(t, after[name], before[name], "a blocked model replaced a mart")
	}
}

// TestAuditsCanFail gives each audit a lake or a table that violates it.
func TestAuditsCanFail(t *testing.T) {
	breaking := map[string]string{ // what to run after a good build
		"totals_add_up": `insert into dataset_statistics (origin, bank, domain, questions, images)
			values ('questions', 'b', 'Natural', 2, 1), ('questions', 'b', 'Total', 3, 1)`,
		"no_question_without_image": "insert into questions (question_id) values ('q')",
		"score_not_below_accuracy":  "update %s set accuracy = score + 1",
		"findings_say_what_differs": "insert into published_audit (check_name, printed, expected) values ('totals', 7, 7)",
		"claims_are_numbers":        "insert into published_claims (claim, stated, recomputed) values ('c', 1, 'nan')",

		"annotations_fit_the_rubric": `insert into annotations (benchmark, sample_id, dimension) values ('capability',
			's', 'weather')`,
		"every_judgment_counted":      "insert into capability_verdicts (n_unknown) values (1)",
		"every_answer_counted":        "insert into capability_outcomes (n_unknown) values (1)",
		"categories_give_the_verdict": "insert into capability_verdicts (n_contradicted) values (1)",
		"no_more_than_expected":       "insert into capability_figures (n_dimensions, n_expected) values (3, 2)",
		"average_within_dimensions": `insert into capability_figures (benchmark, judge, captioner, repeat, metric,
			provenance, origin, kind, section, figure)
			values ('capability', 'j', 'c', 0, 'f1', 'p', 'o', 'dimension', 'scene', 50), ('capability', 'j', 'c', 0, 'f1',
			'p', 'o', 'average', 'average', 90)`,
		"agreement_needs_no_reason": `insert into capability_comparison (agrees, difference, reason) values (true, 0,
			'rounded twice')`,
		"counts_nest": `insert into capability_know_cannot_tell (n_untold, n_known, n_correct, n_answers) values (2, 1,
			3, 4)`,
	}
	// One build serves all cases: what breaks an audit is undone after it.
	e := testEngine(t, engine.Config{})
	loadFixture(t, e, fourDomains())
	buildFixture(t, e, fourDomains())
	for _, m := range sqlmodel.All() {
		for _, a := range m.Audits {
			t.Run(m.Name+"/"+a.Name, func(t *testing.T) {
				statement, ok := captionqaBreaks[m.Name+"/"+a.Name]
				if a.Name == "interval_holds_estimate" {
					statement, ok = "", true
					for _, c := range m.Columns {
						if x, low := strings.CutSuffix(c.Name, "_low"); low && strings.Contains(a.Query, c.Name) {
							statement = fmt.Sprintf("insert into %s (%[2]q, \"%[2]s_low\", \"%[2]s_high\") values (5, 7, 6)", m.Name, x)
						}
					}
				}
				if !ok {
					statement, ok = breaking[a.Name]
				}
				if !ok {
					t.Fatal("no case breaks this audit")
				}
				undone(t, e, func() {
					must.Succeed(t, e.Exec(t.Context(), strings.ReplaceAll(statement, "%s", m.Name)))
					expect.Failure(t, violation(t.Context(), e, m, a.Name, a.Query), "offending rows:")
				})
			})
		}
	}
}

// TestHeaderIsEnforced builds models whose header and select disagree.
func TestHeaderIsEnforced(t *testing.T) {
	header := "-- what: w\n-- key: [k]\n-- source: none\n-- columns:\n--   k: [varchar, [a, b], key]\n--   x: " +
		"[double, percent, 0..100, number]\n-- intervals:\n--   x: t(n, 2)\n\n"
	for _, c := range []struct{ name, query, want string }{
		{"good", "select 'a' as k, 1 as x, 0.1 as n", ""},
		{"type", "select 'a' as k, 'one' as x, 0.1 as n", "the select failed: Binder Error"},
		{"no size", "select 'a' as k, 1 as x", "the select failed: Binder Error"},
		{"null key", "select null as k, 1 as x, 0.1 as n", "a key column is null\n1 offending rows:\n  k=∅"},
		{"twice", "select 'a' as k, range as x, 0.1 as n from range(2)",
			"rows share the key k\n1 offending rows:\n  k=a rows_of_key=2"},
		{"range", "select 'a' as k, 101 as x, 0.1 as n",
			"m.sql: check failed: x 0..100\n1 offending rows:\n  k=a x=101"},
		{"not a number", "select 'a' as k, cast('nan' as double) as x, 0.1 as n",
			"m.sql: check failed: x 0..100\n1 offending rows:\n  k=a x=NaN"},
		{"value", "select 'c' as k, null as x, 0.1 as n", "m.sql: check failed: k in a, b\n1 offending rows:\n  k=c"},
		{"interval", "select 'a' as k, 1 as x, -0.1 as n", "m.sql: audit interval_holds_estimate failed"},
		{"broken", "select nothing", "the select failed: Binder Error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := must.Get(sqlmodel.Parse("m.sql", header+c.query+";\n"))(t)
			lake := laketest.New(t)
			reports, err := Build(t.Context(), lake, []sqlmodel.Model{m}, Options{})
			if c.want == "" {
				if err != nil || reports[0].State != StateBuilt || reports[0].Rows != 1 {
					t.Errorf("%+v %v", reports, err)
				}
				return
			}
			expect.Failure(t, err, c.want)
			expect.Equal(t, len(filesOfMarts(t, lake)), 0)
		})
	}
}

// TestComputationsMakeRows gives the rows of a select to Go and gets a mart that is typed, checked
// and has its interval.
func TestComputationsMakeRows(t *testing.T) {
	statistics.Computations["test"] = func(_ context.Context, in arrow.RecordBatch) ([][]any, error) {
		total, last := 0.0, ""
		all := rows.Of("test", in)
		for _, text := range all.Text("k") {
			last = text
		}
		for _, x := range all.Numbers("i") {
			total += x.Value
		}
		if all.Err != nil {
			return nil, all.Err
		}
		return [][]any{{last, int64(1), total}, {"none", int64(2), nil}}, nil
	}
	t.Cleanup(func() { delete(statistics.Computations, "test") })
	model := func(last, rule string) sqlmodel.Model {
		return must.Get(sqlmodel.Parse("m.sql", "-- what: w\n-- key: [k]\n-- source: none\n-- compute: test\n-- columns:\n"+
			"--   k: [varchar, key]\n--   n: [bigint, number]\n--   x: [double, "+
			rule+", sum]\n-- intervals:\n--   x: t(0.5, 3)\n\nselect "+last+" as k, i from unnest([1, 2]) as n (i);\n"))(t)
	}
	e := macroEngine(t)
	must.Succeed(t, compute(t.Context(), e, model("'a' || i", "0..3")))
	rows := selected(t, e, "select k, n, x, x_low < 1 and x_high > 5 from m order by k")
	expect.Equal(t, joinRows(rows), "a2,1,3,true\nnone,2,∅,∅\n")
	expect.Failure(t, compute(t.Context(), e, model("'a' || i", "0..2")), "check failed: x 0..2")
	expect.Failure(t, compute(t.Context(), e, model("null", "0..2")), "computation test: ")
}

func TestAnalyzeStops(t *testing.T) {
	lake := laketest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	expect.Refusal(Analyze(ctx, lake, Options{}))(t, context.Canceled)
	reader := must.Get(data.Open(lake.Dir()))(t)
	expect.Refusal(Analyze(t.Context(), reader, Options{}))(t, "reading only")
	expect.Refusal(Analyze(t.Context(), lake, Options{Engine: engine.Options{MemoryLimit: "plenty"}}))(t,
		"memory_limit")
}
