package data

// NameModels records names of models that the registry does not know. Each such name gets its own
// row in the table models, so that results show the name as it was given. A name that equals its
// model_id needs no row, because results show the model_id of a model without a row.
func NameModels(l *Lake, names ...string) error {
	r, err := Registry()
	if err != nil {
		return err
	}
	for _, name := range names {
		id := r.ModelIDFor(name)
		// An empty name names no model.
		if _, known := r.Resolve(name); known || id == name || name == "" {
			continue
		}
		// Rows of models have no provenance, but every unit needs one.
		u := Unit{Stage: "ingest/names", Name: id, Source: name, Provenance: ProvenanceMeasured,
			Fingerprint: Fingerprint("names", name)}
		if _, err := Put(l, u, Models, Model{ModelID: id, Name: name, Aliases: []string{}}); err != nil {
			return err
		}
	}
	return nil
}
