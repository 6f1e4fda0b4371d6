package site

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// A captioner is a model that the lake has results of.
type captioner struct {
	ID, Name string
	Path     string
}

// modelsFolder is where the pages of captioners are.
const modelsFolder = "models/"

// findModels lists the captioners that the marts of benchmarks have rows of, by name.
func (b *Builder) findModels(ctx context.Context) error {
	b.models = map[string]string{}
	for _, bench := range data.Benchmarks() {
		marts := []string{bench.Headline}
		for _, p := range bench.Profiles {
			marts = append(marts, p.Mart)
		}
		for _, mart := range marts {
			r, err := b.rows(ctx, mart)
			if err != nil {
				return err
			}
			if r = r.of(bench); r == nil || !r.has(captionerColumn) {
				continue
			}
			for _, row := range r.cells {
				id, name := r.text(row, captionerColumn), cmp.Or(r.text(row, nameColumn), r.text(row, captionerColumn))
				if _, ok := b.models[id]; ok || id == "" {
					continue
				}
				c := captioner{id, name, modelsFolder + slug(id) + ".html"}
				b.captioners = append(b.captioners, c)
				b.models[id] = c.Path
				if _, ok := b.models[name]; !ok {
					b.models[name] = c.Path
				}
			}
		}
	}
	slices.SortFunc(b.captioners, func(x, y captioner) int { return strings.Compare(strings.ToLower(x.Name), strings.ToLower(y.Name)) })
	return nil
}

// modelPath is the page of a captioner by its id or its name; empty where there is none.
func (b *Builder) modelPath(name string) string { return b.models[name] }

// slug makes a text fit for the name of a file. What had to be changed is told apart by a digest.
func slug(text string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, text)
	if out = strings.Trim(out, "-."); len(out) > 60 {
		out = out[:60]
	}
	if out == text {
		return out
	}
	return strings.Trim(out+"-"+data.Fingerprint(text)[:6], "-.")
}
