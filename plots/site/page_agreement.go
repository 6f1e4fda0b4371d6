package site

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
)

var agreementPage = Page{Name: "agreement", Build: buildAgreement}

// The marts that hold benchmarks against each other.
const (
	agreementMart = "benchmark_agreement"
	placesMart    = "benchmark_places"
)

// agreement is what the page about all benchmarks shows.
type agreement struct {
	Figures []shownFigure
	Tables  []shownTable
	Apart   []apart
	Most    int // captioners that the pair with most of them shares
	Places  *Board
	Length  *Board
	Marts   []Link
}

// apart is a captioner of which two benchmarks think differently.
type apart struct {
	To             Link
	A, B           string
	PlaceA, PlaceB string
	Of             string
	Kind           string
	difference     float64
}

// mostApart is how many of them are listed of each kind of rows.
const mostApart = 8

func buildAgreement(ctx context.Context, b *Builder) error {
	pairs, err := b.rows(ctx, agreementMart)
	if err != nil {
		return err
	}
	places, err := b.rows(ctx, placesMart)
	if err != nil || pairs == nil && places == nil {
		return err
	}
	var p agreement
	for _, kind := range kinds() {
		for _, i := range b.Report.Items {
			if i.Provenance != kind || !slices.ContainsFunc(i.Rows, func(u report.Use) bool { return u.Mart == agreementMart || u.Mart == placesMart }) {
				continue
			}
			if i.Grid() == nil {
				p.Figures = append(p.Figures, b.figure(i))
			} else {
				p.Tables = append(p.Tables, b.table(i))
			}
		}
	}
	if places != nil {
		p.Marts = append(p.Marts, Link{martPath(placesMart), placesMart})
		p.Apart = b.apart(places)
		p.Places = b.leaderboard(data.Benchmark{}, places, "Places of the captioners that two benchmarks share", "difference")
		for _, row := range places.cells {
			p.Most = max(p.Most, int(places.number(row, "n_models").Value))
		}
	}
	if pairs != nil {
		p.Marts = append(p.Marts, Link{martPath(agreementMart), agreementMart})
		if length := pairs.is("kind", "length"); length != nil {
			p.Length = b.leaderboard(data.Benchmark{}, length, "Rank correlation of each benchmark with the length of its captions", "spearman")
			p.Length.drop("series_b_name", "benchmark_b", "prompt_b")
		}
	}
	b.Add(Document{Path: "agreement.html", Title: "Do the benchmarks agree?", Nav: "Agreement", Template: "agreement", Data: p})
	return nil
}

// apart lists the captioners whose places differ most, as a share of the captioners compared.
func (b *Builder) apart(places *rows) []apart {
	var out []apart
	for _, kind := range kinds() {
		var some []apart
		for _, row := range places.cells {
			n, difference := places.number(row, "n_models").Value, places.number(row, "difference").Value
			if places.text(row, kindColumn) != kind || n < 3 || difference == 0 {
				continue
			}
			some = append(some, apart{
				To: b.link(places.text(row, captionerColumn), places.text(row, nameColumn)), A: places.text(row, "series_a_name"), B: places.text(row, "series_b_name"),
				PlaceA: places.text(row, "place_a"), PlaceB: places.text(row, "place_b"), Of: places.text(row, "n_models"), Kind: kind, difference: math.Abs(difference) / n,
			})
		}
		slices.SortStableFunc(some, func(x, y apart) int { return cmp.Compare(y.difference, x.difference) })
		out = append(out, some[:min(len(some), mostApart)]...)
	}
	return out
}
