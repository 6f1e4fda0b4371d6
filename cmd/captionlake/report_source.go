package main

import (
	"context"
	"errors"
	"image"
	"io"
	"io/fs"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/report"
)

// reportSource gives a report the rows and pictures of a lake.
type reportSource struct {
	lake   *data.Lake
	reader *analytics.Reader
	paths  map[string]string // first picture of each item, once asked for
}

var _ report.Source = (*reportSource)(nil)

func (s *reportSource) Marts(ctx context.Context) ([]report.Mart, error) {
	marts, err := s.reader.Marts(ctx)
	out := make([]report.Mart, len(marts))
	for i, m := range marts {
		out[i] = report.Mart{Name: m.Name, What: m.What, Source: m.Source, Fingerprint: m.Fingerprint, ToolVersion: m.ToolVersion, Inputs: m.Inputs}
	}
	return out, err
}

func (s *reportSource) Runs(context.Context) ([]report.Run, error) {
	var out []report.Run
	for r, err := range data.Scan(s.lake, data.Runs) {
		if err != nil {
			return nil, err
		}
		out = append(out, report.Run{
			ID: r.RunID, Stage: r.Stage, Protocol: r.Protocol, Source: r.Source, Provenance: r.Provenance, ToolVersion: r.ToolVersion,
			Tables: r.Tables, Rows: r.Rows, Started: r.StartedAt, Finished: r.FinishedAt,
		})
	}
	return out, nil
}

func (s *reportSource) Table(ctx context.Context, mart string) (t *plots.Table, err error) {
	err = s.reader.Mart(ctx, mart, func(columns []string) (err error) {
		t, err = plots.NewTable(mart, columns...)
		return err
	}, func(row []any) error { return t.Append(row...) })
	return t, err
}

func (s *reportSource) Picture(_ context.Context, imageID string) (img image.Image, err error) {
	if s.paths == nil {
		s.paths = map[string]string{}
		for row, err := range data.Scan(s.lake, data.Images) {
			if err != nil {
				return nil, err
			}
			if _, ok := s.paths[row.ImageID]; !ok || row.Frame == 0 {
				s.paths[row.ImageID] = row.Path
			}
		}
	}
	if s.paths[imageID] == "" {
		return nil, nil
	}
	f, err := s.lake.Store().Open(s.paths[imageID])
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return plots.DecodePicture(io.NewSectionReader(f, 0, f.Size()))
}
