package report

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/sql"
)

// A Source holds the rows that a report is made from. Its methods may be called side by side.
type Source interface {
	// Marts lists the marts that the lake has of some names, by name.
	Marts(ctx context.Context, names []string) ([]sql.Mart, error)
	// Rows returns the rows that a SELECT gives over the rows of some kinds of the lake. Without
	// kinds, the SELECT reads the rows of all kinds. Equal lakes must give equal rows in equal
	// order.
	Rows(ctx context.Context, name, query string, kinds ...string) (*rows.Rows, error)
	Pictures
}

// Pictures are the pictures of a lake. The methods may be called side by side.
type Pictures interface {
	// Images lists the pictures of items, by image and frame. A picture is left out if the lake does
	// not have its file.
	Images(ctx context.Context) ([]data.Image, error)
	// Open opens the file of a picture.
	Open(path string) (files.File, error)
}

// A Comparer is a source that can compare captioners that were asked the same questions.
type Comparer interface {
	// Against compares each captioner of others with the captioner one, under a caption prompt, a
	// reader and a protocol. The result has the p-values of the differences, by captioner, domain
	// and metric, corrected after Holm.
	Against(ctx context.Context, one string, others []string, prompt, reader, protocol,
		kind string) (map[[3]string]float64, error)
}

// against marks the numbers that differ significantly from the numbers of one captioner, and says
// what the mark means. Only rows that have answers behind them are compared. Such rows have the
// ends of an interval.
func (b *builder) against(ctx context.Context, t *rows.Rows, one string, item Item) (*rows.Rows, []string, error) {
	source, ok := b.source.(Comparer)
	ids, prompts, domains := t.Read().TextIf("captioner"), t.Read().TextIf("prompt"), t.Read().TextIf("domain")
	if !ok || one == "" {
		return t, nil, nil
	}
	kind := data.ProvenanceMeasured // Published rows have no answers to compare.
	if item.Provenance == data.ProvenanceSimulated {
		kind = item.Provenance
	}
	// captioners by prompt; marks by prompt, captioner, domain and metric, empty if not significant
	others, marks := map[string][]string{}, map[[4]string]string{}
	for i, n := range t.Read().NumbersIf("score_low") {
		if n.Valid && !slices.Contains(others[prompts[i]], ids[i]) {
			others[prompts[i]] = append(others[prompts[i]], ids[i])
		}
	}
	for prompt, others := range others {
		i := slices.Index(others, one)
		if i < 0 || len(others) < 2 {
			continue
		}
		pValues, err := source.Against(ctx, one, slices.Delete(others, i, i+1), prompt, item.Reader, item.Protocol, kind)
		if err != nil {
			return t, nil, err
		}
		for of, p := range pValues {
			marks[[4]string{prompt, of[0], of[1], of[2]}] = map[bool]string{true: "*"}[p < 0.05]
		}
	}
	if len(marks) == 0 {
		return t, nil, nil
	}
	for _, metric := range []string{"score", "accuracy"} {
		t = t.Set(metric+"_mark",
			func(i int, _ any) any { return marks[[4]string{prompts[i], ids[i], domains[i], metric}] })
	}
	const legend = "* differs from %s: p < 0.05, paired by image and corrected after Holm for all comparisons of a prompt."
	return t, []string{fmt.Sprintf(legend, b.Names.Model(one))}, nil
}

// picture decodes the first picture of an item. The result is nil for an item without a picture.
// find lists the pictures of the lake.
func picture(source Source, find func() ([]data.Image, error), imageID string) (img image.Image, err error) {
	images, err := find()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(images, func(i data.Image) bool { return i.ImageID == imageID })
	if i < 0 {
		return nil, nil
	}
	f, err := source.Open(images[i].Path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return plots.DecodePicture(io.NewSectionReader(f, 0, f.Size()))
}

// baseTables are the base tables that a mart was built from, itself or through other marts. An
// input that is no mart is a base table.
func baseTables(mart string, marts map[string]sql.Mart) (out []string) {
	names := []string{mart}
	for i := 0; i < len(names); i++ {
		m, ok := marts[names[i]]
		if !ok {
			out = append(out, names[i])
		}
		for _, input := range m.InputNames() {
			if !slices.Contains(names, input) {
				names = append(names, input)
			}
		}
	}
	slices.Sort(out)
	return out
}
