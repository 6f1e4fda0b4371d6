package report

import (
	"context"
	"errors"
	"image"
	"io"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/sql"
)

// A Source holds the rows that a report is made from.
type Source interface {
	// Marts lists the marts that there are. Their order does not matter.
	Marts(ctx context.Context) ([]sql.Mart, error)
	// Rows are what a SELECT gives, over the rows of some kinds of the lake alone; over all when there are none. Equal lakes must give equal rows
	// in equal order.
	Rows(ctx context.Context, name, query string, kinds ...string) (*rows.Rows, error)
	// Images lists the pictures of items, by image and frame.
	Images(ctx context.Context) ([]data.Image, error)
	// Open opens the file of a picture.
	Open(path string) (files.File, error)
}

// picture opens the first picture of an item; nil where there is none.
func picture(source Source, find func() ([]data.Image, error), imageID string) (img image.Image, err error) {
	images, err := find()
	if err != nil {
		return nil, err
	}
	of := func(i data.Image) bool { return i.ImageID == imageID }
	i := slices.IndexFunc(images, func(i data.Image) bool { return of(i) && i.Frame == 0 })
	if i < 0 {
		i = slices.IndexFunc(images, of)
	}
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

// baseTables are the base tables that a mart was built from, itself or through other marts. A name that is no mart is one.
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
