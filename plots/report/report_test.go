package report

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/sql"
)

// fakeSource holds marts that a test made.
type fakeSource struct {
	t      testing.TB
	tables map[string]*rows.Rows
}

func (s fakeSource) Marts(context.Context, []string) ([]sql.Mart, error) {
	var out []sql.Mart
	made := []string{"boards", "captionqa_ranks", "captionqa_differences"} // by ask
	for _, name := range slices.Sorted(slices.Values(slices.AppendSeq(made, maps.Keys(s.tables)))) {
		out = append(out,
			sql.Mart{Name: name, What: "what " + name + " is", Source: "a <paper>", Fingerprint: "print-of-" + name,
				ToolVersion: "1", Inputs: "answers=1"})
	}
	return out, nil
}
func (s fakeSource) Rows(_ context.Context, name, _ string, _ ...string) (*rows.Rows, error) {
	f := named(s.t, name)
	if f.Form == "figure" && f.Name != "leaderboard" || f.Form == "page" && f.Name != readersFile {
		return laketest.Rows(s.t, "none", []string{"provenance"}), nil
	}
	return selected(s.t, f, s.tables), nil
}

func (fakeSource) Images(context.Context) ([]data.Image, error) { return nil, nil }
func (fakeSource) Open(string) (files.File, error)              { return nil, fs.ErrNotExist }

// scoreColumns are the columns of captionqa_scores that tables and figures read.
var scoreColumns = []string{"level", "evidence", "protocol", "reader", "captioner", "captioner_name", "model_type",
	"prompt", "domain", "provenance", "score", "accuracy", "cannot_rate_offered", "score_low", "score_high"}

const evil = `<script>alert("1")</script>|\input{x}`

// small is a lake with printed scores of two captioners and simulated answers of one under two
// readers, and two question banks.
func small(t *testing.T) fakeSource {
	t.Helper()
	var scores [][]any
	add := func(kind, reader, id, model string, score float64) {
		scores = append(scores,
			[]any{"overall", "caption", "captionqa/upstream", reader, id, model, "open", "Simple", data.DomainOverall,
				kind, score, nil, nil, nil, nil})
		for _, d := range data.CaptionQA().DomainNames() {
			var low, high any
			if kind == "simulated" {
				low, high = score-2, score+2
			}
			scores = append(scores,
				[]any{"domain", "caption", "captionqa/upstream", reader, id, model, "open", "Simple", d, kind, score,
					score - 1, 100 - score, low, high})
		}
	}
	add("published", "paper-reader", "good", "Good "+evil, 90)
	add("published", "paper-reader", "poor", "Poor é 模\uFFFD", 40)
	add("simulated", "alpha", "rehearsal", "Rehearsal", 70)
	add("simulated", "beta", "rehearsal", "Rehearsal", 50)
	banks := laketest.Rows(t, "dataset_statistics",
		[]string{"origin", "bank", "domain", "provenance", "questions", "top_level", "subcategories", "images",
			"questions_per_image"},
		[]any{"published", "CaptionQA", "Natural", "published", 10445, 6, 22, 158, 66.1}, []any{"questions", "sample",
			"Natural", "measured", 78, 6, 0, 6, 13},
		[]any{"questions", "simulation", "Natural", "simulated", 100, 6, 22, 2, 50})
	options := laketest.Rows(t, "question_options",
		[]string{"bank", "domain", "n_options", "n_questions", "share", "n_yes_no", "share_yes_no"},
		[]any{"sample", "Natural", 4, 78, 100, 0, 0}, []any{"simulation", "Natural", 2, 100, 100, 100, 100})
	return fakeSource{t,
		map[string]*rows.Rows{"captionqa_scores": laketest.Rows(t, "captionqa_scores", scoreColumns, scores...),
			"dataset_statistics": banks, "question_options": options}}
}

func build(t *testing.T, s Source, o Options) *Report {
	t.Helper()
	r := must.Get(Build(t.Context(), s, o))(t)
	return r
}

func content(t *testing.T, r *Report, name string) string {
	t.Helper()
	for _, f := range r.Files {
		if f.Name == name {
			return string(f.Content)
		}
	}
	t.Fatalf("the report has no file %s", name)
	return ""
}

