package stages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/textmetrics"
	"github.com/captionlake/captionlake/stages/config"
)

func metricLines(t testing.TB, l *data.Lake) []string {
	t.Helper()
	var lines []string
	for _, v := range laketest.All(t, l, data.Votes) {
		if v.JudgeType != arena.JudgeMetric || v.Protocol != arena.ProtocolMetric || v.Position != "" ||
			v.RequestHash != "" {
			t.Errorf("%+v", v)
		}
		lines = append(lines,
			fmt.Sprintf("%s %s %s %.4f %.4f %s", v.BattleID, v.Judge, v.Winner, *v.ScoreA, *v.ScoreB, v.Provenance))
	}
	slices.Sort(lines)
	return lines
}

// Every battle with two texts has a length, and battles with a reference that takes no part in them
// have the other scores. Reference r of i1 is "a red boat at a pier", the human caption of i2 "a
// grey cat". By hand for b1, "a red boat" against "a boat": words 3 and 2; ROUGE-L: both captions
// are subsequences, P = 1, R = 3/6 and 2/6, F = 2.44 R / (R + 1.44) = 0.6289 and 0.4586. METEOR: R
// as before, P = 1, F = R / (0.9 + 0.1 R) = 0.5263 and 0.3571, one chunk of three, 1 - (1/3)³/2,
// and two of two, 1 - 1/2: 0.5166 and 0.1786. BLEU-4 with e^(1 - 6/3) and e^(1 - 6/2): 0.3679 * (1
// * 1 * 1 * 1)^(1/4), and 0.1353 * (1 * 1/2 * 1 * 1)^(1/4) = 0.1138.
func TestMetricStage(t *testing.T) {
	l := laketest.New(t)
	choice := config.Choice{Stage: "metric"}
	refused(t, l, rehearsal(closedAddress()), choice, "captionlake ingest", "the lake has no battles")
	putCaptions(t, l, arena.Human, data.ProvenanceMeasured, map[string]string{"i2": "a grey cat"})
	battle := func(id, image, a, one, b, two, reference, provenance string) data.Battle {
		return data.Battle{BattleID: id, ImageID: image, CaptionerA: a, CaptionA: one, CaptionerB: b, CaptionB: two,
			Reference: reference, Benchmark: data.BenchmarkCapArena, Provenance: provenance}
	}
	laketest.Put(t, l, data.Battles, "one",
		battle("b1", "i1", "x", "a red boat", "y", "a boat", "a red boat at a pier", data.ProvenancePublished),
		battle("b2", "i2", "x", "a cat", "y", "a grey cat", "", data.ProvenanceMeasured),
		battle("b3", "i3", "x", "two dogs", "y", "three dogs", "", data.ProvenanceMeasured),
		battle("b4", "i4", "human", "a tree", "y", "a tall tree", "", data.ProvenanceMeasured),
		battle("b5", "i5", "x", "", "y", "", "", data.ProvenanceMeasured),
		battle("b6", "i1", "x", "a boat", "y", "a pier", "a red boat at a pier", data.ProvenanceSimulated))
	estimates, err := New(l, rehearsal(closedAddress()), choice).Estimate()
	if err != nil || len(estimates) != 10 || estimates[0].Pending != 0 ||
		!strings.Contains(estimates[0].Note,
			"Of the 5 battles of caparena, 4 have a score by the length and 2 by metrics that need a human caption; "+
				"left out are 1 with a caption by a person, 1 without a human caption to compare with, 1 without the text of a "+
				"caption.") {
		t.Fatalf("a dry run: %+v %v", estimates, err)
	}
	reports, err := runAll(t.Context(), l, rehearsal(closedAddress()), choice)
	if err != nil || len(reports) != 10 || reports[0].Rows != 4 || reports[1].Rows != 2 || reports[0].Note == "" {
		t.Fatalf("%+v %v", reports, err)
	}
	lines := metricLines(t, l)
	for _, want := range []string{
		"b1 output-length a 3.0000 2.0000 measured", "b1 rouge-l a 0.6289 0.4586 measured",
		"b1 meteor a 0.5166 0.1786 measured", "b1 bleu-4 a 0.3679 0.1138 measured",
		"b2 output-length b 2.0000 3.0000 measured", "b2 rouge-l b 0.7722 1.0000 measured",
		"b3 output-length tie 2.0000 2.0000 measured", "b4 output-length b 2.0000 3.0000 measured",
		"b6 output-length tie 2.0000 2.0000 simulated",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("%s is not among\n%s", want, strings.Join(lines, "\n"))
		}
	}
	// Five metrics of b1, b2 and b6, and the length of b3 and b4.
	expect.Equal(t, len(lines), 3*5+2, strings.Join(lines, "\n"))
	// The same lake is not scored again; more battles are, under the rarity of words that they make.
	again, err := runAll(t.Context(), l, rehearsal(closedAddress()), choice)
	if err != nil || again[0].Rows != 4 || !slices.Equal(metricLines(t, l), lines) {
		t.Fatalf("the second run: %+v %v", again, err)
	}
	laketest.Put(t, l, data.Battles, "two",
		battle("b7", "i7", "x", "a red house", "y", "a hut", "a red house", data.ProvenanceMeasured))
	more, err := runAll(t.Context(), l, rehearsal(closedAddress()), choice)
	if err != nil || more[0].Rows != 5 || len(metricLines(t, l)) != len(lines)+5 {
		t.Fatalf("after more battles: %+v %v", more, err)
	}
	if check, err := l.Check(data.CheckPictures, nil); err != nil || len(check.Faults) > 0 {
		t.Errorf("%+v %v", check.Faults, err)
	}
}

// The built-in metrics are models of the registry, so that they have a name to show and are told
// from judges.
func TestMetricsAreRegistered(t *testing.T) {
	models := must.Get(data.Registry())(t)
	for _, metric := range textmetrics.Metrics() {
		if m, ok := models.Resolve(metric.Name); !ok || m.ModelID != metric.Name ||
			m.ModelType != data.ModelMetric {
			t.Errorf("%s: %+v", metric.Name, m)
		}
	}
}
