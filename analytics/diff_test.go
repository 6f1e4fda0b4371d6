package analytics

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
)

// diffLake has a unit of answers of each of two readers to three questions, and the calls of one of them; a unit of captions that was made
// twice, and judgments of two judges.
func diffLake(t *testing.T) *data.Lake {
	t.Helper()
	lake := laketest.New(t)
	addRows(t, lake, data.Questions, "bank", data.Question{QuestionID: "q1", ImageID: "i1", Domain: "Natural", Options: []string{"red", "green"}, AnswerIndex: 1})
	one := int32(1)
	answerOf := func(reader, question, image, outcome string, score float64, choice *int32, hash string) data.Answer {
		a := answer("m", "Natural", question)
		a.Reader, a.ImageID, a.Outcome, a.Score, a.ChoiceIndex, a.RequestHash = reader, image, outcome, score, choice, hash
		return a
	}
	addRows(t, lake, data.Answers, "old",
		answerOf("r1", "q1", "i1", "correct", 1, &one, "h1"), answerOf("r1", "q2", "i1", "incorrect", 0, nil, "h2"), answerOf("r1", "q3", "i2", "incorrect", 0, nil, ""))
	addRows(t, lake, data.Answers, "new",
		answerOf("r2", "q1", "i1", "cannot", 0.4, nil, ""), answerOf("r2", "q2", "i1", "correct", 1, nil, ""), answerOf("r2", "q4", "i2", "correct", 1, nil, ""))
	addRows(t, lake, data.Calls, "asked",
		data.Call{RequestHash: "h1", Stage: "answer", State: "ok", Model: "r1", PromptTokens: 10, CompletionTokens: 2, Sampling: `{"temperature":0.5,"stop":["a"]}`},
		data.Call{RequestHash: "h2", Stage: "answer", State: "failed", Model: "r1", Sampling: `{"temperature":0.5,"stop":["a"]}`})
	judged := func(judge string, verdicts ...string) (rows []data.Judgment) {
		for i, v := range verdicts {
			rows = append(rows, data.Judgment{Benchmark: "capability", Judge: judge, Captioner: "m", SampleID: "s" + string(rune('1'+i)), Dimension: "style", Verdict: v})
		}
		return rows
	}
	addRows(t, lake, data.Judgments, "j1", judged("j1", "positive", "positive", "failed")...)
	addRows(t, lake, data.Judgments, "j2", judged("j2", "positive", "miss", "positive")...)
	for _, text := range []string{"before", "after"} {
		addRows(t, lake, data.Captions, "again", data.Caption{ImageID: "i1", Captioner: "m", Prompt: "Simple", Caption: text, Words: 1})
	}
	return lake
}

func unitNamed(table, name string) string {
	return data.Unit{Stage: "test/" + table, Name: name}.FileStem()
}

