package analytics

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/data/must"
)

// TestSamplesFromFixture compares the samples of the rows of testdata/samples with those that are written there by hand.
func TestSamplesFromFixture(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "samples", "samples.txtar"))
	must.Succeed(t, err)
	e := testEngine(t, engineConfig{})
	loadFixture(t, e, archive)
	for _, table := range []string{"answers", "judgments", "element_answers", "votes"} {
		must.Succeed(t, e.exec(t.Context(), "create macro counted_"+table+"() as table from "+table))
	}
	wanted := 0
	for _, f := range archive.Files {
		kind, is := strings.CutPrefix(f.Name, "want/")
		if !is {
			continue
		}
		wanted++
		must.Succeed(t, e.makeSamples(t.Context(), kind))
		var got strings.Builder
		for _, part := range []struct{ name, query string }{{"conditions", SampleConditions}, {"items", SampleItems}, {"details", SampleDetails}, {"captions", SampleCaptions}} {
			err := e.samples(t.Context(), kind, part.query, 0, 100, func(row []any) error {
				cells := make([]string, len(row))
				for i, v := range row {
					cells[i] = fixtureText(v)
					if part.name == "items" && i == 4 {
						cells[i] = inOrder(cells[i])
					}
				}
				var line strings.Builder
				w := csv.NewWriter(&line)
				err := w.Write(cells)
				w.Flush()
				fmt.Fprintf(&got, "%s: %s", part.name, &line)
				return err
			})
			if err != nil {
				t.Fatalf("%s of %s: %v", part.name, kind, err)
			}
		}
		if got.String() != string(f.Data) {
			t.Errorf("%s: got\n%s\nwant\n%s", kind, &got, f.Data)
		}
		var places []string
		if err := e.samples(t.Context(), kind, SampleDetails, 1, 2, func(row []any) error { places = append(places, fixtureText(row[0])); return nil }); err != nil || len(places) != 1 {
			t.Errorf("%s: details of one sample: %v %v", kind, places, err)
		}
	}
	if wanted != 3 {
		t.Errorf("%d kinds are wanted", wanted)
	}
}

// inOrder puts marks into the order of their conditions.
func inOrder(marks string) string {
	var all []string
	for ; len(marks) >= 5; marks = marks[5:] {
		all = append(all, marks[:5])
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

func fixtureText(v any) string {
	switch v := v.(type) {
	case nil:
		return nullText
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, fixtureText(x))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return fmt.Sprint(v)
}

// A lake whose marts are not built has no samples, which is no error; there is no other kind.
func TestSamplesBeforeTheModels(t *testing.T) {
	r, err := OpenReader(t.Context(), sampleLake(t), EngineOptions{})
	must.Succeed(t, err)
	defer r.Close()
	for range 2 {
		if err := r.Samples(t.Context(), "questions", SampleItems, 0, 0, func([]any) error { t.Error("there is a sample"); return nil }); err != nil {
			t.Error(err)
		}
	}
	if err := r.Samples(t.Context(), "../questions", SampleItems, 0, 0, func([]any) error { return nil }); err == nil {
		t.Error("another kind has samples")
	}
}
