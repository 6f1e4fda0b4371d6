package analytics

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// Models reads every model of package sql and returns them in building order: each after the models that it reads. Columns that
// are repeated for each domain are there for the published domains; a lake with others has more.
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
	if len(faults) > 0 {
		return nil, joinFaults(faults)
	}
	return Order(models, tableNames())
}

// tableNames lists the base tables.
func tableNames() []string {
	var names []string
	for _, t := range data.Tables() {
		names = append(names, t.Name())
	}
	return names
}

// joinFaults makes one error of several. The message has one line for each.
func joinFaults(faults []error) error { return errors.Join(faults...) }

// Order sorts models so that each comes after the models among its inputs and otherwise keeps the given order, and completes those
// whose columns are like another's. tables
// are the names of the base tables. An input that is neither, two models of one name, a model that takes the name of
// a table, and a circle of models are errors.
func Order(models []Model, tables []string) ([]Model, error) {
	byName := map[string]Model{}
	var faults []error
	for _, m := range models {
		if slices.Contains(tables, m.Name) {
			faults = append(faults, fmt.Errorf("model %s has the name of a base table", m.Name))
		}
		if _, twice := byName[m.Name]; twice {
			faults = append(faults, fmt.Errorf("there are two models with the name %s", m.Name))
		}
		byName[m.Name] = m
	}
	for _, m := range models {
		for _, input := range m.Inputs {
			if _, ok := byName[input]; !ok && !slices.Contains(tables, input) {
				faults = append(faults, data.WithHint(fmt.Errorf("model %s: input %q is neither a base table nor a model", m.Name, input),
					"correct the inputs in the header of %s", m.File))
			}
		}
	}
	if len(faults) > 0 {
		return nil, joinFaults(faults)
	}
	var ordered []Model
	const walking, placed = 1, 2
	state := map[string]int{}
	var path []string
	var place func(name string) error
	place = func(name string) error {
		m, isModel := byName[name]
		if !isModel || state[name] == placed {
			return nil
		}
		path = append(path, name)
		if state[name] == walking {
			circle := path[slices.Index(path, name):]
			return data.WithHint(fmt.Errorf("the models read each other in a circle: %s", strings.Join(circle, " -> ")),
				"remove one of these inputs")
		}
		state[name] = walking
		for _, input := range m.Inputs {
			if err := place(input); err != nil {
				return err
			}
		}
		path = path[:len(path)-1]
		state[name] = placed
		if l := m.like; l != nil {
			from := slices.IndexFunc(ordered, func(o Model) bool { return o.Name == l.model })
			if from < 0 {
				return fmt.Errorf("%s: like: %q is not a model among the inputs", m.File, l.model)
			}
			if faults := m.copyColumns(ordered[from]); len(faults) > 0 {
				return joinFaults(faults)
			}
		}
		ordered = append(ordered, m)
		return nil
	}
	for _, m := range models {
		if err := place(m.Name); err != nil {
			return nil, err
		}
	}
	return ordered, nil
}
