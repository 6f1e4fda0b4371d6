package site

import (
	"path"
	"strings"

	"github.com/captionlake/captionlake/plots/report"
)

// shownItem is a table or a figure of the report with what leads to its files and to the marts that it was made from.
type shownItem struct {
	report.Item
	ID    string // in the page
	Shown string // which of several readers, protocols or banks
	Links []Link // files
	Marts []Link // pages
	Runs  []string
}

// shownTable is a table of the report.
type shownTable struct {
	shownItem
	Board *Board
	Notes []string
}

// shownFigure is a figure of the report.
type shownFigure struct {
	shownItem
	Picture string
}

func (b *Builder) item(i report.Item) shownItem {
	out := shownItem{Item: i, ID: i.Name + "-" + i.Provenance, Runs: b.Report.Stages(i)}
	var parts []string
	if i.Reader != "" {
		parts = append(parts, "Reader "+i.Reader+", protocol "+i.Protocol+".")
	}
	if i.Bank != "" {
		parts = append(parts, "Question bank "+i.Bank+".")
	}
	out.Shown = strings.Join(parts, " ")
	for _, f := range i.Files {
		out.Links = append(out.Links, Link{f, fileWords(f)})
	}
	for _, u := range i.Rows {
		out.Marts = append(out.Marts, Link{martPath(u.Mart), u.Mart})
	}
	return out
}

// fileWords names the form of a file.
func fileWords(name string) string {
	switch form := strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")); form {
	case "tex":
		return "LaTeX"
	case "md":
		return "Markdown"
	default:
		return strings.ToUpper(form)
	}
}

func (b *Builder) table(i report.Item) shownTable {
	printed := i.Grid().Print()
	t := shownTable{shownItem: b.item(i), Notes: printed.Notes}
	t.Board = b.printed(i.Name+"_"+i.Provenance, i.Title, printed)
	return t
}

func (b *Builder) figure(i report.Item) shownFigure {
	f := shownFigure{shownItem: b.item(i)}
	for _, l := range f.Links {
		if path.Ext(l.Path) == ".svg" {
			f.Picture = l.Path
		}
	}
	return f
}
