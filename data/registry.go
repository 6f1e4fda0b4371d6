package data

import (
	"sync"

	"github.com/captionlake/captionlake/data/models"
)

// The types of a model.
const (
	ModelOpen        = "open"        // weights can be had
	ModelProprietary = "proprietary" // behind an interface only
	ModelHuman       = "human"       // people
	ModelMetric      = "metric"      // a formula or a scoring model that is not asked in words
	ModelRehearsal   = "rehearsal"   // a model of the rehearsal server, which knows nothing
)

// Registry returns the registry of models that the binary carries.
var Registry = sync.OnceValues(func() (*models.Registry, error) {
	content, err := reference.ReadFile("models.yaml")
	if err != nil {
		return nil, err
	}
	return models.Parse("models.yaml", content)
})

// ModelIDFor is the model_id of a name, by the registry that the binary carries.
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

// NameModels keeps what models are called that the registry does not know: each has a row of its own in the table models,
// so that results show its name as it was given. A name that is the model_id needs none.
func NameModels(l *Lake, names ...string) error {
	r, err := Registry()
	if err != nil {
		return err
	}
	for _, name := range names {
		id := r.ModelIDFor(name)
		if _, known := r.Resolve(name, ""); known || id == name || name == "" {
			continue
		}
		u := Unit{Stage: "ingest/names", Name: id, Source: name, Provenance: ProvenanceMeasured, Fingerprint: Fingerprint("names", name)}
		if err := nameModel(l, u, Model{ModelID: id, Name: name, Aliases: []string{}}); err != nil {
			return err
		}
	}
	return nil
}

// nameModel writes the row of a model as a unit, unless the lake has it.
func nameModel(l *Lake, u Unit, row Model) error {
	if done, err := l.Done(u); done || err != nil {
		return err
	}
	tx, err := l.Begin(u)
	if err != nil {
		return err
	}
	defer tx.Abort()
	w, err := NewRowWriter(tx, Models)
	if err != nil {
		return err
	}
	if err := w.Write(row); err != nil {
		return err
	}
	return tx.Commit()
}
