package site

import (
	"context"
	"fmt"

	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/samples"
)

var samplesPage = Page{Name: "samples", Build: buildSamples}

// A SampleSource is a source that has samples, too: a site of another has no sample viewer.
type SampleSource interface {
	Samples() (samples.Source, samples.Options)
}

// sampleKinds is what the page of the sample viewer gets.
type sampleKinds struct {
	Kinds  []samples.Kind
	Counts []string
	Left   string // what is left out
}

func buildSamples(ctx context.Context, b *Builder) error {
	from, ok := b.Source.(SampleSource)
	if !ok {
		return nil
	}
	source, o := from.Samples()
	sets, files, err := samples.Load(ctx, source, o)
	if err != nil || len(sets) == 0 {
		return err
	}
	var kinds sampleKinds
	for _, s := range sets {
		kinds.Kinds = append(kinds.Kinds, s.Kind)
		kinds.Counts = append(kinds.Counts, fmt.Sprintf("%s %s under %s conditions.", count(s.Items), s.Kind.Name, count(len(s.Conditions))))
	}
	for _, f := range files {
		b.File(report.File{Name: f.Name, Make: f.Make})
	}
	b.Add(Document{Path: "samples.html", Title: "Samples", Nav: "Samples", Template: "samples", Data: kinds, Scripts: []string{assets + "samples.js"}, Styles: []string{assets + "samples.css"}})
	return nil
}