// Repetitions have requests of one hash: each run has the calls of its own, and its calls stand for its own answers.
func TestDiffOfRepetitions(t *testing.T) {
	lake := laketest.New(t)
	for repeat, outcome := range []string{"correct", "incorrect"} {
		a := answer("m", "Natural", "q")
		a.Repeat, a.Outcome, a.RequestHash = int32(repeat), outcome, "h"
		addRows(t, lake, data.Answers, outcome, a)
		addRows(t, lake, data.Calls, outcome, data.Call{RequestHash: "h", Repeat: int32(repeat), Stage: "answer", State: "ok", PromptTokens: 10})
	}
	for _, table := range []string{"answers", "calls"} {
		d, err := Diff(t.Context(), lake, unitNamed(table, "correct"), unitNamed(table, "incorrect"), DiffOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Calls[0].Calls != 1 || d.Calls[1].PromptTokens != 10 {
			t.Errorf("%s: calls %+v", table, d.Calls)
		}
		if got := d.Tables[0]; got.RowsA != 1 || got.Outcomes != 1 {
			t.Errorf("%s: %+v", table, got)
		}
	}
}

func TestDiffOfAnswers(t *testing.T) {
	lake := diffLake(t)
	d, err := Diff(t.Context(), lake, unitNamed("answers", "old"), unitNamed("answers", "new"), DiffOptions{Rows: -1})
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Tables[0]; len(d.Tables) != 1 || got.RowsA != 3 || got.RowsB != 3 || got.Both != 2 || got.Changed != 2 || got.Outcomes != 2 {
		t.Errorf("%+v", d.Tables)
	}
	if want := []Transition{{"correct", "cannot", 1}, {"incorrect", "correct", 1}}; !cmp.Equal(d.Tables[0].Transitions, want) {
		t.Error(cmp.Diff(d.Tables[0].Transitions, want))
	}
	// q1 and q2 are those of both: score (1 + 0) / 2 and (0.4 + 1) / 2, accuracy a half on both sides; one image, so that there is no interval.
	for i, want := range []Difference{{Metric: "score", MeanA: 50, MeanB: 70}, {Metric: "accuracy", MeanA: 50, MeanB: 50}} {
		got := d.Tables[0].Differences[i]
		if got.Metric != want.Metric || got.Domain != "Natural" || got.MeanA != want.MeanA || got.MeanB != want.MeanB || got.Images != 1 || got.Low != nil {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	text := func(s string) *string { return &s }
	want := []Change{
		{"answers", "Natural", "q1", text("correct"), text("cannot"), text("green"), nil},
		{"answers", "Natural", "q2", text("incorrect"), text("correct"), nil, nil},
		{"answers", "Natural", "q3", text("incorrect"), nil, nil, nil},
		{"answers", "Natural", "q4", nil, text("correct"), nil, nil},
	}
	if !cmp.Equal(d.Changes, want) {
		t.Error(cmp.Diff(d.Changes, want))
	}
	if want := []Setting{{"reader", "r1", "r2"}, {"sampling.stop", `["a"]`, ""}, {"sampling.temperature", "0.5", ""}}; !cmp.Equal(d.Settings, want) {
		t.Errorf("%v", d.Settings)
	}
	if want := [2]Spending{{Calls: 2, Failed: 1, PromptTokens: 10, CompletionTokens: 2}, {}}; d.Calls != want {
		t.Errorf("%+v", d.Calls)
	}
	// The unit of the calls stands for the answers made from them.
	if d, err = Diff(t.Context(), lake, unitNamed("calls", "asked"), unitNamed("answers", "new"), DiffOptions{}); err != nil || d.Tables[0].RowsA != 2 || d.Tables[0].Both != 2 || len(d.Changes) != 0 {
		t.Errorf("%+v %v", d, err)
	}
	var out bytes.Buffer
	for format, begin := range map[string]string{"csv": "table_name,group,item,outcome_a,outcome_b,value_a,value_b\nanswers,Natural,q1,correct,cannot,green,\n", "parquet": "PAR1"} {
		out.Reset()
		_, err := Diff(t.Context(), lake, unitNamed("answers", "old"), unitNamed("answers", "new"), DiffOptions{Format: format, Out: &out})
		if err != nil || !strings.HasPrefix(out.String(), begin) {
			t.Errorf("%s: %q %v", format, out.String(), err)
		}
	}
}

func TestDiffOfJudgments(t *testing.T) {
	lake := diffLake(t)
	d, err := Diff(t.Context(), lake, unitNamed("judgments", "j1"), unitNamed("judgments", "j2"), DiffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []Transition{{"failed", "positive", 1}, {"positive", "miss", 1}}; !cmp.Equal(d.Tables[0].Transitions, want) {
		t.Error(cmp.Diff(d.Tables[0].Transitions, want))
	}
	// The sample that one judge failed on is in no mean. Of s1 and s2 the first states both, the second one: s1 moves the difference
	// of 50 points by (0 - 0) - (1 - 0.5) = -0.5 of 2 samples, s2 by 0.5: squares 2 * 25^2 points * 2 / (2 - 1) = 2500, error 50.
	for _, got := range d.Tables[0].Differences {
		if got.Domain != "style" || got.MeanA != 100 || got.MeanB != 50 || got.SE == nil || *got.SE != 50 {
			t.Errorf("%+v", got)
		}
	}
	if len(d.Tables[0].Differences) != 2 {
		t.Errorf("%+v", d.Tables[0].Differences)
	}
}

// Of a run whose rows a later one of its unit replaced, settings alone are compared.
func TestDiffOfAReplacedRun(t *testing.T) {
	lake := diffLake(t)
	var ids []string
	for run, err := range data.Scan(lake, data.Runs) {
		if err != nil {
			t.Fatal(err)
		}
		if run.Stage == "test/captions" {
			ids = append(ids, run.RunID)
		}
	}
	d, err := Diff(t.Context(), lake, ids[0], ids[1][:8], DiffOptions{})
	if err != nil || len(ids) != 2 || len(d.Tables) != 0 || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "replaced the rows") || d.A.Current == d.B.Current {
		t.Errorf("%v %+v %v", ids, d, err)
	}
}

func TestDiffNamesWhatIsUnknown(t *testing.T) {
	lake := diffLake(t)
	old := unitNamed("answers", "old")
	for _, c := range []struct{ a, b, err, hint string }{
		{old, "test-answers-ol", `there is no run and no unit "test-answers-ol"`, "did you mean " + old},
		{old, old, "are one run", "name two runs"},
		{old, "'", "there is no run", ""},
	} {
		_, err := Diff(t.Context(), lake, c.a, c.b, DiffOptions{})
		var hint *data.HintError
		if err == nil || !strings.Contains(err.Error(), c.err) || !errors.As(err, &hint) || !strings.Contains(hint.Hint, c.hint) {
			t.Errorf("%s %s: %v", c.a, c.b, err)
		}
	}
}
