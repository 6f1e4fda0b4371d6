package ingest

import (
	"context"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// captionsFormat reads captions as the authors' tools write them: an object from image_id to caption. Captioner and
// prompt come from the options or from the path <prompt>/<org_model>.json. The empty caption is legal: a model that said
// nothing; null is a fault, because nobody knows whether the model was asked.
func captionsFormat() Format {
	return Format{
		Name:    "captionqa-captions",
		What:    "captions as JSON {image_id: caption}, with --captioner and --prompt or at <prompt>/<org_model>.json",
		Version: "1",
		Detect:  func(_ Source, head []byte) bool { return shapeOf(head).value == kindString },
		Unit: func(s Source, o Options) (string, error) {
			captioner, prompt, err := needCaptionedBy(s, o)
			return unitOf(s, captioner, prompt), err
		},
		Beside: true,
		Load:   loadCaptions,
	}
}

// unitOf names a unit after the models and the prompt that its rows are of, and the file.
func unitOf(s Source, parts ...string) string {
	return strings.Join(append(parts, strings.TrimSuffix(s.base(), path.Ext(s.base()))), "/")
}

func loadCaptions(ctx context.Context, j *Job) error {
	captioner, prompt, err := needCaptionedBy(j.Source, j.Options)
	if err != nil {
		return err
	}
	rows, err := data.NewRowWriter(j.Tx, data.Captions)
	if err != nil {
		return err
	}
	return eachImage(j, j.knownDomain(), unknownToBank, func(imageID, domain string, _ pos, value node) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch value.kind {
		case kindString:
		case kindNull:
			j.Fault(value.at.line, value.at.col, "the caption of %q is null: write \"\" if the model said nothing, or take the image out", clip(imageID))
			return nil
		default:
			j.Fault(value.at.line, value.at.col, "the value of %q is %s where a caption belongs: write the caption in quotes", clip(imageID), value.kind)
			return nil
		}
		return rows.Write(captionRow(imageID, domain, captioner, prompt, value.text))
	})
}

// captionRow is the row of a caption that a file holds.
func captionRow(imageID, domain, captioner, prompt, text string) data.Caption {
	return data.Caption{
		ImageID: imageID, Captioner: captioner, Prompt: prompt, Domain: domain, Caption: text,
		Words: int32(len(strings.Fields(text))),
	}
}
