package analytics

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
)

// selection are the models that patterns name, as dbt has it: NAME, where * stands for any letters, +NAME with what it reads, NAME+ with
// what reads it, directly or not. Models are in building order.
func selection(models []Model, patterns []string) ([]Model, error) {
	chosen := map[string]bool{}
	var faults []error
	for _, pattern := range patterns {
		name, withReaders := strings.CutSuffix(pattern, "+")
		name, withInputs := strings.CutPrefix(name, "+")
		inputs, readers := map[string]bool{}, map[string]bool{}
		var known []string
		for _, m := range models {
			known = append(known, m.Name)
			if ok, err := path.Match(name, m.Name); ok && err == nil {
				chosen[m.Name], inputs[m.Name], readers[m.Name] = true, withInputs, withReaders
			}
			if slices.ContainsFunc(m.Inputs, func(input string) bool { return readers[input] }) {
				chosen[m.Name], readers[m.Name] = true, true
			}
		}
		if !slices.ContainsFunc(known, func(of string) bool { _, ok := inputs[of]; return ok }) {
			faults = append(faults, data.WithHint(fmt.Errorf("--select: there is no SQL model %q", name), "%s",
				spelling.Meant("list the marts, of which each is one, with: captionlake show tables", known, name)))
		}
		for _, m := range slices.Backward(models) {
			if inputs[m.Name] {
				chosen[m.Name] = true
				for _, input := range m.Inputs {
					inputs[input] = true
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(models), func(m Model) bool { return !chosen[m.Name] }), errors.Join(faults...)
}

// only are the models that patterns select, which read the marts of the others as the lake holds them.
func (b *builder) only(models []Model, patterns []string) ([]Model, error) {
	chosen, err := selection(models, patterns)
	if err != nil {
		return nil, err
	}
	files, err := martFiles(b.lake)
	if err != nil {
		return nil, err
	}
	missing := map[string]bool{}
	for _, m := range models {
		if slices.ContainsFunc(chosen, func(c Model) bool { return c.Name == m.Name }) {
			continue
		}
		missing[m.Name] = len(files[m.Name]) == 0
		var contents []string
		for _, file := range files[m.Name] {
			held, err := b.held(file)
			if err != nil {
				return nil, err
			}
			missing[m.Name] = missing[m.Name] || held.metadata[sqlKey] != b.meaning(m)
			contents = append(contents, held.metadata[contentKey])
		}
		if !missing[m.Name] {
			b.built(m, files[m.Name], contents)
		}
	}
	for _, m := range chosen {
		for _, input := range m.Inputs {
			if missing[input] {
				return nil, data.WithHint(fmt.Errorf("--select: %s reads %s, which is not built as it would be now", m.Name, input),
					"select what it reads, too: captionlake --lake %s analyze --select +%s", b.lake.Dir(), m.Name)
			}
		}
	}
	return chosen, nil
}
