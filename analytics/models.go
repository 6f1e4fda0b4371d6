package analytics

import (
	"errors"
	"slices"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// Models reads every model of package sql and returns them in building order: each after the models that it reads.
func Models() ([]Model, error) {
	models, err := ownModels()
	return slices.Clone(models), err
}

// ownModels reads the models once: their text is part of the program.
var ownModels = sync.OnceValues(readModels)

func readModels() ([]Model, error) {
	var models []Model
	var faults []error
	for _, file := range sql.Models() {
		model, err := ParseModel(file.File, file.Text)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		model.checked = true // by the fixtures: what a select gives depends on its text alone
		models = append(models, model)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return Order(models), nil
}

// tableNames lists the base tables.
func tableNames() []string {
	var names []string
	for _, t := range data.Tables() {
		names = append(names, t.Name())
	}
	return names
}

// Order sorts models so that each comes after the models among its inputs and otherwise keeps the given order.
func Order(models []Model) (ordered []Model) {
	seen := map[string]bool{}
	var place func(m Model)
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
