package ingest

import (
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
)

// NewModel looks for a misspelled model. If neither the registry nor the lake's captions have the
// named model, but the registry has a model with nearly the same id, NewModel returns both ids;
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
	units, err := l.Units(data.Captions)
	for unit := range units {
		if strings.HasPrefix(unit, "captions-"+id+"-") {
			return "", ""
		}
	}
	// If the registry has the model, the nearest id is its own. err is the error of Units.
	if near = spelling.Nearest(id, known); err != nil || near == "" || near == id {
		return "", ""
	}
	return id, near
}
