// Package texts reads captions in separate files beside the pictures.
package texts

import (
	"context"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
)

// endings are the endings of caption files beside pictures; trainers of diffusion models write
// .caption.
var endings = []string{".txt", ".caption"}

// Format reads kitchen.txt beside kitchen.jpg: all texts beside pictures in a folder make one unit.
var Format = &shape.Format{
	Name: "caption-texts", Version: "1", Shape: shape.Captions, Family: beside,
	What:   "captions as NAME.txt (or NAME.caption) beside the picture NAME.jpg",
	Detect: func(l *shape.Look) bool { return isCaption(l.Source) },
	Unit: func(s file.Source, o shape.Options) (string, error) {
		return shape.FolderUnit(s, "texts", o.Captioner, o.Prompt, o.Domain), nil
	},
	Rows: func(_ context.Context, j *shape.Job, each func(*shape.Row) error) error {
		for _, j.Source = range j.Family {
			content, err := j.Source.Text()
			if err != nil {
				return err
			}
			row := shape.NewRow(j, file.Start, shape.Column("image", file.Start, j.Source.Stem()),
				shape.Column("caption", file.Start, strings.TrimRight(string(content), "\r\n")))
			if err := each(row); err != nil {
				return err
			}
		}
		return nil
	},
}

// isCaption reports whether a file has the name of a caption and lies beside a picture.
func isCaption(s file.Source) bool {
	return slices.Contains(endings, s.Ext()) && slices.ContainsFunc(captionqa.PictureEndings, func(ending string) bool {
		return s.Sibling(s.Stem()+ending).Exists() || s.Sibling(s.Stem()+strings.ToUpper(ending)).Exists()
	})
}

// beside lists the caption files in the folder of a caption file, including the file itself.
func beside(s file.Source, _ shape.Options) (captions []file.Source, err error) {
	entries, err := s.Beside()
	for _, entry := range entries {
		if text := s.Sibling(entry.Name()); isCaption(text) {
			captions = append(captions, text)
		}
	}
	return captions, err
}
