package server

import (
	"fmt"
	"strings"
)

// modelsFor lists the models with a purpose; all with an empty one.
func modelsFor(purpose string) string {
	var ids []string
	for _, p := range Profiles() {
		if strings.Contains(p.Purpose, purpose) {
			ids = append(ids, p.ID)
		}
	}
	return strings.Join(ids, ", ")
}

// Configuration is a captionlake.yaml in which every model of a server at an address has its part.
func Configuration(address string) string {
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
`, address, modelsFor(""), modelsFor("captioner"), modelsFor("pairwise judge"), modelsFor("question writer"),
		modelsFor("validator"))
}
