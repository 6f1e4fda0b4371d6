package sqlmodel

import (
	"strings"

	"github.com/captionlake/captionlake/data"
)

// InputsKey is the metadata of a mart that holds its inputs, tables and marts, with their fingerprints.
const InputsKey = "captionlake.inputs"

// PrintKey is the metadata of a mart that holds the fingerprint of all that its rows depend on.
const PrintKey = "captionlake.fingerprint"

// Content digests the rows of a mart by the digests of its parts; it is empty without any.
func Content(contents []string) string {
	if len(contents) > 1 {
		return data.Fingerprint(contents...)
	}
	return strings.Join(contents, "")
}
