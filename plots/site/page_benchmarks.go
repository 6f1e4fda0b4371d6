package site

import (
	"context"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
)

var benchmarksPage = Page{Name: "benchmarks", Build: buildBenchmarks}

// benchmark is what the page of a benchmark shows.
type benchmark struct {
	data.Benchmark
	Board   *Board
	Columns []BoardColumn // those of the board that have a meaning to tell
	Mart    Link
	Source  string
	More    []moreBoard
	Figures []shownFigure
	Tables  []tableGroup
	Skipped []report.Item
}

// moreBoard is a mart of results by parts of the benchmark.
type moreBoard struct {
	Title string
	Mart  Link
}

// more are the leaderboards by the parts of a benchmark.
func (b *Builder) more(ctx context.Context, bench data.Benchmark) ([]moreBoard, error) {
	var out []moreBoard
	for _, p := range bench.Profiles {
		r, err := b.rows(ctx, p.Mart)
		if err != nil {
			return nil, err
		}
		if r = r.of(bench); r == nil {
			continue
		}
		out = append(out, moreBoard{p.Title, Link{martPath(p.Mart), p.Mart}})
	}
	return out, nil
}

// tableGroup is one table of the paper with the kinds of rows that it was made of.
type tableGroup struct {
	Title, Paper string
	Tables       []shownTable
}

// tablesFolder is where the pages of single tables are.
const tablesFolder = "tables/"

func tablePath(i report.Item) string { return tablesFolder + i.Name + "_" + i.Provenance + ".html" }

func buildBenchmarks(ctx context.Context, b *Builder) error {
	for _, bench := range data.Benchmarks() {
		p := benchmark{Benchmark: bench}
		r, err := b.rows(ctx, bench.Headline)
		if err != nil {
			return err
		}
		if r = r.of(bench); r != nil {
			p.Board = b.leaderboard(bench, r, "Leaderboard of "+bench.Title, bench.HeadlineValue)
			p.Mart = Link{martPath(bench.Headline), bench.Headline}
			if m, ok := b.mart(bench.Headline); ok {
				p.Source = m.Source
			}
			for _, c := range p.Board.Columns {
				if c.Comment != "" {
					p.Columns = append(p.Columns, c)
				}
			}
		}
		if p.More, err = b.more(ctx, bench); err != nil {
			return err
		}
		at := map[string]int{}
		for _, kind := range kinds() {
			for _, i := range b.Report.Items {
				switch {
				case i.Benchmark != bench.Name || i.Provenance != kind:
				case i.Skipped != "":
					p.Skipped = append(p.Skipped, i)
				case i.Grid() == nil:
					p.Figures = append(p.Figures, b.figure(i))
				default:
					t := b.table(i)
					b.Add(Document{Path: tablePath(i), Title: i.Title, Template: "table", Data: tableOf{t, Link{benchmarkPath(bench), bench.Title}}})
					k, ok := at[i.Name]
					if !ok {
						k = len(p.Tables)
						at[i.Name] = k
						p.Tables = append(p.Tables, tableGroup{Title: i.Title, Paper: i.Paper})
					}
					p.Tables[k].Tables = append(p.Tables[k].Tables, t)
				}
			}
		}
		if p.Board == nil && len(p.More) == 0 && len(p.Figures) == 0 && len(p.Tables) == 0 {
			continue
		}
		b.Add(Document{Path: benchmarkPath(bench), Title: bench.Title, Nav: bench.Title, Template: "benchmark", Data: p})
	}
	return nil
}

// tableOf is what the page of one table shows.
type tableOf struct {
	shownTable
	Benchmark Link
}

// Page is where the table has a page of its own.
func (t shownTable) Page() string { return tablePath(t.Item) }
