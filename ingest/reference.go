package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
		registry, err := data.Registry()
		if err != nil {
			return nil, err
		}
		return registry.All(), nil
	})
}

// loadEmbedded writes the rows of a file that the binary carries as a unit, unless the lake has it.
func loadEmbedded[T any](lake *data.Lake, format, unitName, name string, table data.Table[T], rows func(content []byte) ([]T, error)) (Result, error) {
	result := Result{Path: referencePath + name, Format: format, State: StateUnchanged}
	content, err := fs.ReadFile(data.Reference(), name)
	if err != nil {
		return result, err
	}
	sum := sha256.Sum256(content)
	unit := data.Unit{
		Stage: "ingest/" + format, Name: unitName, Source: result.Path, Provenance: data.ProvenancePublished,
		Fingerprint: data.Fingerprint(format, "1", hex.EncodeToString(sum[:])),
	}
	result.Unit = unit.FileStem()
	done, err := lake.Done(unit)
	if err != nil || done {
		return result, err
	}
	read, err := rows(content)
	if err != nil {
		return result, err
	}
	tx, err := lake.Begin(unit)
	if err != nil {
		return result, err
	}
	defer tx.Abort()
	w, err := data.NewRowWriter(tx, table)
	if err == nil {
		err = w.Write(read...)
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return result, err
	}
	result.Changed, result.State, result.Rows = true, StateLoaded, tx.Rows()
	return result, nil
}
