package plots

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// figures are the files of sql/figures.
func figures(t *testing.T) []*ggsql.File {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(must.Get(ggsql.All())(t)),
		func(f *ggsql.File) bool { return f.Form != "figure" })
}

// Each file of sql/figures is drawn by one benchmark, and says what it shows and where in which
// paper.
func TestFiguresAreDeclared(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range figures(t) {
		if seen[f.Name] || f.Shows == "" || f.Paper == "" || len(f.Reads) == 0 {
			t.Errorf("figure %s is listed twice, or lacks what it shows, its paper or its marts", f.Name)
		}
		seen[f.Name] = true
		if plot := must.Get(f.Plot())(t); plot != nil && len(strings.Fields(plot.Labels["subtitle"])) > 15 {
			t.Errorf("the subtitle of %s has more than 15 words", f.Name)
		}
	}
	order := func(f *ggsql.File) int {
		return slices.IndexFunc(data.Benchmarks(), func(b data.Benchmark) bool { return b.Name == f.Benchmark })
	}
	place := map[string]int{}
	all := figures(t)
	for i, f := range all {
		if place[f.Benchmark]++; order(f) < 0 || f.Place != place[f.Benchmark] || i > 0 && order(all[i-1]) > order(f) {
			t.Errorf("%s: the benchmark is %q and the place %d; figures of a benchmark have the places 1, 2, 3 …",
				f.Path, f.Benchmark, f.Place)
		}
	}
}

// README says of every figure how it differs from the paper's.
func TestReadmeComparesEveryFigureWithThePapers(t *testing.T) {
	text := must.Read(t, "README.md")
	_, table, _ := strings.Cut(string(text), "## Beside the papers' figures")
	for _, f := range figures(t) {
		expect.Contains(t, table, "`"+f.Name+"`")
	}
	for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(table, -1) {
		if !slices.ContainsFunc(figures(t), func(f *ggsql.File) bool { return f.Name == m[1] }) {
			t.Errorf("README.md names figure %s, which is not drawn", m[1])
		}
	}
}

var domains = data.CaptionQA().DomainNames()

// Colours of eight own domains stay apart, and text in them can be read.
func TestOwnDomainsHaveColours(t *testing.T) {
	var names []string
	for i := range domainInks[4:] {
		names = append(names, fmt.Sprintf("Own %02d", i))
	}
	set := domainSet(data.CaptionQA().WithOwn(names))
	for i, a := range set {
		if c := contrast(set.text(a.Name)); c < 4.5 {
			t.Errorf("text of domain %d has a contrast of %.2f", i, c)
		}
		for j, b := range set[:i] {
			d := unlike(lab(linear(set.color(a.Name))), lab(linear(set.color(b.Name))))
			if d < 15 || math.IsNaN(d) {
				t.Errorf("domains %d and %d are %.1f apart", j, i, d)
			}
		}
	}
}
