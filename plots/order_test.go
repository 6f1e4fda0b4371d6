package plots

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// everyMart has rows of all marts that figures need, of the published domains and prompts, of several captioners wherever there can be.
func everyMart(t *testing.T) []Tables {
	t.Helper()
	lake := ownLake(t, domains, prompts)
	lake["reader_comparison"] = table(t, "reader_comparison", []string{"protocol", "reader", "provenance", "reader_name", "faithfulness", "accuracy", "accuracy_sd", "questions_per_second"},
		[]any{"p", "r-a", "measured", "r-a", 90, 80, 1, 2}, []any{"p", "r-b", "measured", "r-b", 80, 70, 1, 2})
	lake["taxonomy_nodes"], lake["caption_examples"] = taxonomyTable(t), captionsTable(t)
	rubrics := []Tables{rubricTables(t), rubricTables(t)}
	for name, other := range rubrics[1] { // the same of the other benchmark of annotated elements
		var err error
		if rubrics[1][name], err = other.Replaced("benchmark", func(int, any) any { return "cv-capbench" }); err != nil {
			t.Fatal(err)
		}
	}
	return append(rubrics, lake, arenaTables(t, 5, false))
}

// pointsOnly are the figures that show captioners as points at their values, where an order has no meaning.
var pointsOnly = []string{"arena_benchmarks", "benchmark_slopes"}

// Every figure that has captioners one after another has them in the order that is asked for, and every figure has the names that are asked
// for in place of all names and ids of models. A new figure needs rows in everyMart.
func TestOrderAndNamesInEveryFigure(t *testing.T) {
	shownName := regexp.MustCompile(`Shown (\d\d)`)
	for _, f := range byHand() {
		t.Run(f.Name, func(t *testing.T) {
			ts := Tables(nil)
			for _, of := range everyMart(t) {
				if !slices.ContainsFunc(f.Needs, func(n string) bool { return of[n] == nil }) {
					if _, err := f.Draw(of, Page{Captions: say(9)}); err == nil {
						ts = of
					} else if !errors.Is(err, ErrNoRows) {
						t.Fatal(err)
					}
				}
			}
			if ts == nil {
				t.Fatal("everyMart has no rows of the figure")
			}
			// Captioners are asked for by id, but the first two last, and called so that their names say the place and have another order.
			models, captioners := map[string]string{}, map[string]bool{}
			for _, of := range ts {
				for _, column := range []string{"captioner", "reader", "judge"} {
					if !of.Has(column) {
						continue
					}
					ids, err := of.OptionalStrings(column)
					must.Succeed(t, err)
					for _, id := range ids {
						models[id] = fmt.Sprintf("Other %d", len(models))
						captioners[id] = captioners[id] || column == "captioner"
					}
				}
			}
			delete(models, "")
			delete(models, arenaPeople) // a word of the figures
			page := Page{Captions: say(9)}
			for _, id := range slices.Sorted(maps.Keys(models)) {
				if captioners[id] {
					page.Order = append(page.Order, id)
				}
			}
			if len(page.Order) > 2 {
				page.Order = append(page.Order[2:], page.Order[:2]...)
			}
			for k, id := range page.Order {
				models[id] = fmt.Sprintf("Shown %02d", 99-k)
			}
			page.Names = models
			renamed := Tables{}
			for name, of := range ts {
				var err error
				for _, column := range []string{"captioner", "reader", "judge"} {
					if of.Has(column) && of.Has(column+"_name") {
						ids, _ := of.OptionalStrings(column)
						if of, err = of.Replaced(column+"_name", func(i int, before any) any { return models[ids[i]] }); err != nil {
							t.Fatal(err)
						}
					}
				}
				renamed[name] = of
			}
			var raw []string
			for id := range models {
				raw = append(raw, regexp.QuoteMeta(id))
			}
			old := regexp.MustCompile(`(^|[^\w-])(` + strings.Join(raw, "|") + `)($|[^\w-])`)
			// drawn are the places of the captioners in the order in which they are written.
			drawn := func(on Page) (places []int) {
				t.Helper()
				d, err := f.Draw(renamed, on)
				must.Succeed(t, err)
				labels, err := d.Labels()
				must.Succeed(t, err)
				for _, l := range labels {
					if old.MatchString(l.Text) {
						t.Errorf("%q has a name of the lake", l.Text)
					}
					if m := shownName.FindStringSubmatch(l.Text); m != nil {
						k, _ := strconv.Atoi(m[1])
						places = append(places, 99-k)
					}
				}
				return places
			}
			asked, own := drawn(page), drawn(Page{Names: page.Names, Captions: say(9)})
			if slices.Contains(pointsOnly, f.Name) || len(asked) < 2 {
				return
			}
			least, last := slices.Min(asked), -1
			for _, k := range asked {
				if k <= last && k != least { // each block of a chart has all
					t.Errorf("captioners are in the order %v", asked)
					break
				}
				last = k
			}
			if slices.Equal(asked, own) {
				t.Errorf("the figure has the order %v by itself, which proves nothing", own)
			}
		})
	}
}
