package ingest

import (
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
)

// NewModel looks for a misspelled model. If neither the registry nor the lake's rows have the named
// model, but the registry has a model with nearly the same id, NewModel returns both ids;
// otherwise, and after an error, both are empty. A command warns with the two ids, because rows
// that were meant for the known model would silently become rows of a new model.
func NewModel(l *data.Lake, name string) (id, near string) {
	registry, err := data.Registry()
	if name == "" || err != nil {
		return "", ""
	}
	id = registry.ModelIDFor(name)
	var known []string
	for _, m := range registry.All() {
		known = append(known, m.ModelID)
	}
	if near = spelling.Nearest(id, known); near == "" || near == id {
		return "", ""
	}
	const ofModel = `select captioner from (
    select captioner from captions union all select captioner from answers union all select reader from answers
    union all select judge from judgments) where captioner = ? limit 1`
	if rows, err := data.QueryAll[data.Caption](l, ofModel, id); err != nil || len(rows) > 0 {
		return "", ""
	}
	return id, near
}
