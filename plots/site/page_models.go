package site

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
)

var modelsPage = Page{Name: "models", Build: buildModels}

// model is what the page of a captioner shows.
type model struct {
	captioner
	About  data.Model
	Known  bool // the registry knows it
	Losses []loss
	Parts  []modelPart
	Facts  []martBoard
}

// modelPart is what rows of one kind of one benchmark say of a captioner.
type modelPart struct {
	Title, Path, Kind string
	Standing          *Board
	Profiles          []profile
}

// profile is a table of where a captioner is strong and where it is weak.
type profile struct {
	Title    string
	Settings []Setting
	Duel     bool
	Board    *Board
	Mart     Link
}

// loss is a part of a benchmark in which another captioner is far ahead.
type loss struct {
	Benchmark, Kind, Part, Value string
	To                           Link
	ToValue, Behind              string
	behind                       float64
}

// martBoard is a mart's rows of one captioner.
type martBoard struct {
	What  string
	Mart  Link
	Board *Board
}

// mostLosses is how many losses are listed of each benchmark and kind of rows.
const mostLosses = 4

func buildModels(ctx context.Context, b *Builder) error {
	if len(b.captioners) == 0 {
		return nil
	}
	registry, err := data.Registry()
	if err != nil {
		return err
	}
	known := map[string]data.Model{}
	for _, m := range registry.All() {
		known[m.ModelID] = m
	}
	var all []model
	for _, c := range b.captioners {
		m := model{captioner: c}
		m.About, m.Known = known[c.ID]
		if err := b.fill(ctx, &m); err != nil {
			return err
		}
		all = append(all, m)
	}
	index, err := b.modelIndex(ctx, all)
	if err != nil {
		return err
	}
	b.Add(Document{Path: "models.html", Title: "Models", Nav: "Models", Template: "models", Data: index})
	for _, m := range all {
		b.Add(Document{Path: m.Path, Title: m.Name, Template: "model", Data: m})
	}
	return nil
}

// fill gathers what the lake says of a captioner.
func (b *Builder) fill(ctx context.Context, m *model) error {
	for _, bench := range data.Benchmarks() {
		headline, err := b.rows(ctx, bench.Headline)
		if err != nil {
			return err
		}
		headline = headline.of(bench)
		for _, kind := range kinds() {
			part := modelPart{Title: bench.Title, Path: benchmarkPath(bench), Kind: kind}
			if headline != nil {
				if own := headline.is(captionerColumn, m.ID).is(kindColumn, kind); own != nil {
					part.Standing = b.leaderboard(bench, own, m.Name+" in "+bench.Title+", "+stamp(kind), bench.HeadlineValue)
					part.Standing.Name = slug(m.ID) + "_" + bench.Headline
					part.Standing.drop(nameColumn, kindColumn)
				}
			}
			for _, p := range bench.Profiles {
				shown, losses, err := b.profile(ctx, bench, p, kind, m.captioner)
				if err != nil {
					return err
				}
				if shown != nil {
					part.Profiles = append(part.Profiles, *shown)
					m.Losses = append(m.Losses, losses...)
				}
			}
			if part.Standing != nil || len(part.Profiles) > 0 {
				m.Parts = append(m.Parts, part)
			}
		}
	}
	slices.SortStableFunc(m.Parts, func(x, y modelPart) int {
		return cmp.Compare(slices.Index(kinds(), x.Kind), slices.Index(kinds(), y.Kind))
	})
	slices.SortStableFunc(m.Losses, func(x, y loss) int {
		return cmp.Compare(slices.Index(kinds(), x.Kind), slices.Index(kinds(), y.Kind))
	})
	for _, bench := range data.Benchmarks() {
		for _, mart := range bench.Facts {
			r, err := b.rows(ctx, mart)
			if err != nil {
				return err
			}
			if r == nil {
				continue
			}
			if r = r.is(captionerColumn, m.ID); r == nil {
				continue
			}
			board := b.leaderboard(bench, r, mart+" of "+m.Name, "")
			board.drop(nameColumn)
			board.Name = slug(m.ID) + "_" + mart
			about, _ := b.mart(mart)
			m.Facts = append(m.Facts, martBoard{about.What, Link{martPath(mart), mart}, board})
		}
	}
	return nil
}

// drop removes columns.
func (o *Board) drop(ids ...string) {
	for i := len(o.Columns) - 1; i >= 0; i-- {
		if slices.Contains(ids, o.Columns[i].ID) && len(o.Columns) > 1 {
			o.Columns = slices.Delete(o.Columns, i, i+1)
			for s := range o.Sections {
				for r := range o.Sections[s].Rows {
					o.Sections[s].Rows[r] = slices.Delete(o.Sections[s].Rows[r], i, i+1)
				}
			}
		}
	}
}

