package ingest

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/captionlake/captionlake/data"
)

// referencePath is how messages and provenance name the embedded files: by where the source tree has them.
const referencePath = "data/"

// LoadReference writes the reference data that the binary carries into the lake: the tables `models`, `published` and
// `taxonomy`, one unit for the registry and one for each file. Doing so again changes nothing.
func LoadReference(ctx context.Context, lake *data.Lake) (results []Result, err error) {
	for _, c := range []struct {
		pattern string
		load    func(name string) (Result, error)
	}{
		{"models.yaml", func(name string) (Result, error) { return loadModels(lake, name) }},
		{"published/*.csv", func(name string) (Result, error) { return loadPublished(lake, name) }},
		{"taxonomies/*.json", func(name string) (Result, error) {
			return Load(ctx, lake, Source{FS: data.Reference(), Name: name, Path: referencePath + name}, Options{Format: taxonomyFormat().Name})
		}},
	} {
		names, err := fs.Glob(data.Reference(), c.pattern)
		if err != nil {
			return results, err
		}
		for _, name := range names {
			if err := ctx.Err(); err != nil {
				return results, err
			}
			result, err := c.load(name)
			if err != nil {
				return results, fmt.Errorf("reference data: %w", err)
			}
			results = append(results, result)
		}
	}
	return results, nil
}

// loadModels writes the registry as the table `models`.
func loadModels(lake *data.Lake, name string) (Result, error) {
	return loadEmbedded(lake, "models", "registry", name, data.Models, func([]byte) ([]data.Model, error) {
		return data.ModelRows()
	})
}

// loadEmbedded writes the rows of a file that the binary carries as a unit, unless the lake has it.
func loadEmbedded[T any](lake *data.Lake, format, unitName, name string, table data.Table[T], rows func(content []byte) ([]T, error)) (Result, error) {
	content, err := fs.ReadFile(data.Reference(), name)
	if err != nil {
		return Result{}, err
	}
	u := data.Unit{Stage: "ingest/" + format, Name: unitName, Source: referencePath + name, Provenance: data.ProvenancePublished, Fingerprint: data.Fingerprint(format, "1", string(content))}
	return loadCarried(lake, u, format, func(tx *data.Tx) error {
		read, err := rows(content)
		if err != nil {
			return err
		}
		w, err := data.NewRowWriter(tx, table)
		if err != nil {
			return err
		}
		return w.Write(read...)
	})
}

// loadCarried writes a unit of what the binary carries, unless the lake has it.
func loadCarried(lake *data.Lake, u data.Unit, format string, write func(tx *data.Tx) error) (Result, error) {
	result := Result{Path: u.Source, Format: format, Unit: u.FileStem(), State: StateUnchanged}
	done, err := lake.Done(u)
	if err != nil || done {
		return result, err
	}
	tx, err := lake.Begin(u)
	if err != nil {
		return result, err
	}
	defer tx.Abort()
	if err := write(tx); err != nil {
		return result, err
	}
	if err := tx.Commit(); err != nil {
		return result, err
	}
	result.Changed, result.State, result.Rows = true, StateLoaded, tx.Rows()
	return result, nil
}
