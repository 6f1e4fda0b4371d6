package sqlmodel

import (
	"errors"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/sql"
)

// All are the models of package sql in building order: each after the models that it reads.
func All() []Model { return slices.Clone(ownModels()) }

// ownModels are the models in building order, ordered once.
var ownModels = sync.OnceValue(func() []Model {
	return Order(Named(sql.Names()))
})

// Named are the models with a name among words. The file of a model is read once, when the model is
// first named, because reading all models takes longer than many queries take.
func Named(words []string) (models []Model) {
	for i, file := range sql.Models() {
		if slices.Contains(words, file.Name) {
			readModel := modelReaders()[i]
			models = append(models, readModel())
		}
	}
	return models
}

// modelReaders has for each file of [sql.Models] a function that reads the model at its first call.
var modelReaders = sync.OnceValue(func() (readers []func() Model) {
	for _, file := range sql.Models() {
		readers = append(readers, sync.OnceValue(func() Model {
			model, err := Parse(file.Path, file.Text)
			if err != nil {
				panic(err) // The text is part of the program.
			}
			return model
		}))
	}
	return readers
})

// TableNames lists the base tables.
func TableNames() []string {
	var names []string
	for _, t := range data.Tables() {
		names = append(names, t.Name())
	}
	return names
}

// CatalogNames are the names of all base tables and of all marts that a lake can have.
func CatalogNames() []string { return slices.Concat(TableNames(), sql.Names()) }

// Order sorts models: a model comes after the models among its inputs. Otherwise the models keep
// the given order.
func Order(models []Model) (ordered []Model) {
	seen := map[string]bool{}
	var place func(m Model) // appends a model after its inputs, once
	place = func(m Model) {
		if seen[m.Name] {
			return
		}
		seen[m.Name] = true
		for _, input := range models {
			if slices.Contains(m.Inputs, input.Name) {
				place(input)
			}
		}
		ordered = append(ordered, m)
	}
	for _, m := range models {
		place(m)
	}
	return ordered
}

// Select are the models that patterns name, in the form of dbt. NAME is a model, and a * in NAME
// stands for any letters. +NAME adds the models that NAME reads, and NAME+ the models that read
// NAME, directly or through other models. The given models must be in building order: then one pass
// forward finds all readers, and one pass back finds all inputs.
func Select(models []Model, patterns []string) ([]Model, error) {
	chosen := map[string]bool{}
	var known []string
	for _, m := range models {
		known = append(known, m.Name)
	}
	var faults []error
	for _, pattern := range patterns {
		name, withReaders := strings.CutSuffix(pattern, "+")
		name, withInputs := strings.CutPrefix(name, "+")
		// Both begin with the named models. Then inputs also gets all that these models read, and readers
		// all that read these models.
		inputs, readers := map[string]bool{}, map[string]bool{}
		for _, model := range known { // A pattern with a fault matches no name.
			if matches, err := path.Match(name, model); matches && err == nil {
				inputs[model], readers[model] = true, true
			}
		}
		if len(inputs) == 0 {
			hint := spelling.Meant("list the marts, which are the SQL models, with: captionlake show tables", known, name)
			faults = append(faults, data.Errorf(hint, "--select: there is no SQL model %q", name))
		}
		maps.Copy(chosen, inputs)
		for _, m := range models {
			if withReaders && slices.ContainsFunc(m.Inputs, func(input string) bool { return readers[input] }) {
				chosen[m.Name], readers[m.Name] = true, true
			}
		}
		for _, m := range slices.Backward(models) {
			for _, input := range m.Inputs {
				if withInputs && inputs[m.Name] {
					chosen[input], inputs[input] = true, true // An input may be a base table, which does no harm.
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(models), func(m Model) bool { return !chosen[m.Name] }),
		errors.Join(faults...)
}

// Words are the names in a text of SQL. The text must be in lower case.
func Words(text string) []string { return wordForm.FindAllString(text, -1) }

var wordForm = regexp.MustCompile(`[a-z_][a-z0-9_]*`)
