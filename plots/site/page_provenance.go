package site

import (
	"context"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/plots/report"
)

var provenancePage = Page{Name: "provenance", Build: buildProvenance}

// martsFolder is where the pages of marts are.
const martsFolder = "marts/"

func martPath(mart string) string { return martsFolder + mart + ".html" }

// martPage is what the page of a mart shows.
type martPage struct {
	report.Mart
	Model  Model
	Inputs []Link // other marts have pages, base tables have none
	Items  []shownItem
	Runs   []report.RunGroup
}

// provenance is what the page of all marts and runs shows.
type provenance struct {
	Marts []martPage
	Runs  []report.RunGroup
}

func buildProvenance(_ context.Context, b *Builder) error {
	all := map[string]report.Mart{}
	for _, m := range b.marts {
		all[m.Name] = m
	}
	items := map[string][]shownItem{}
	for _, i := range b.Report.Items {
		for _, u := range i.Rows {
			items[u.Mart] = append(items[u.Mart], b.item(i))
		}
	}
	p := provenance{Runs: report.GroupRuns(b.runs)}
	for _, m := range b.marts {
		m.Tables = report.BaseTables(m.Name, all)
		page := martPage{Mart: m, Items: items[m.Name]}
		page.Model, _ = b.Source.Model(m.Name)
		for _, input := range strings.Fields(m.Inputs) {
			name, _, _ := strings.Cut(input, "=")
			l := Link{Words: name}
			if _, ok := all[name]; ok {
				l.Path = martPath(name)
			}
			page.Inputs = append(page.Inputs, l)
		}
		page.Runs = report.GroupRuns(runsBehind(b.runs, m.Tables))
		p.Marts = append(p.Marts, page)
		b.Add(Document{Path: martPath(m.Name), Title: m.Name, Template: "mart", Data: page})
	}
	b.Add(Document{Path: "provenance.html", Title: "Where each number comes from", Nav: "Provenance", Template: "provenance", Data: p})
	return nil
}

// runsBehind are the runs that wrote any of the tables.
func runsBehind(runs []report.Run, tables []string) []report.Run {
	var out []report.Run
	for _, r := range runs {
		if slices.ContainsFunc(r.Tables, func(t string) bool { return slices.Contains(tables, t) }) {
			out = append(out, r)
		}
	}
	return out
}
