package ingest

import (
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
)

// NewModel returns the id of a model that neither the registry nor the lake knows, and the known id that is spelled
// nearly so. Without a warning, rows meant for the known model would silently get another model. Both are empty if there
// is no such model.
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
	if near = spelling.Nearest(id, known); err != nil || near == "" || near == id {
		return "", ""
	}
	return id, near
}
