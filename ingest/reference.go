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
func LoadReference(ctx context.Context, lake *data.Lake) ([]Result, error) {
	models, err := loadModels(lake)
	if err != nil {
		return nil, err
	}
	results := []Result{models}
	for _, c := range []struct{ pattern, format string }{
		{"published/*.csv", publishedFormat().Name},
		{"taxonomies/*.json", taxonomyFormat().Name},
	} {
		names, err := fs.Glob(data.Reference(), c.pattern)
		if err != nil {
			return results, err
		}
		for _, name := range names {
			s := Source{FS: data.Reference(), Name: name, Path: referencePath + name}
			result, err := Load(ctx, lake, s, Options{Format: c.format})
			if err != nil {
				return results, fmt.Errorf("reference data: %w", err)
			}
			results = append(results, result)
		}
	}
	return results, nil
}

// loadModels writes the registry as the table `models`.
func loadModels(lake *data.Lake) (Result, error) {
	const name = "models.yaml"
	result := Result{Path: referencePath + name, Format: "models", State: StateUnchanged}
	registry, err := data.Registry()
	if err != nil {
		return result, err
	}
	content, err := fs.ReadFile(data.Reference(), name)
	if err != nil {
		return result, err
	}
	sum := sha256.Sum256(content)
	unit := data.Unit{
		Stage: "ingest/models", Name: "registry", Source: result.Path, Provenance: data.ProvenancePublished,
		Fingerprint: data.Fingerprint("models", "1", hex.EncodeToString(sum[:])),
	}
	result.Unit = unit.FileStem()
	done, err := lake.Done(unit)
	if err != nil || done {
		return result, err
	}
	tx, err := lake.Begin(unit)
	if err != nil {
		return result, err
	}
	defer tx.Abort()
	w, err := data.NewRowWriter(tx, data.Models)
	if err != nil {
		return result, err
	}
	if err := w.Write(registry.All()...); err != nil {
		return result, err
	}
	if err := tx.Commit(); err != nil {
		return result, err
	}
	result.Changed, result.State, result.Rows = true, StateLoaded, tx.Rows()
	return result, nil
}