// profile holds a captioner against all others in each part of a benchmark; nil without rows of the captioner.
func (b *Builder) profile(ctx context.Context, bench data.Benchmark, p data.Profile, kind string, c captioner) (*profile, []loss, error) {
	r, err := b.rows(ctx, p.Mart)
	if err != nil || r == nil {
		return nil, nil, err
	}
	if r = r.of(bench).is(kindColumn, kind); r == nil {
		return nil, nil, nil
	}
	part := strings.TrimSuffix(p.Part, "_name") // the column that a name stands for
	r, settings := b.main(r, bench, kind, p.Part, part, p.Group)
	own := r.is(captionerColumn, c.ID).where(func(row []any) bool { return r.text(row, p.Part) != "" && r.number(row, p.Value).Valid })
	if own == nil {
		return nil, nil, nil
	}
	out := &profile{Title: p.Title, Settings: settings, Duel: p.Duel, Mart: Link{martPath(p.Mart), p.Mart}}
	decimals := r.decimalsOf(p.Value)
	value := report.Column{ID: p.Value, Head: heading(p.Value), Decimals: decimals, Range: true}
	g := &report.Grid{Columns: []report.Column{{ID: p.Part, Head: heading(p.Part), Decimals: -1}}}
	if p.Group != "" {
		g.Columns = append(g.Columns, report.Column{ID: p.Group, Head: heading(p.Group), Decimals: -1})
	}
	g.Columns = append(g.Columns, value)
	if p.Duel {
		g.Columns = append(g.Columns, report.Column{ID: "n_battles", Head: "Battles"})
	} else {
		g.Columns = append(g.Columns, report.Column{ID: "place", Head: "Place"}, report.Column{ID: "n_captioners", Head: "of"},
			report.Column{ID: "best_name", Head: "Best of the others", Decimals: -1}, report.Column{ID: "best", Head: "Its value", Decimals: decimals},
			report.Column{ID: "behind", Head: "Difference", Decimals: decimals, Signed: true})
	}
	section := report.Section{}
	best := make([]string, 0, len(own.cells))
	var losses []loss
	slices.SortStableFunc(own.cells, func(x, y []any) int {
		if p.Duel {
			return cmp.Compare(r.number(x, p.Value).Value, r.number(y, p.Value).Value)
		}
		return cmp.Or(strings.Compare(r.text(x, p.Group), r.text(y, p.Group)), bench.CompareDomains(r.text(x, p.Part), r.text(y, p.Part)))
	})
	for _, row := range own.cells {
		v := r.number(row, p.Value).Value
		cells := []report.Cell{{Text: data.Plain(r.text(row, p.Part))}}
		if p.Group != "" {
			cells = append(cells, report.Cell{Text: data.Plain(r.text(row, p.Group))})
		}
		cell := report.Cell{Value: r.number(row, p.Value)}
		if low, high := r.number(row, p.Value+"_low"), r.number(row, p.Value+"_high"); low.Valid && high.Valid {
			cell.Low, cell.High = low, high
		}
		cells = append(cells, cell)
		if p.Duel {
			section.Rows = append(section.Rows, append(cells, report.Cell{Value: r.number(row, "n_battles")}))
			best = append(best, "")
			if high := cell.High; high.Valid && high.Value < 50 {
				losses = append(losses, loss{Benchmark: bench.Title, Kind: kind, Part: "battles", Value: printed(value, v), To: b.link(r.text(row, part), r.text(row, p.Part)), behind: 50 - v})
			}
			continue
		}
		place, of, ahead := 1, 1, []any(nil)
		for _, other := range r.cells {
			n := r.number(other, p.Value)
			if !n.Valid || r.text(other, captionerColumn) == c.ID || r.text(other, captionerColumn) == "" || r.text(other, p.Part) != r.text(row, p.Part) || r.text(other, p.Group) != r.text(row, p.Group) {
				continue
			}
			of++
			if n.Value != v && (n.Value < v) == p.Lowest {
				place++
			}
			if ahead == nil || n.Value != r.number(ahead, p.Value).Value && (n.Value < r.number(ahead, p.Value).Value) == p.Lowest {
				ahead = other
			}
		}
		cells = append(cells, number(float64(place)), number(float64(of)))
		if ahead == nil {
			section.Rows, best = append(section.Rows, append(cells, report.Cell{Text: "–"}, report.Cell{Text: "–"}, report.Cell{Text: "–"})), append(best, "")
			continue
		}
		a := r.number(ahead, p.Value).Value
		section.Rows = append(section.Rows, append(cells, report.Cell{Text: data.Plain(r.text(ahead, nameColumn))}, number(a), number(v-a)))
		best = append(best, fmt.Sprintf("%.8g", a))
		behind := a - v
		if p.Lowest {
			behind = -behind
		}
		if behind > 0 && p.Group != "" {
			losses = append(losses, loss{Benchmark: bench.Title, Kind: kind, Part: data.Plain(r.text(row, p.Part)) + ", " + data.Plain(r.text(row, p.Group)), Value: printed(value, v),
				To: b.link(r.text(ahead, captionerColumn), r.text(ahead, nameColumn)), ToValue: printed(value, a), Behind: printed(value, behind), behind: behind})
		}
	}
	g.Sections = []report.Section{section}
	out.Board = b.printed(slug(c.ID)+"_"+p.Mart, p.Title+" of "+c.Name, g.Print())
	at := slices.IndexFunc(out.Board.Columns, func(col BoardColumn) bool { return col.ID == p.Value })
	out.Board.Columns[at].Main = true
	if p.Group != "" {
		out.Board.Columns[1].Facet = true
	}
	for i := range best {
		out.Board.Sections[0].Rows[i][at].Best = best[i]
		if p.Duel {
			out.Board.Sections[0].Rows[i][0].Link = b.modelPath(r.text(own.cells[i], part))
		}
	}
	slices.SortStableFunc(losses, func(x, y loss) int { return cmp.Compare(y.behind, x.behind) })
	return out, losses[:min(len(losses), mostLosses)], nil
}

