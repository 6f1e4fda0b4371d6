package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/plots"
)

// rubricTables lists the tables of CAPability and CV-CapBench.
func rubricTables() []paperTable {
	var out []paperTable
	for _, b := range []struct{ id, name, tables, hits string }{{"capability", "CAPability", "Tables 3 and 4", "Table 5"}, {"cv-capbench", "CV-CapBench", "Tables 2 and 3", "Tables 2 and 3"}} {
		for _, m := range []struct{ id, name, tables string }{{"precision", "Precision", b.tables}, {"recall", "Recall", b.tables}, {"f1", "F1", b.tables}, {"hit_rate", "Hit rate", b.hits}} {
			out = append(out, paperTable{
				name: slug(b.id + " " + m.id), title: fmt.Sprintf("%s of every captioner in the dimensions of %s (%%)", m.name, b.name),
				paper: b.name + ", " + m.tables, needs: []string{"capability_main"}, all: true,
				build: func(ts plots.Tables) (*Grid, error) {
					return rubricFigures(ts, "capability_main", b.id, m.id, Highest)
				},
			})
		}
	}
	for _, m := range []struct {
		id, title string
		best      Best
	}{{"qa_accuracy", "Accuracy on the questions of CAPability (%)", Highest}, {"know_cannot_tell", "What captioners of CAPability know but cannot tell (%)", Lowest}} {
		out = append(out, paperTable{
			name: "capability_" + m.id, title: m.title, paper: "CAPability, Table 6", needs: []string{"capability_know_cannot_tell_main"}, all: true,
			build: func(ts plots.Tables) (*Grid, error) {
				return rubricFigures(ts, "capability_know_cannot_tell_main", "capability", m.id, m.best)
			},
		})
	}
	return append(out, paperTable{
		name: "capability_differences", title: "Figures computed from judgments that are not the printed ones", paper: "CAPability, Tables 3 to 5; CV-CapBench, Tables 2 and 3",
		needs: []string{"capability_comparison"}, all: true, build: rubricDifferences,
	})
}

// rubricHeads are the dimensions with the heads of CAPability's tables.
var rubricHeads = []struct{ column, head string }{
	{"object_category", "Obj. Cate."}, {"object_number", "Obj. Num."}, {"object_color", "Obj. Color"}, {"spatial_relation", "Spa. Rel."},
	{"scene", "Scene"}, {"camera_angle", "Cam. Ang."}, {"ocr", "OCR"}, {"style", "Style"}, {"character_identification", "Cha. Iden."},
	{"dynamic_object_number", "(D) Obj. Num."}, {"action", "Act."}, {"camera_movement", "Cam. Mov."}, {"event", "Event"},
}

// rubricFigures is one metric of a benchmark: a row for each captioner, a section for each judge and repetition.
func rubricFigures(ts plots.Tables, mart, benchmark, metric string, best Best) (*Grid, error) {
	s := open(ts, mart).where("benchmark", benchmark).where("metric", metric).byRank("average", best == Highest)
	judges, repeats := s.text("judge"), s.number("repeat")
	if s.err == nil {
		s = &sheet{t: s.t.Sorted(func(a, b int) int {
			return cmp.Or(strings.Compare(judges[a], judges[b]), cmp.Compare(repeats[a].Value, repeats[b].Value))
		})}
		judges, repeats = s.text("judge"), s.number("repeat")
	}
	decimals := 1
	if benchmark == "cv-capbench" {
		decimals = 2
	}
	columns := []layoutColumn{modelColumn()}
	for _, h := range rubricHeads {
		if h.column == "event" && benchmark == "cv-capbench" {
			continue // CV-CapBench prints no column for events.
		}
		columns = append(columns, figures(h.column, h.head, decimals, best))
	}
	columns = append(columns, figures("average", "Avg.", decimals, best))
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
	s := &sheet{t: t}
	benchmarks, judges := s.text("benchmark"), s.text("judge")
	return s.layout([]layoutColumn{
		modelColumn(), words("dimension", "Dimension"), words("metric", "Metric"), figures("printed", "Printed", 2, Plain),
		figures("computed", "Computed", 4, Plain), figures("n_missing", "Missing", 0, Plain), words("reason", "Reason"),
	}, func(i int) (string, string) { return benchmarks[i] + ", judge " + judges[i], "" })
}
