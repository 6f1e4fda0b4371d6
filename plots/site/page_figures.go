package site

import (
	"context"

	"github.com/captionlake/captionlake/data"
)

var figuresPage = Page{Name: "figures", Build: buildFigures}

// figureGroup are the figures of one benchmark, own ones first.
type figureGroup struct {
	Title, Path, ID string
	Figures         []shownFigure
}

func buildFigures(_ context.Context, b *Builder) error {
	var groups []figureGroup
	for _, bench := range data.Benchmarks() {
		g := figureGroup{Title: bench.Title, Path: benchmarkPath(bench), ID: bench.Name}
		for _, kind := range kinds() {
			for _, i := range b.Report.Items {
				if i.Benchmark == bench.Name && i.Provenance == kind && i.Skipped == "" && i.Grid() == nil {
					g.Figures = append(g.Figures, b.figure(i))
				}
			}
		}
		if len(g.Figures) > 0 {
			groups = append(groups, g)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	b.Add(Document{Path: "figures.html", Title: "Figures", Nav: "Figures", Template: "figures", Data: groups})
	return nil
}
