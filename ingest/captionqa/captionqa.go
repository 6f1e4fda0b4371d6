// Package captionqa reads the nested JSON of CaptionQA's authors: banks and results, by image.
package captionqa

import (
	"context"
	"strings"

	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
)

// Formats are the formats of the package.
var Formats = []*shape.Format{resultsFormat, bankFormat}

// resultsFormat reads the result files of the authors' evaluation code: an object from image_id to
// lists of answers. An answer has question, choices, ground_truth, model_answer, model_response,
// is_correct, is_cannot_answer, score and category; fields that follow from others may be missing.
// Captioner and prompt come from the options or the path <prompt>/<org_model>.json, the reader from
// the options.
var resultsFormat = &shape.Format{
	Name: "captionqa-results", Version: "3", Shape: shape.Answers, Rows: byImage,
	What: "CaptionQA result file as JSON {image_id: [{question, choices, ground_truth, model_answer, …}]}",
	Detect: func(l *shape.Look) bool {
		q := firstQuestion(l.First)
		return q.Has("model_answer") || q.Has("model_response") || q.Has("ground_truth")
	},
}

// bankFormat reads a question bank of the authors' construction pipeline: an object from image
// names to lists of questions. A question has question, choices (or options), answer and category,
// and, in captionlake's exports, candidate_id and bank. Other fields are ignored. The file is one
// bank: ordinals and option orders follow its order.
var bankFormat = &shape.Format{
	Name: "captionqa-bank-json", Version: "3", Shape: shape.Bank, Rows: byImage, Early: true,
	What:   "CaptionQA question bank as JSON {image: [{question, choices, answer, category}]}",
	Detect: func(l *shape.Look) bool { return firstQuestion(l.First).Has("question") },
}

// firstQuestion is the first question of a file {image: [questions]}. It skips nulls and empty
// lists. In another form, such as {data: [questions]}, questions name pictures of their own.
func firstQuestion(v file.Value) file.Value {
	for _, f := range v.Fields {
		if f.Value.Kind == file.Array && len(f.Value.Items) > 0 {
			q := f.Value.First()
			for _, column := range strings.Fields("image image_id img img_path image_path image_file file_name filename") {
				// A long text is a picture in base64.
				if own := q.Path(column).Text; own != "" && len(own) < 256 &&
					!strings.HasSuffix(shape.ItemName(own), shape.ItemName(f.Key)) {
					return file.Value{}
				}
			}
			return q
		}
		if f.Value.Kind != file.Null && f.Value.Kind != file.Array { // The file has another form.
			break
		}
	}
	return file.Value{}
}

// byImage reads a file {image: [questions]}. A file name as a key becomes an image_id without
// folders and ending. Two keys with the same image_id are a fault.
func byImage(ctx context.Context, j *shape.Job, each func(*shape.Row) error) error {
	keys := map[string]file.Field{} // without values, by image_id
	return j.Source.EachMember(j.Fault, func(key string, at file.Pos, questions file.Value) error {
		imageID := shape.ItemName(key)
		if first, isSecond := keys[imageID]; isSecond {
			j.Fault(at,
				"the key %q was given on line %d already as %q; folders and endings do not count: keep one of the two",
				shape.Clip(key), first.At.Line, shape.Clip(first.Key))
			return nil
		}
		keys[imageID] = file.Field{Key: key, At: at}
		return each(shape.NewRow(j, at, shape.Column("image", at, key),
			file.Field{Key: "questions", At: questions.At, Value: questions}))
	})
}
