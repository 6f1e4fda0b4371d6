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
	behind := map[string]bool{}
	contents := map[string]string{} // digests by MART, and by MART/NUMBER for each part of a mart
	var reads []struct{ mart, key, digest string }
	for at := 0; at < len(marts); at++ { // The marts grow by the marts that they read.
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
				key, digest, _ := strings.Cut(input, "=")
				name, _, ofPart := strings.Cut(key, "/")
				if _, isTable := data.TableNamed(name); !isTable {
					marts = append(marts, name)
					reads = append(reads, struct{ mart, key, digest string }{name, key, digest})
					continue
				}
				units, err := unitsOf(name)
				if err != nil {
					return nil, err
				}
				counted := slices.Sorted(maps.Keys(units))
				if ofPart { // Such a file has the rows of some units of the table, and names them.
					counted = strings.Fields(says[unitsKey])
					parted[name] += len(counted)
				}
				if unitsPrint(name, units, counted) != digest {
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
		if contents[r.key] != r.digest {
			behind[r.mart] = true
		}
	}
	return slices.Sorted(maps.Keys(behind)), nil
}
