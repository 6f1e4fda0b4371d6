package plots

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// Each file of sql/figures is drawn by one benchmark, and says what it shows and where in which paper.
func TestFiguresAreDeclared(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Figures() {
		if seen[f.Name] || f.File.Shows == "" || f.Title == "" || f.Paper == "" || len(f.File.Reads) == 0 {
			t.Errorf("figure %s is listed twice, or lacks what it shows, its title, its paper or its marts", f.Name)
		}
		seen[f.Name] = true
		if plot, _ := f.File.Plot(); plot != nil && len(strings.Fields(plot.Labels["subtitle"])) > 15 {
			t.Errorf("the subtitle of %s has more than 15 words", f.Name)
		}
	}
	order := func(f Figure) int {
		return slices.IndexFunc(data.Benchmarks(), func(b data.Benchmark) bool { return b.Name == f.File.Benchmark })
	}
	place := map[string]int{}
	for i, f := range Figures() {
		if place[f.File.Benchmark]++; order(f) < 0 || f.File.Place != place[f.File.Benchmark] || i > 0 && order(Figures()[i-1]) > order(f) {
			t.Errorf("%s: the benchmark is %q and the place %d; figures of a benchmark have the places 1, 2, 3 …", f.File.Path, f.File.Benchmark, f.File.Place)
		}
	}
}

// README says of every figure how it differs from the paper's.
func TestReadmeComparesEveryFigureWithThePapers(t *testing.T) {
	text := must.Get(os.ReadFile("README.md"))(t)
	_, table, _ := strings.Cut(string(text), "## Beside the papers' figures")
	for _, f := range Figures() {
		if !strings.Contains(table, "`"+f.Name+"`") {
			t.Errorf("README.md does not say how figure %s differs from the paper's", f.Name)
		}
	}
	for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(table, -1) {
		if !slices.ContainsFunc(Figures(), func(f Figure) bool { return f.Name == m[1] }) {
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
	set := domainsOf(names...)
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
