package analytics

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// inputsKey is the metadata of a mart that holds its inputs, tables and marts, with their fingerprints.
const inputsKey = "captionlake.inputs"

// Behind lists what marts were built from and that is other now, by name: base tables, and marts whose readers were not built since. It
// looks at the given marts, or all that there are, and at what they read. What analyze would then change nothing of is among them, too.
func Behind(lake *data.Lake, marts ...string) ([]string, error) {
	if marts == nil {
		files, err := lake.Store().List(data.MartsFolder)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			marts = append(marts, strings.TrimSuffix(path.Base(file), ".parquet"))
		}
	}
	b := &builder{lake: lake, fingerprints: map[string]string{}, unitsOf: map[string]map[string]string{}}
	behind, prints, contents := map[string]bool{}, map[string][]string{}, map[string]string{}
	for len(marts) > 0 {
		mart := marts[0]
		marts = marts[1:]
		if _, seen := contents[mart]; seen {
			continue
		}
		inputs, content, err := inputsOf(lake, mart)
		if err != nil {
			return nil, err
		}
		contents[mart] = content
		for name, print := range inputs {
			if _, isTable := tableOf(name); !isTable {
				marts, prints[name] = append(marts, name), append(prints[name], print)
				continue
			}
			marts = append(marts, stalePrefix+name) // A fold does not name what tells it which rows count.
			now, err := b.fingerprint(name)
			if err != nil {
				return nil, err
			}
			if now != print {
				behind[name] = true
			}
		}
	}
	for name, of := range prints {
		if slices.ContainsFunc(of, func(print string) bool { return print != contents[name] }) {
			behind[name] = true
		}
	}
	return slices.Sorted(maps.Keys(behind)), nil
}

// BehindQuery is Behind of the marts that the text of a query names, itself or by a shortcut.
func BehindQuery(lake *data.Lake, query string) ([]string, error) {
	lower := strings.ToLower(query)
	marts := []string{}
	for _, s := range Shortcuts() {
		if strings.Contains(lower, s.Name) {
			marts = append(marts, s.Reads...)
		}
	}
	files, err := lake.Store().List(data.MartsFolder)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if mart := strings.TrimSuffix(path.Base(file), ".parquet"); strings.Contains(lower, mart) {
			marts = append(marts, mart)
		}
	}
	return Behind(lake, slices.DeleteFunc(marts, func(name string) bool { _, isTable := tableOf(name); return isTable })...)
}

// inputsOf are the fingerprints of what a mart was built from, by name, and that of its rows; none of a mart that there is not.
func inputsOf(lake *data.Lake, mart string) (inputs map[string]string, content string, err error) {
	f, err := lake.Store().Open(martFile(mart))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := data.OpenParquet(f, f.Size())
	if err != nil {
		return nil, "", data.WithHint(fmt.Errorf("%s: %w", lake.Path(martFile(mart)), err), "make it again with: captionlake --lake %s analyze", lake.Dir())
	}
	text, _ := pf.Lookup(inputsKey)
	inputs = map[string]string{}
	for input := range strings.FieldsSeq(text) {
		name, print, _ := strings.Cut(input, "=")
		inputs[name] = print
	}
	content, _ = pf.Lookup(contentKey)
	return inputs, content, nil
}
