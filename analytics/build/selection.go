package build

import (
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
)

// only is the method that returns the models which Options.Select names. These models read the
// marts of all other models from the lake. It is an error if such a mart is missing, or if the
// model's SQL has changed since the mart was made.
func (b *builder) only(models []sqlmodel.Model) ([]sqlmodel.Model, error) {
	chosen, err := sqlmodel.Select(models, b.o.Select)
	if err != nil {
		return nil, err
	}
	outdated := map[string]bool{} // models without a mart of their present SQL
	for _, m := range models {
		if slices.ContainsFunc(chosen, func(c sqlmodel.Model) bool { return c.Name == m.Name }) {
			continue
		}
		isOutdated := len(b.files[m.Name]) == 0
		var parts []part
		for _, file := range b.files[m.Name] {
			p := part{file: file}
			if err := b.read(&p); err != nil {
				return nil, err
			}
			isOutdated = isOutdated || p.metadata[sqlKey] != b.meaning(m)
			parts = append(parts, p)
		}
		if isOutdated {
			outdated[m.Name] = true
		} else {
			b.built(m, parts)
		}
	}
	for _, m := range chosen {
		for _, input := range m.Inputs {
			if outdated[input] {
				return nil, data.WithHint(fmt.Errorf("--select: %s reads %s, which is not built as it would be now",
					m.Name, input),
					"select what it reads, too: captionlake --lake %s analyze --select +%s", b.lake.Dir(), m.Name)
			}
		}
	}
	return chosen, nil
}
