package analytics

import (
	"slices"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// Models are the models of package sql in building order: each after the models that it reads.
func Models() []Model { return slices.Clone(ownModels()) }

// ownModels reads the models once: their text is part of the program.
var ownModels = sync.OnceValue(func() []Model {
	return Order(modelsNamed(sql.Names()))
})

// modelsNamed reads the models whose names are among words: reading all takes longer than many a query.
func modelsNamed(words []string) (models []Model) {
	for _, file := range sql.Models() {
		if !slices.Contains(words, file.Name) {
			continue
		}
		model, err := ParseModel(file.Path, file.Text)
		if err != nil {
			panic(err) // the file is part of the program
		}
		models = append(models, model)
	}
	return models
}

// tableNames lists the base tables.
func tableNames() []string {
	var names []string
	for _, t := range data.Tables() {
		names = append(names, t.Name())
	}
	return names
}

// catalogNames are the tables and the marts that there can be.
func catalogNames() []string { return slices.Concat(tableNames(), sql.Names()) }

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
