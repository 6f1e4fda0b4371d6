package analytics

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/captionlake/captionlake/data"
)

// provenance is what the file of a part says of itself: the tool, the model, its SQL, and the fingerprint of all that its rows depend on.
func (b *builder) provenance(m Model, p part) (map[string]string, error) {
	domains, sum, err := b.meaning(m)
	says := map[string]string{
		"captionlake.tool_version": data.Version,
		"captionlake.stage":        "analyze",
		"captionlake.unit":         m.Name,
		sqlKey:                     sum,
		inputsKey:                  p.inputs,
		printKey:                   p.print,
		"captionlake.source":       m.Source,
	}
	if m.domains != nil {
		says[domainsKey] = domains
	}
	if b.taken.has(m) {
		says[engineKey] = b.taken.engine
	}
	return says, err
}

// meaning digests the text of a model and what else decides what that means, with the names of the domains for which lines are repeated.
func (b *builder) meaning(m Model) (domains, sum string, err error) {
	names, err := json.Marshal(m.domainNames())
	if err != nil {
		return "", "", err
	}
	return string(names), data.Fingerprint(m.Text, macros, intervalMethod, b.sampling.of(m), string(names), m.computed()), nil
}

// domainNames are those for which lines are repeated; nil without such lines.
func (m Model) domainNames() []string {
	var names []string
	for _, d := range m.domains {
		names = append(names, d.Name)
	}
	return names
}

// sqlKey is the metadata of a mart that holds the digest of its model's text and of what else decides what that means.
const sqlKey = "captionlake.sql_sha256"

// printKey is the metadata of a mart that holds the fingerprint of all that its rows depend on.
const printKey = "captionlake.fingerprint"

// contentKey is the metadata of a mart that holds the digest of its rows.
const contentKey = "captionlake.content"

// fingerprint digests an input. Of a mart it is that of its rows, so that a mart that was made again and came out as it was causes
// nothing; of a base table it is made from the names of the units and the digests of their files.
func (b *builder) fingerprint(input string) (string, error) {
	b.mu.Lock()
	print, ok := b.contents[input]
	b.mu.Unlock()
	if ok {
		return print, nil
	}
	units, err := b.units(input)
	return unitsPrint(input, units, slices.Sorted(maps.Keys(units))), err
}
