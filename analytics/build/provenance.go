package build

import (
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
)

// provenance is the metadata in the file of a part: the tool, the model, the digest of the model's
// SQL, the inputs, and the fingerprint of all that the rows depend on.
func (b *builder) provenance(m sqlmodel.Model, p part) map[string]string {
	metadata := map[string]string{
		"captionlake.tool_version": data.Version,
		"captionlake.stage":        "analyze",
		"captionlake.unit":         m.Name,
		sqlKey:                     b.meaning(m),
		sqlmodel.InputsKey:         p.inputs,
		sqlmodel.PrintKey:          p.fingerprint,
		"captionlake.source":       m.Source,
	}
	if m.InParts() {
		metadata[unitsKey] = strings.Join(p.units, " ")
	}
	if b.taken.has(m) {
		metadata[engineKey] = b.taken.engine
	}
	return metadata
}

// meaning digests a model's text, and the macros and sampling values that the text depends on.
func (b *builder) meaning(m sqlmodel.Model) string {
	return data.Fingerprint(m.Text, engine.Macros, b.o.sampling.of(m))
}

// sqlKey names the metadata in a mart's file that holds the digest of the model's text and of
// everything else that decides the meaning of the text.
const sqlKey = "captionlake.sql_sha256"

// unitsKey names the metadata in the file of a fold's part that lists the units of the part.
const unitsKey = "captionlake.units"

// contentKey names the metadata in a mart's file that holds the digest of the rows.
const contentKey = "captionlake.content"

// fingerprint digests an input. The fingerprint of a mart is the digest of its rows: if a mart was
// made again with the same rows, the models that read it are not built again. The fingerprint of a
// base table is made from the names of the units and the digests of their files.
func (b *builder) fingerprint(input string) (string, error) {
	b.mu.Lock()
	contents, isMart := b.contents[input]
	b.mu.Unlock()
	if isMart {
		return sqlmodel.Content(contents), nil
	}
	units, err := b.units(input)
	return unitsPrint(input, units, slices.Sorted(maps.Keys(units))), err
}
