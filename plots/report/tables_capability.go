package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/plots"
)

// rubricTables lists the tables of the benchmarks of annotated elements; those that a benchmark's list does not name are not shown.
func rubricTables() []paperTable {
	var out []paperTable
	for _, p := range rubric.Protocols() {
		b, _ := data.BenchmarkOf(p.Benchmark)
		prefix := b.Domains[0].Column + "_"
		for _, m := range []struct {
			name, metric, title, mart string
			best                      Best
		}{
			{"precision", "precision", "Precision of every captioner in the dimensions of %s (%%)", b.Headline, Highest},
			{"recall", "recall", "Recall of every captioner in the dimensions of %s (%%)", b.Headline, Highest},
			{"f1", "f1", "F1 of every captioner in the dimensions of %s (%%)", b.Headline, Highest},
			{"hit_rate", "hit_rate", "Hit rate of every captioner in the dimensions of %s (%%)", b.Headline, Highest},
			{"qa_accuracy", "qa_accuracy", "Accuracy on the questions of %s (%%)", "capability_know_cannot_tell_main", Highest},
			{"know_cannot_tell", "know_but_cannot_tell", "What captioners of %s know but cannot tell (%%)", "capability_know_cannot_tell_main", Lowest},
		} {
			out = append(out, paperTable{
				name: prefix + m.name, title: fmt.Sprintf(m.title, b.Title), paper: b.Title + ", " + numbered(p.Tables[m.metric]), needs: []string{m.mart}, all: true,
				build: func(ts plots.Tables) (*Grid, error) { return rubricFigures(ts, m.mart, p, m.name, m.best) },
			})
		}
		out = append(out, paperTable{
			name: prefix + "differences", title: "Figures computed from judgments that are not the printed ones", paper: "CAPability, Tables 3 to 5; CV-CapBench, Tables 2 and 3",
			needs: []string{"capability_comparison"}, all: true, build: rubricDifferences,
		})
	}
	return out
}

// numbered names tables of a paper by their numbers.
func numbered(tables []int) string {
	switch len(tables) {
	case 0:
		return "no table"
	case 1:
		return fmt.Sprintf("Table %d", tables[0])
	}
	return fmt.Sprintf("Tables %d and %d", tables[0], tables[1])
}

// rubricFigures is one metric of a benchmark: a row for each captioner, a section for each judge and repetition.
func rubricFigures(ts plots.Tables, mart string, p rubric.Protocol, metric string, best Best) (*Grid, error) {
	s := open(ts, mart).where("benchmark", p.Benchmark).where("metric", metric).byRank("average", best == Highest)
	judges, repeats := s.TextOrNone("judge"), s.Numbers("repeat")
	s = s.sorted(func(a, b int) int {
		return cmp.Or(strings.Compare(judges[a], judges[b]), cmp.Compare(repeats[a].Value, repeats[b].Value))
	})
	judges, repeats = s.TextOrNone("judge"), s.Numbers("repeat")
	columns := []layoutColumn{modelColumn()}
	for _, id := range p.Columns {
		d, _ := rubric.ByID(id)
		columns = append(columns, figures(strings.ToLower(id), d.Heading, p.Decimals, best))
	}
	columns = append(columns, figures("average", "Avg.", p.Decimals, best))
	return s.layout(columns, func(i int) (string, string) {
		head := "Judge " + judges[i]
		if repeats[i].Value > 0 {
			head += fmt.Sprintf(", repetition %.0f", repeats[i].Value)
		}
		return head, head
	})
}

func rubricDifferences(ts plots.Tables) (*Grid, error) {
	t, err := ts.Get("capability_comparison")
	if err != nil {
		return nil, err
	}
	columns := t.Columns()
	agrees, paper := slices.Index(columns, "agrees"), slices.Index(columns, "paper_judge")
	if agrees < 0 || paper < 0 {
		return nil, fmt.Errorf("table %s has no column agrees or paper_judge", t.Name())
	}
	// Another judge than the paper's is not expected to give the paper's figures.
	t = t.Pick(func(i int) bool { return t.Row(i)[agrees] == false && t.Row(i)[paper] == true })
	if t.Len() == 0 {
		return nil, fmt.Errorf("%w: every figure of table %s agrees", plots.ErrNoRows, t.Name())
	}
	s := sheetOf(t, nil)
	benchmarks, judges := s.TextOrNone("benchmark"), s.TextOrNone("judge")
	return s.layout([]layoutColumn{
		modelColumn(), words("dimension", "Dimension"), words("metric", "Metric"), figures("printed", "Printed", 2, Plain),
		figures("computed", "Computed", 4, Plain), figures("n_missing", "Missing", 0, Plain), words("reason", "Reason"),
	}, func(i int) (string, string) { return benchmarks[i] + ", judge " + judges[i], "" })
}
