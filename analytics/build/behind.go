package build

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
)

// Behind lists the inputs of marts that have changed since the marts were built, by name. These are
// base tables, and marts that have changed since their readers were built. It looks at the given
// marts, or at all marts of the lake, and at their inputs. An input is listed even if analyze would
// then change nothing.
func Behind(lake *data.Lake, marts ...string) ([]string, error) {
	files, err := data.MartFiles(lake)
	if err != nil {
		return nil, err
	}
	if marts == nil {
		marts = slices.Collect(maps.Keys(files))
	}
	unitsOf := remembered(lake, (*data.Lake).Units)
	behind, contents := map[string]bool{}, map[string]string{} // contents are of marts, and of their parts
	var reads [][3]string                                      // marts that others read, what of them, and its digest
	for at := 0; at < len(marts); at++ {                       // The marts grow by the marts that they read.
		mart := marts[at]
		if _, seen := contents[mart]; seen {
			continue
		}
		var digests []string
		parted := map[string]int{} // how many units of a table the parts of the mart have
		for i, file := range files[mart] {
			says, _ := data.FileMetadata(lake, file)
			if says == nil {
				return nil, data.WithHint(fmt.Errorf("%s cannot be read", lake.Path(file)),
					"make it again with: captionlake --lake %s analyze", lake.Dir())
			}
			digests = append(digests, says[contentKey])
			contents[fmt.Sprintf("%s/%02d", mart, i)] = says[contentKey]
			for input := range strings.FieldsSeq(says[sqlmodel.InputsKey]) {
				read, print, _ := strings.Cut(input, "=")
				name, _, ofPart := strings.Cut(read, "/")
				if _, isTable := data.TableNamed(name); !isTable {
					marts, reads = append(marts, name), append(reads, [3]string{name, read, print})
					continue
				}
				units, err := unitsOf(name)
				if err != nil {
					return nil, err
				}
				of := slices.Sorted(maps.Keys(units))
				if ofPart {
					of = strings.Fields(says[unitsKey])
					parted[name] += len(of)
				}
				if unitsPrint(name, units, of) != print {
					behind[name] = true
				}
			}
		}
		for name, n := range parted {
			if units, err := unitsOf(name); err != nil || n != len(units) { // A new unit is in no part.
				behind[name] = true
			}
		}
		contents[mart] = sqlmodel.Content(digests)
	}
	for _, r := range reads {
		if contents[r[1]] != r[2] {
			behind[r[0]] = true
		}
	}
	return slices.Sorted(maps.Keys(behind)), nil
}
