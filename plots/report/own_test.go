package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/rows"
)

// Tables and figures say what they are about.
func TestTablesSayTheirBenchmark(t *testing.T) {
	for _, f := range shownAs(t, "table", "page") {
		if b := data.BenchmarkOf(f.Benchmark); b.Name != f.Benchmark {
			t.Errorf("%s: there is no benchmark %q", f.Path, f.Benchmark)
		}
		if f.Form == "table" && (f.Shows == "" || f.Paper == "" || len(f.Reads) == 0 || len(f.Columns) == 0) {
			t.Errorf("%s lacks what it shows, its paper, its marts or its columns", f.Path)
		}
	}
}

// ownSource is a lake of one captioner with answers in the domains under the prompts, its main
// table as the SQL model gives it.
func ownSource(t *testing.T, domains, prompts []string) fakeSource {
	t.Helper()
	var scores, gaps [][]any
	for p, prompt := range prompts {
		scores = append(scores,
			[]any{"overall", "caption", "captionqa/upstream", "r", "m", "M", "open", prompt, data.DomainOverall,
				"measured", 60 + float64(p), nil, nil, nil, nil})
		for k, d := range domains {
			s := 50 + float64(k+p)
			scores = append(scores,
				[]any{"domain", "caption", "captionqa/upstream", "r", "m", "M", "open", prompt, d, "measured", s, s - 1,
					100 - s, s - 2, s + 2})
			gaps = append(gaps, []any{prompt, "M", "m", d, 5 + float64(k), 10, "measured"})
		}
	}
	return fakeSource{t, map[string]*rows.Rows{
		"captionqa_scores": laketest.Rows(t, "captionqa_scores", scoreColumns, scores...),
		"captionqa_gap": laketest.Rows(t, "captionqa_gap",
			[]string{"prompt", "captioner_name", "captioner", "domain", "gap", "relative_gap", "provenance"}, gaps...),
	}}
}

// A user's own domains have their columns, and with own prompts their tables and figures, escaped
// in every form; whether there are one, five or twelve of them, with the published ones or without.
func TestOwnDomainsInTheReport(t *testing.T) {
	const odd = "Photos & 50% <b>_x|\\input{y}"
	var twelve []string
	for i := range 12 {
		twelve = append(twelve, fmt.Sprintf("Own %02d", i+1))
	}
	for name, c := range map[string]struct{ domains, prompts []string }{
		"one":    {[]string{odd}, []string{"Haiku", "日本"}},
		"five":   {append(data.CaptionQA().DomainNames(), "Photos"), []string{"Simple", "Haiku"}},
		"twelve": {twelve, []string{"Simple", "Long"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := build(t, ownSource(t, c.domains, c.prompts), Options{})
			main, gaps := content(t, r, "tables/table_03_main_measured.csv"), content(t, r,
				"tables/table_04_gap_measured.csv")
			own := data.CaptionQA().WithOwn(c.domains)[len(data.CaptionQA().Domains):]
			for _, d := range own {
				column := columnIDs([]string{d.Name})[0]
				expect.Contains(t, main, ","+column+",")
				expect.Contains(t, strings.SplitN(gaps, "\n", 2)[0], column)
				for _, prompt := range c.prompts {
					id := slug("results " + d.Name + " " + prompt)
					text := content(t, r, "tables/"+id+"_measured.md")
					expect.Contains(t, text, "another domain or prompt")
					expect.Lacks(t, text, "<b>", "|\\input{")
					expect.Lacks(t, content(t, r, "tables/"+id+"_measured.tex"), "\\input{y}", "50% <b>")
				}
			}
			if strings.Contains(main, ",natural") != slices.Contains(c.domains, data.CaptionQA().Domains[0].Name) {
				t.Errorf("published domains without rows have columns, or those with rows have none:\n%s", main)
			}
			leaderboard := content(t, r, "figures/leaderboard_measured.svg")
			for _, d := range own {
				if d.Name != odd && !strings.Contains(leaderboard, d.Name) {
					t.Errorf("%s has no panel", d.Name)
				}
			}
		})
	}
}
