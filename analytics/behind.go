package analytics

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// Behind lists the base tables that were written to since a mart was built from them, by name. What analyze would then change nothing of is
// among them, too.
func (r *Reader) Behind(ctx context.Context) ([]string, error) {
	marts, err := r.Marts(ctx)
	if err != nil {
		return nil, err
	}
	b := &builder{lake: r.lake, fingerprints: map[string]string{}, unitsOf: map[string]map[string]string{}}
	behind := map[string]bool{}
	for _, m := range marts {
		for _, input := range strings.Fields(m.Inputs) {
			name, print, _ := strings.Cut(input, "=")
			if _, isTable := tableOf(name); !isTable || behind[name] {
				continue
			}
			now, err := b.fingerprint(name)
			if err != nil {
				return nil, err
			}
			behind[name] = now != print
		}
	}
	maps.DeleteFunc(behind, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(behind)), nil
}
