package ingest

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/sample"
	"github.com/captionlake/captionlake/ingest/picture"
)

// sampleVersion changes whenever LoadSample makes other rows of the same sample set.
const sampleVersion = "2"

// LoadSample loads the sample set that the program carries as one unit: its pictures and a row of `images` for
// each frame, with the item's facts, and its questions as one bank in the set's order, with the published rule for
// option orders. Loading it again does nothing. The unit is marked simulated, since its pictures are made up; what real
// models say about them is measured all the same.
func LoadSample(ctx context.Context, lake *data.Lake) (Result, error) {
	return loadSample(ctx, lake, "sample", true)
}

// LoadSamplePictures loads the pictures of the sample set without its questions, for a lake whose questions are to be made of them.
func LoadSamplePictures(ctx context.Context, lake *data.Lake) (Result, error) {
	return loadSample(ctx, lake, "sample pictures", false)
}

func loadSample(ctx context.Context, lake *data.Lake, name string, questions bool) (Result, error) {
	items, err := sample.Images()
	if err != nil {
		return Result{}, err
	}
	content, err := json.Marshal(items)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", sample.Source, err)
	}
	u := data.Unit{
		Stage: "ingest/sample", Name: name, Source: sample.Source, Provenance: data.ProvenanceSimulated,
		Fingerprint: data.Fingerprint("sample", sampleVersion, string(content)),
	}
	return loadCarried(lake, u, "sample", func(tx *data.Tx) error { return writeSample(ctx, tx, items, questions) })
}

func writeSample(ctx context.Context, tx *data.Tx, items []sample.Image, questions bool) error {
	images, err := data.NewRowWriter(tx, data.Images)
	if err != nil {
		return err
	}
	bank, err := newBankWriter(tx, Options{Order: captionqa.OrderFullBank})
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return err
		}
		paths := make([]string, len(item.Frames))
		for i, frame := range item.Frames {
			if paths[i], err = tx.AddPicture(frame.PNG, "png"); err != nil {
				return err
			}
		}
		rows, err := item.Rows(func(_ string, frame int) string { return paths[frame] })
		if err != nil {
			return err
		}
		for i, frame := range item.Frames {
			p, err := picture.Read(frame.PNG)
			if err != nil {
				return fmt.Errorf("frame %d of sample image %s: %w", i, item.ID, err)
			}
			rows[i].PHash, rows[i].OriginalFormat = p.Hash, p.Was
		}
		if err := images.Write(rows...); err != nil {
			return err
		}
		if !questions {
			continue
		}
		var ids captionqa.QuestionIDs
		for _, question := range item.QuestionRows() {
			if err := bank.add(question, &ids); err != nil {
				return err
			}
		}
	}
	return nil
}
