package data

import (
	"sync"

	"github.com/captionlake/captionlake/data/models"
)

// The types of model that the program treats differently from open and proprietary models.
const (
	ModelHuman     = "human"     // people
	ModelMetric    = "metric"    // a formula or a scoring model; it gets no prompt
	modelRehearsal = "rehearsal" // a model of the rehearsal server, with made-up replies
)

// Registry returns the registry of models that the binary carries.
var Registry = sync.OnceValues(func() (*models.Registry, error) {
	content, err := reference.ReadFile("models.yaml")
	if err != nil {
		return nil, err
	}
	return models.Parse("models.yaml", content)
})

// ModelIDFor is the model_id of a name, by the embedded registry.
func ModelIDFor(name string) (string, error) {
	r, err := Registry()
	if err != nil {
		return "", err
	}
	return r.ModelIDFor(name), nil
}

// ModelRows are the models of the registry as rows of their table.
func ModelRows() (rows []Model, err error) {
	r, err := Registry()
	if err != nil {
		return nil, err
	}
	for _, m := range r.All() {
		rows = append(rows, Model(m))
	}
	return rows, nil
}
