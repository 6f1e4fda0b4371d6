package build

import (
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
)

// only returns the models that Options.Select names. They read the other models' marts from the
// lake. It is an error if they read a mart that is not there, or that an earlier SQL text made.
func (b *builder) only(models []sqlmodel.Model) ([]sqlmodel.Model, error) {
	chosen, err := sqlmodel.Select(models, b.o.Select)
	if err != nil {
		return nil, err
	}
	missing := map[string]bool{} // models without a mart of their present SQL
	for _, m := range models {
		if slices.ContainsFunc(chosen, func(c sqlmodel.Model) bool { return c.Name == m.Name }) {
			continue
		}
		missing[m.Name] = len(b.files[m.Name]) == 0
		var parts []part
		for _, file := range b.files[m.Name] {
			p := part{file: file}
			if err := b.read(&p); err != nil {
				return nil, err
			}
			missing[m.Name] = missing[m.Name] || p.metadata[sqlKey] != b.meaning(m)
			parts = append(parts, p)
		}
		if !missing[m.Name] {
			b.built(m, parts)
		}
	}
	for _, m := range chosen {
		for _, input := range m.Inputs {
			if missing[input] {
				return nil, data.WithHint(fmt.Errorf("--select: %s reads %s, which is not built as it would be now",
					m.Name, input),
					"select what it reads, too: captionlake --lake %s analyze --select +%s", b.lake.Dir(), m.Name)
			}
		}
	}
	return chosen, nil
}
