package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/sample"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/picture"
	"github.com/captionlake/captionlake/ingest/shape"
)

// sampleVersion changes whenever LoadSample makes other rows of the same sample set.
const sampleVersion = "2"

// LoadSample loads the embedded sample set as one unit: its pictures, a row of `images` for each
// frame with the item's facts, and its questions as one bank in the set's order, with the published
// rule for option orders. Loading the set again does nothing. The unit is marked simulated, since
// its pictures are made up. Replies of real models about these pictures still count as measured. If
// questions is false, only the pictures are loaded, for a lake that makes its own questions about
// the pictures.
func LoadSample(ctx context.Context, lake *data.Lake, questions bool) (Result, error) {
	items, err := sample.Images()
	if err != nil {
		return Result{}, err
	}
	name := "sample"
	if !questions {
		name = "sample pictures"
	}
	return newLoader(lake, Options{}).load(ctx, file.Source{Path: sample.Source}, &shape.Format{
		Name: "sample", Version: sampleVersion, Provenance: data.ProvenanceSimulated,
		Unit: func(file.Source, shape.Options) (string, error) { return name, nil },
		Digest: func(file.Source) (string, error) {
			content, err := json.Marshal(items)
			return data.Fingerprint(string(content)), err
		},
		Load: func(ctx context.Context, j *shape.Job) error { return writeSample(ctx, j, items, questions) },
	})
}

// writeSample writes the pictures of the items and, if wanted, their questions.
func writeSample(ctx context.Context, j *shape.Job, items []sample.Image, questions bool) error {
	j.Options.Order = "full-bank" // Without a rule, BankWriter would choose one by the domains of the questions.
	bank, err := shape.NewBankWriter(j)
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err := item.Rows()
		if err != nil {
			return err
		}
		for i, frame := range item.Frames {
			p, err := picture.Read(frame.PNG)
			// KeepPicture runs even after an error, but then the unit is not committed.
			if err = cmp.Or(err, j.KeepPicture(frame.PNG, p, &rows[i])); err != nil {
				return fmt.Errorf("frame %d of sample image %s: %w", i, item.ID, err)
			}
		}
		if err := shape.Write(j, data.Images, rows...); err != nil {
			return err
		}
		if questions {
			for _, question := range item.QuestionRows() {
				bank.Add(question)
			}
		}
	}
	if !questions {
		return nil
	}
	return bank.End()
}
