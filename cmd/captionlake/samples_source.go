package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/plots/samples"
)

func (s *reportSource) Samples() (samples.Source, samples.Options) {
	return &sampleSource{s.lake, s.reader, map[string]string{}}, s.samples
}

// sampleSource gives the sample viewer the rows and pictures of a lake.
type sampleSource struct {
	lake   *data.Lake
	reader *analytics.Reader
	paths  map[string]string // of pictures, by digest
}

// A cells reads one row of samples from left to right. Its first fault stays.
type cells struct {
	row []any
	err error
}

func cellOf[T any](c *cells) (v T) {
	if len(c.row) == 0 {
		c.err = fmt.Errorf("a row of samples is too short")
		return v
	}
	given := c.row[0]
	c.row = c.row[1:]
	v, ok := given.(T)
	if !ok && given != nil && c.err == nil {
		c.err = fmt.Errorf("a row of samples has a %T in place of a %T", given, v)
	}
	return v
}

func (c *cells) text() string { return cellOf[string](c) }

func (c *cells) number() int {
	switch v := cellOf[any](c).(type) {
	case int64:
		return int(v)
	case int32:
		return int(v)
	}
	c.err = fmt.Errorf("a row of samples has no number where one is needed")
	return 0
}

func textsOf(list []any) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i], _ = v.(string) // null is the empty text
	}
	return out
}

// sampleRows hands each row of a part of the samples to a function.
func (s *sampleSource) rows(ctx context.Context, kind, part string, from, to int, row func(c *cells) error) error {
	return s.reader.Samples(ctx, kind, part, from, to, func(values []any) error {
		c := &cells{row: values}
		if err := row(c); err != nil {
			return err
		}
		return c.err
	})
}

func (s *sampleSource) Conditions(ctx context.Context, kind string) (all []samples.Condition, err error) {
	err = s.rows(ctx, kind, analytics.SampleConditions, 0, 0, func(c *cells) error {
		if n := c.number(); n != len(all) {
			return fmt.Errorf("condition %d follows %d others", n, len(all))
		}
		all = append(all, samples.Condition{
			Who: c.text(), Name: c.text(), By: c.text(), Prompt: c.text(), Protocol: c.text(), Form: c.text(), Repeat: c.number(), Provenance: c.text(),
		})
		return nil
	})
	return all, err
}

func (s *sampleSource) Items(ctx context.Context, kind string, yield func(samples.Item) error) error {
	return s.rows(ctx, kind, analytics.SampleItems, 0, 0, func(c *cells) error {
		return yield(samples.Item{ID: c.text(), Image: c.text(), Facets: textsOf(cellOf[[]any](c)), Title: c.text(), Marks: c.text()})
	})
}

func (s *sampleSource) Details(ctx context.Context, kind string, from, to int, yield func(samples.Detail) error) error {
	return s.rows(ctx, kind, analytics.SampleDetails, from, to, func(c *cells) error {
		d := samples.Detail{Options: textsOf(cellOf[[]any](c)), Key: c.number()}
		for _, pair := range cellOf[[]any](c) {
			if texts, _ := pair.([]any); len(texts) == 2 {
				d.Fields = append(d.Fields, [2]string(textsOf(texts)))
			}
		}
		if said := c.text(); said != "" {
			d.Said = json.RawMessage(said)
		}
		return yield(d)
	})
}

func (s *sampleSource) Captions(ctx context.Context, kind string, from, to int, yield func(samples.Caption) error) error {
	return s.rows(ctx, kind, analytics.SampleCaptions, from, to, func(c *cells) error {
		caption := samples.Caption{Image: c.text(), Who: c.text(), Prompt: c.text(), Text: c.text(), Words: c.number()}
		if tokens := cellOf[any](c); tokens != nil {
			n := (&cells{row: []any{tokens}}).number()
			caption.Tokens = &n
		}
		caption.Finish, caption.Provenance = c.text(), c.text()
		return yield(caption)
	})
}

func (s *sampleSource) Frames(context.Context) (frames []samples.Frame, err error) {
	there := map[string]bool{}
	for row, err := range data.Select(s.lake, data.Images, nil) {
		if err != nil {
			return nil, err
		}
		if row.Path == "" {
			continue
		}
		if _, known := there[row.SHA256]; !known {
			_, err := files.Size(s.lake.Store(), row.Path)
			there[row.SHA256] = err == nil
			s.paths[row.SHA256] = row.Path
		}
		if there[row.SHA256] {
			frames = append(frames, samples.Frame{Image: row.ImageID, Digest: row.SHA256, Format: row.Format, Width: int(row.Width), Height: int(row.Height)})
		}
	}
	return frames, nil
}

func (s *sampleSource) Picture(_ context.Context, f samples.Frame) (io.ReadCloser, error) {
	return s.lake.Store().Open(s.paths[f.Digest])
}
