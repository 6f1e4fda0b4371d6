package ingest

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
	"github.com/captionlake/captionlake/ingest/taxonomy"
)

// LoadReference writes the embedded reference data into the lake: the tables `models`, `published`
// and `taxonomy`, one unit for the registry and one for each file. Loading the data again
// changes nothing.
func LoadReference(ctx context.Context, lake *data.Lake) (results []Result, err error) {
	l := newLoader(lake, Options{})
	for _, embedded := range []struct {
		pattern string
		format  *shape.Format
	}{{"models.yaml", registryFormat}, {"published/*.csv", publishedFormat},
		{"taxonomies/*.json", taxonomy.Format}} {
		names, err := fs.Glob(data.Reference(), embedded.pattern)
		if err != nil {
			return results, err
		}
		for _, name := range names { // Messages and provenance use the names in the source tree.
			result, err := l.load(ctx, file.Source{FS: data.Reference(), Name: name, Path: "data/" + name},
				embedded.format)
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return results, fmt.Errorf("reference data: %w", err)
			}
			results = append(results, result)
		}
	}
	return results, nil
}

// registryFormat writes the registry to the table `models`.
var registryFormat = &shape.Format{
	Name: "models", Version: "1", Provenance: data.ProvenancePublished,
	Unit: func(file.Source, shape.Options) (string, error) { return "registry", nil },
	Load: func(_ context.Context, j *shape.Job) error {
		rows, err := data.ModelRows()
		if err != nil {
			return err
		}
		return shape.Write(j, data.Models, rows...)
	},
}

// publishedFormat writes printed figures to the table `published`.
var publishedFormat = &shape.Format{
	Name: "published", Version: "1", Provenance: data.ProvenancePublished,
	Unit: func(s file.Source, _ shape.Options) (string, error) { return s.Stem(), nil },
	Load: func(_ context.Context, j *shape.Job) error {
		content, err := j.Source.Text()
		if err != nil {
			return err
		}
		rows, err := data.PublishedRows(j.Source.Base(), content)
		if err != nil {
			return err
		}
		return shape.Write(j, data.PublishedFigures, rows...)
	},
}
