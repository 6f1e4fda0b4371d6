package site

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
)

var overviewPage = Page{Name: "overview", Build: buildOverview}

// overview is what the first page shows.
type overview struct {
	Kinds    []overviewKind
	Holdings []Holding
	Warnings []string
	Findings []Finding
	Runs     []report.Run
	AllRuns  int
	Marts    int
}

// overviewKind has the best captioners of each benchmark by rows of one kind.
type overviewKind struct {
	Kind       string
	Benchmarks []standing
}

// standing is a benchmark with its best captioners.
type standing struct {
	Title, Path string
	Settings    []Setting
	Board       *Board
	More        int // captioners that are not shown
}

const (
	mostStandings = 5 // captioners of each benchmark on the overview
	mostRuns      = 10
)

func buildOverview(ctx context.Context, b *Builder) error {
	o := overview{Marts: len(b.marts)}
	for _, kind := range kinds() {
		k := overviewKind{Kind: kind}
		for _, bench := range data.Benchmarks() {
			s, err := b.standing(ctx, bench, kind)
			if err != nil {
				return err
			}
			if s != nil {
				k.Benchmarks = append(k.Benchmarks, *s)
			}
		}
		if len(k.Benchmarks) > 0 {
			o.Kinds = append(o.Kinds, k)
		}
	}
	var err error
	if o.Holdings, err = b.Source.Holdings(ctx); err != nil {
		return err
	}
	if o.Warnings, err = b.Source.Warnings(ctx); err != nil {
		return err
	}
	if o.Findings, err = b.findings(ctx); err != nil {
		return err
	}
	o.Runs = slices.Clone(b.runs)
	o.AllRuns = len(o.Runs)
	slices.SortFunc(o.Runs, func(x, y report.Run) int { return cmp.Or(y.Finished.Compare(x.Finished), strings.Compare(y.ID, x.ID)) })
	o.Runs = o.Runs[:min(len(o.Runs), mostRuns)]
	b.Add(Document{Path: indexName, Title: "Overview", Nav: "Overview", Template: "overview", Data: o})
	return nil
}

// standing is the head of a benchmark's leaderboard; nil without rows of the kind. Where the main mart has none, sums over the parts of
// another one take its place.
func (b *Builder) standing(ctx context.Context, bench data.Benchmark, kind string) (*standing, error) {
	title, value := bench.Title, bench.HeadlineValue
	r, err := b.rows(ctx, bench.Headline)
	r = r.of(bench).is(kindColumn, kind)
	for _, p := range bench.Profiles {
		if r != nil || err != nil || p.Duel {
			continue
		}
		if r, err = b.rows(ctx, p.Mart); r != nil {
			part := strings.TrimSuffix(p.Part, "_name")
			r = r.of(bench).is(kindColumn, kind).where(func(row []any) bool { return r.text(row, part) == "" || data.IsDomainSum(r.text(row, part)) })
			title, value = p.Title, p.Value
		}
	}
	if err != nil || r == nil {
		return nil, err
	}
	r, settings := b.main(r, bench, kind)
	board := b.leaderboard(bench, r, title+", "+stamp(kind), value)
	board.Plain, board.Fixed = true, nil
	s := &standing{Title: title, Path: benchmarkPath(bench), Settings: settings, Board: board}
	// Who, the place, and the value that decides it.
	var keep []int
	for i, c := range board.Columns {
		if c.ID == nameColumn || c.Main || c.Ascending {
			keep = append(keep, i)
		}
	}
	rows := board.Sections[0].Rows
	if s.More = len(rows) - mostStandings; s.More > 0 {
		rows = rows[:mostStandings]
	}
	var columns []BoardColumn
	for _, i := range keep {
		columns = append(columns, board.Columns[i])
	}
	for i, row := range rows {
		var cells []BoardCell
		for _, k := range keep {
			cells = append(cells, row[k])
		}
		rows[i] = cells
	}
	board.Columns, board.Sections[0].Rows = columns, rows
	return s, nil
}

// benchmarksFolder is where the pages of benchmarks are.
const benchmarksFolder = "benchmarks/"

func benchmarkPath(b data.Benchmark) string { return benchmarksFolder + b.Name + ".html" }
