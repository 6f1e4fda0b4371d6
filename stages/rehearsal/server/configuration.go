package server

import (
	"fmt"
	"strings"
)

// Configuration is a captionlake.yaml in which every model of a server at an address has its part.
func Configuration(address string) string {
	of := func(purpose string) string {
		var names []string
		for _, p := range Profiles() {
			if strings.Contains(p.Purpose, purpose) {
				names = append(names, p.ID)
			}
		}
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf(`endpoints:
  - name: rehearsal
    replicas: [http://%s/v1]
    models: [%s]
captions:
  captioners: [%s]
answers:
  readers: [rehearsal/reader-careful]
judges:
  models: [rehearsal/judge]
battles:
  judges: [%s]
construct:
  generators: [%s]
  reader: rehearsal/reader-careful
  embedder: rehearsal/embedder
  validators: [%s]
`, address, of(""), of("captioner"), of("pairwise judge"), of("question writer"), of("validator"))
}
