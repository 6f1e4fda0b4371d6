package data

// NameModels records names of models that the registry does not know. Each gets its own row in the
// table models, so that results show the name as it was given. A name that equals its model_id
// needs no row.
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
		u := Unit{Stage: "ingest/names", Name: id, Source: name, Provenance: ProvenanceMeasured,
			Fingerprint: Fingerprint("names", name)}
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
