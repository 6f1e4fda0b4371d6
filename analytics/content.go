package analytics

import (
	"strings"

	"github.com/captionlake/captionlake/data"
)

// inputsKey is the metadata of a mart that holds its inputs, tables and marts, with their fingerprints.
const inputsKey = "captionlake.inputs"

// printKey is the metadata of a mart that holds the fingerprint of all that its rows depend on.
const printKey = "captionlake.fingerprint"

// martContent digests the rows of a mart by the digests of its parts; it is empty without any.
func martContent(contents []string) string {
	if len(contents) > 1 {
		return data.Fingerprint(contents...)
	}
	return strings.Join(contents, "")
}
