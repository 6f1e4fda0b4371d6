package report

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
)

// chosen reads choices as a file and builds the report of the small lake.
func chosen(t *testing.T, yaml string) (*Report, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "paper.yaml")
	must.Succeed(t, os.WriteFile(name, []byte(yaml), 0o600))
	c, err := ReadChoices(name)
	if err != nil {
		return nil, err
	}
	return Build(t.Context(), small(t), Options{Choices: c})
}

func names(r *Report) (names []string) {
	for _, f := range r.Files {
		names = append(names, f.Name)
	}
	return names
}

// The files of a paper are the files that it names, with its captioners in its order, under its
// names, which every form escapes.
func TestChoices(t *testing.T) {
	const rest = `
captioners: [poor, good]
provenance: [published]
width: 3.3in
title: false
font: serif
formats: [md, tex, svg]
names: {poor: "Ours_1 <b>"}
each:
  table_03_main: {domains: [Natural, Overall]}
`
	_, err := chosen(t, "\nonly: [table_03_main, \"results_*\", leaderboard]"+rest)
	expect.Failure(t, err, `paper.yaml:2:`, `there is no table or figure "results_*"`)
	r := must.Get(chosen(t, "\nonly: [table_03_main, \"table_1?_natural_simple\", leaderboard]"+rest))(t)
	for _, name := range []string{"tables/table_03_main_published.md", "tables/table_03_main_published.tex",
		"tables/table_12_natural_simple_published.md", "figures/leaderboard_published.svg", documentName} {
		if !slices.Contains(names(r), name) {
			t.Errorf("there is no %s among %v", name, names(r))
		}
	}
	for _, name := range names(r) {
		if strings.Contains(name, "simulated") || strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".pdf") {
			t.Errorf("%s was not asked for", name)
		}
	}
	md := content(t, r, "tables/table_03_main_published.md")
	expect.Contains(t, md, "| Captioner | Overall | Natural |\n", `| Ours\_1 &lt;b&gt; | 40.00`)
	expect.Between(t, strings.Index(md, "Ours"), 0, strings.Index(md, "Good"), "Ours before Good")
	expect.Contains(t, content(t, r, "tables/table_03_main_published.tex"), `Ours\_1 \textless{}b\textgreater{}`)
	svg := content(t, r, "figures/leaderboard_published.svg")
	expect.Contains(t, svg, `width="237.6pt"`, "Liberation Serif", "Ours_1 &lt;b&gt;")
	expect.Lacks(t, svg, "What captions let")
	expect.Between(t, strings.Index(svg, "Ours_1"), 0, strings.Index(svg, "Good"))
	if !bytes.Contains([]byte(content(t, r, documentName)), []byte("leaderboard")) &&
		slices.Contains(names(r), "figures/leaderboard_published.tex") {
		t.Error("the document does not show the figure")
	}
}

// One captioner of two: what is computed over all of them says so.
func TestChoicesOfCaptionersAreSaid(t *testing.T) {
	r := must.Get(chosen(t, "captioners: [poor]\nonly: [table_03_main, leaderboard]\nprovenance: [published]\n"))(t)
	md := content(t, r, "tables/table_03_main_published.md")
	expect.Contains(t, md, "Chosen: 1 of 2 captioners; places and means over captioners are over all of them.")
	expect.Lacks(t, md, "Good")
	expect.Contains(t, content(t, r, "figures/leaderboard_published.tex"), "Chosen: 1 of 2")
}

// asking is a source that notes which SELECTs are asked.
type asking struct {
	Source
	mu    sync.Mutex
	asked []string
}

func (s *asking) Rows(ctx context.Context, name, query string, kinds ...string) (*rows.Rows, error) {
	s.mu.Lock()
	s.asked = append(s.asked, name)
	s.mu.Unlock()
	return s.Source.Rows(ctx, name, query, kinds...)
}

// Only chosen tables and figures are asked for. Where a name is no file's, the files that make
// several tables are asked, too.
func TestOnlyChosenAreAsked(t *testing.T) {
	for _, c := range []struct{ only, want string }{
		{"leaderboard", "figures/leaderboard pages/shown_first"},
		{"table_12_natural_simple", "pages/shown_first tables/results"},
	} {
		source := &asking{Source: small(t)}
		must.Get(Build(t.Context(), source, Options{Choices: Choices{Only: []string{c.only}}}))(t)
		slices.Sort(source.asked)
		expect.Equal(t, strings.Join(source.asked, " "), c.want, c.only)
	}
}

// Misspelt choices are told with their places and what they may mean; a choice that leaves nothing
// says so.
func TestChoicesRefused(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"onyl: [leaderboard]", `paper.yaml:1:1: unknown field "onyl"; did you mean only?`},
		{"only: [leaderbord]", `paper.yaml:1:8: there is no table or figure "leaderbord"; did you mean leaderboard?`},
		{"captioners: [good, por]", `paper.yaml:1:20: there is no captioner "por"; did you mean poor?`},
		{"prompts: [Simpel]", `there is no prompt "Simpel"; did you mean Simple?`},
		{"domains: [Nature]", `there is no domain "Nature"; did you mean Natural?`},
		{"provenance: [meassured]", `there is no kind of rows "meassured"; did you mean measured?`},
		{"formats: [jpeg]", `paper.yaml:1:10: there is no format "jpeg"`},
		{"width: 3.3", `paper.yaml:1:8: a width is one of acl, acl-full, cvpr, cvpr-full, neurips, page, poster, slide, ` +
			`or a number with a unit, such as 3.3in`},
		{"width: 1in", `of 2 to 20 inches, not "1in"`},
		{"names: {good: X, poor: X}", `good and poor are both called "X"`},
		{"names: {poor: \" \"}", `poor has an empty name`},
		{"each:\n  leaderboard:\n    captioners: [god]",
			`paper.yaml:3:17: there is no captioner "god"; did you mean good?`},
		{"each:\n  leaderbord: {width: 3in}", `there is no table or figure "leaderbord"; did you mean leaderboard?`},
		{"font: serrif", `paper.yaml:1:7: there is no typeface "serrif"; did you mean serif?`},
		{"only: [leaderboard]\nprovenance: [measured]",
			`leaderboard has nothing to show (its SELECT gives no measured rows)`},
		{"only: [leaderboard]\ncaptioners: [good]\nprovenance: [simulated]", `the choices leave no simulated rows`},
		{"only: [\"leader*\"]\nprovenance: [measured]", `the choices leave nothing to show`},
		{"only: &a [x]", `is a reference to another place`},
	} {
		expect.Refusal(chosen(t, c.yaml))(t, c.want)
	}
}
