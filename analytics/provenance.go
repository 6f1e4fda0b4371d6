package analytics

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// provenance is what the file of a mart says of itself: the tool, the model, its SQL, and the fingerprint of all that
// its rows depend on.
func (b *builder) provenance(m Model) (map[string]string, error) {
	domains, sum, err := b.meaning(m)
	if err != nil {
		return nil, err
	}
	parts := []string{"mart", data.Version, sum}
	var inputs []string
	for _, input := range m.Inputs {
		if m.Fold != "" && input == stalePrefix+m.Fold {
			continue // The state of the fold has its rows unit by unit.
		}
		print, err := b.fingerprint(input)
		if err != nil {
			return nil, fmt.Errorf("input %s: %w", input, err)
		}
		inputs = append(inputs, input+"="+print)
		if m.Fold == "" || !isBig(input) && input != m.Fold { // The state of the fold has big tables unit by unit.
			parts = append(parts, input, print)
		}
	}
	described := map[string]string{
		"captionlake.tool_version": data.Version,
		"captionlake.stage":        "analyze",
		"captionlake.unit":         m.Name,
		sqlKey:                     sum,
		inputsKey:                  strings.Join(inputs, " "),
		printKey:                   data.Fingerprint(parts...),
		"captionlake.source":       m.Source,
	}
	if m.domains != nil {
		described[domainsKey] = domains
	}
	return described, nil
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
	print, ok := b.fingerprints[input]
	b.mu.Unlock()
	if ok {
		return print, nil
	}
	if _, ok := tableOf(input); !ok {
		return "", errors.New("it is not built")
	}
	print, err := b.tableFingerprint(input)
	if err == nil {
		b.keep(input, print)
	}
	return print, err
}

// keep remembers the fingerprint of an input.
func (b *builder) keep(input, print string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fingerprints[input] = print
}

func (b *builder) tableFingerprint(table string) (string, error) {
	units, err := b.units(table)
	if err != nil {
		return "", err
	}
	parts := []string{table}
	for _, unit := range slices.Sorted(maps.Keys(units)) {
		parts = append(parts, unit, units[unit])
	}
	return data.Fingerprint(parts...), nil
}