// Every table and figure of the lists is there for every kind of rows, with its files or with the
// reason why it has no files.
func TestReportIsComplete(t *testing.T) {
	r := build(t, small(t), Options{})
	// the results of each domain with one prompt
	tables := len(shownAs(t, "table", "figure")) - 1 + len(data.CaptionQA().Domains)
	expect.Equal(t, len(r.Items), len(data.Provenances())*tables)
	files := map[string]bool{}
	for _, f := range r.Files {
		if files[f.Name] {
			t.Errorf("%s is written twice", f.Name)
		}
		files[f.Name] = true
	}
	for _, i := range r.Items {
		if (len(i.Files) == 0) == (i.Skipped == "") {
			t.Errorf("%s of %s rows has %d files and the reason %q", i.Name, i.Provenance, len(i.Files), i.Skipped)
		}
		if want := map[string]int{"table": 3, "figure": 4}[i.Form]; len(i.Files) > 0 &&
			(len(i.Files) != want || i.Rows == 0 || len(i.Marts) == 0) {
			t.Errorf("%s of %s rows has files %q from %v", i.Name, i.Provenance, i.Files, i.Rows)
		}
		for _, f := range i.Files {
			if !files[f] || !strings.Contains(f, "_"+i.Provenance+".") {
				t.Errorf("%s is not written, or does not name its kind", f)
			}
			delete(files, f)
		}
	}
	delete(files, documentName)
	expect.Equal(t, len(files), 0, files)
	for reason, name := range map[string]string{"mart taxonomy_nodes is not built": "taxonomy",
		"its SELECT gives no measured rows": "table_03_main"} {
		if !slices.ContainsFunc(r.Items,
			func(i Item) bool { return i.Name == name && strings.Contains(i.Skipped, reason) }) {
			t.Errorf("no item %s is skipped because %q", name, reason)
		}
	}
}

func TestReportKeepsKindsApart(t *testing.T) {
	r := build(t, small(t), Options{})
	published, simulated := content(t, r, "tables/table_03_main_published.md"), content(t, r,
		"tables/table_03_main_simulated.md")
	expect.Contains(t, published, "**90.00**", "published figures")
	expect.Lacks(t, published, "Rehearsal")
	expect.Contains(t, simulated, "SIMULATED", "Reader: alpha.")
	expect.Lacks(t, simulated, "Poor")
	expect.Contains(t, content(t, r, "tables/table_12_natural_simple_simulated.tex"), `70.00{\scriptsize~$\pm$2.00}`,
		"SIMULATED")
	expect.Equal(t, content(t, r, "tables/question_options_simulated.csv"),
		"section,n_options,n_questions,share,n_yes_no,share_yes_no,provenance\nNatural,2,100,100,100,100,simulated\n")
	csv := content(t, r, "tables/question_options_measured.csv")
	expect.Contains(t, csv, "Natural,4,78,100,0,0,measured\n")
	expect.Lacks(t, csv, "simulated")
}

func TestReaderThatIsNotThere(t *testing.T) {
	_, err := Build(t.Context(), small(t), Options{Reader: "nobody"})
	expect.Failure(t, err,
		`no simulated answers of protocol "" and reader "nobody"; `+
			"the lake has captionqa/upstream, alpha; captionqa/upstream, beta")
}

func TestReportEscapesText(t *testing.T) {
	r := build(t, small(t), Options{})
	for _, f := range r.Files {
		if strings.HasSuffix(f.Name, ".png") || strings.HasSuffix(f.Name, ".pdf") || strings.HasSuffix(f.Name, ".csv") {
			continue
		}
		// In LaTeX and Markdown the bar and the backslash have a meaning, elsewhere the tag alone.
		command := !strings.HasSuffix(f.Name, ".html") && !strings.HasSuffix(f.Name, ".svg") &&
			bytes.Contains(f.Content, []byte("|\\input{"))
		if bytes.Contains(f.Content, []byte("<script")) || command {
			t.Errorf("%s holds text from outside as it came", f.Name)
		}
	}
}

func TestReportIsDeterministic(t *testing.T) {
	a, b := build(t, small(t), Options{}), build(t, small(t), Options{})
	for i, f := range a.Files {
		if g := b.Files[i]; f.Name != g.Name || !bytes.Equal(f.Content, g.Content) {
			t.Errorf("%s differs between two runs", f.Name)
		}
	}
}

func TestReportOfNothing(t *testing.T) {
	_, err := Build(t.Context(), fakeSource{t, nil}, Options{})
	expect.Failure(t, err, "no rows for any table or figure")
}
