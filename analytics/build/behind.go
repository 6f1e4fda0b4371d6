package build

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
)

// Behind lists the inputs of marts that have changed since the marts were built, by name. An input
// is a base table or another mart. Behind looks at the given marts, or at all marts of the lake,
// and at the marts that these read. An input is listed even if analyze would then change nothing.
func Behind(lake *data.Lake, marts ...string) ([]string, error) {
	files, err := data.MartFiles(lake)
	if err != nil {
		return nil, err
	}
	if marts == nil { // A query that names no mart gives an empty list that is not nil: nothing is looked at.
		marts = slices.Collect(maps.Keys(files))
	}
	unitsOf := remembered(lake, (*data.Lake).Units)
	changed := map[string]bool{}
	contents := map[string]string{} // digests of rows by MART, and by MART/NN for each part of a mart
	// the marts that marts read: NAME, or NAME/NN, and the digest of its rows when they were read
	var martInputs [][2]string
	for next := 0; next < len(marts); next++ { // The list grows by the marts that the marts read.
		mart := marts[next]
		if _, seen := contents[mart]; seen {
			continue
		}
		var digests []string
		unitsInParts := map[string]int{} // how many units of a table the parts of the mart have
		for i, file := range files[mart] {
			metadata, _ := data.FileMetadata(lake, file)
			if metadata == nil {
				return nil, data.WithHint(fmt.Errorf("%s cannot be read", lake.Path(file)),
					"make it again with: captionlake --lake %s analyze", lake.Dir())
			}
			digests = append(digests, metadata[contentKey])
			contents[fmt.Sprintf("%s/%02d", mart, i)] = metadata[contentKey]
			for input := range strings.FieldsSeq(metadata[sqlmodel.InputsKey]) {
				key, digest, _ := strings.Cut(input, "=")
				name, _, isPart := strings.Cut(key, "/")
				if _, isTable := data.TableNamed(name); !isTable {
					marts = append(marts, name)
					martInputs = append(martInputs, [2]string{key, digest})
					continue
				}
				units, err := unitsOf(name)
				if err != nil {
					return nil, err
				}
				read := slices.Sorted(maps.Keys(units))
				if isPart { // The file has the rows of some units of the table, and its metadata names the units.
					read = strings.Fields(metadata[unitsKey])
					unitsInParts[name] += len(read)
				}
				if unitsPrint(name, units, read) != digest {
					changed[name] = true
				}
			}
		}
		for table, n := range unitsInParts {
			if units, err := unitsOf(table); err != nil || n != len(units) { // A new unit is in no part.
				changed[table] = true
			}
		}
		contents[mart] = sqlmodel.Content(digests)
	}
	for _, input := range martInputs {
		if key, digest := input[0], input[1]; contents[key] != digest {
			mart, _, _ := strings.Cut(key, "/")
			changed[mart] = true
		}
	}
	return slices.Sorted(maps.Keys(changed)), nil
}