func number(v float64) report.Cell {
	var c report.Cell
	c.Value.Value, c.Value.Valid = v, true
	return c
}

// printed is a number as it is printed in a column.
func printed(c report.Column, v float64) string {
	g := report.Grid{Columns: []report.Column{c}, Sections: []report.Section{{Rows: [][]report.Cell{{number(v)}}}}}
	return g.Print().Sections[0].Rows[0][0].Text
}

func (b *Builder) link(id, name string) Link { return Link{b.modelPath(id), name} }

// modelIndex is the table of all captioners: what they are, and the value of each benchmark by the rows that people look at first.
func (b *Builder) modelIndex(ctx context.Context, all []model) (*Board, error) {
	board := &Board{Name: "models", Label: "All captioners", Columns: []BoardColumn{
		{ID: nameColumn, Head: "Captioner"}, {ID: "organization", Head: "Made by", Facet: true}, {ID: "model_type", Head: "Type", Facet: true}, {ID: "size", Head: "Size"},
	}}
	rows := make([][]BoardCell, len(all))
	text := func(s string) BoardCell { return BoardCell{PrintedCell: report.PrintedCell{Text: s}} }
	for i, m := range all {
		name := text(m.Name)
		name.Link = m.Path
		rows[i] = []BoardCell{name, text(m.About.Organization), text(m.About.ModelType), text(m.About.Size)}
	}
	for _, bench := range data.Benchmarks() {
		headline, err := b.rows(ctx, bench.Headline)
		if err != nil {
			return nil, err
		}
		if headline = headline.of(bench); headline == nil {
			continue
		}
		for _, kind := range kinds() {
			r := headline.is(kindColumn, kind)
			if r == nil {
				continue
			}
			r, _ = b.main(r, bench, kind)
			value := bench.HeadlineValue
			if r.empty(value) { // the printed order
				if value = r.rank(); value == "" {
					continue
				}
			}
			column := report.Column{ID: bench.Name + "_" + kind, Head: bench.Title + ", " + kind, Decimals: r.decimalsOf(value), Range: true}
			board.Columns = append(board.Columns, BoardColumn{ID: column.ID, Head: column.Head + ", " + strings.ToLower(heading(value)), Number: true, Ascending: r.about[value].Unit == "rank"})
			for i, m := range all {
				cell := report.Cell{Text: "–"}
				if own := r.is(captionerColumn, m.ID); own != nil {
					if n := own.number(own.cells[0], value); n.Valid {
						cell = report.Cell{Value: n}
						if low, high := own.number(own.cells[0], value+"_low"), own.number(own.cells[0], value+"_high"); low.Valid && high.Valid {
							cell.Low, cell.High = low, high
						}
					}
				}
				g := report.Grid{Columns: []report.Column{column}, Sections: []report.Section{{Rows: [][]report.Cell{{cell}}}}}
				rows[i] = append(rows[i], BoardCell{PrintedCell: g.Print().Sections[0].Rows[0][0]})
			}
		}
	}
	board.Sections = []BoardSection{{Rows: rows}}
	return board, nil
}
