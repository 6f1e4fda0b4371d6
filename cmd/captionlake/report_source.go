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
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/samples"
	"github.com/captionlake/captionlake/plots/site"
)

// reportSource gives a report, and the site around it, the rows and pictures of a lake.
type reportSource struct {
	lake   *data.Lake
	reader *analytics.Reader
	paths  map[string]string // first picture of each item, once asked for

	samples samples.Options // of the sample viewer
}

var _ site.Source = (*reportSource)(nil)

func newReportSource(lake *data.Lake, reader *analytics.Reader, viewer samples.Options) *reportSource {
	return &reportSource{lake: lake, reader: reader, samples: viewer}
}

func (s *reportSource) Marts(ctx context.Context) ([]report.Mart, error) {
	marts, err := s.reader.Marts(ctx)
	out := make([]report.Mart, len(marts))
	for i, m := range marts {
		out[i] = report.Mart{Name: m.Name, What: m.What, Source: m.Source, Fingerprint: m.Fingerprint, ToolVersion: m.ToolVersion, Inputs: m.Inputs, Rows: m.Rows}
	}
	return out, err
}

func (s *reportSource) Rows(ctx context.Context, f *ggsql.File, values map[string]string, kinds ...string) (t *plots.Table, err error) {
	query, err := f.Select(values)
	if err != nil {
		return nil, err
	}
	reader := s.reader
	if len(kinds) > 0 {
		if reader, err = analytics.OpenReader(ctx, s.lake, analytics.EngineOptions{Kinds: kinds}); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, reader.Close()) }()
	}
	err = reader.Rows(ctx, query, func(columns []string) (err error) {
		t, err = plots.NewTable(f.Rows(), columns...)
		return err
	}, func(row []any) error { return t.Append(row...) })
	return t, f.Located(err)
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

func (s *reportSource) Model(mart string) (site.Model, bool) {
	m, ok := s.reader.Model(mart)
	if !ok {
		return site.Model{}, false
	}
	out := site.Model{SQL: m.Text}
	for _, c := range m.Columns {
		out.Columns = append(out.Columns, site.Column{Name: c.Name, Type: c.Type, Unit: c.Unit, Comment: c.What})
	}
	return out, true
}
