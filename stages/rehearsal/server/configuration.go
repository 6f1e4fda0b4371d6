package server

import (
	"fmt"
	"strings"
)

// modelsFor lists the models for a purpose; all models if the purpose is empty.
func modelsFor(purpose string) string {
	var ids []string
	for _, p := range Profiles() {
		if strings.Contains(p.Purpose, purpose) {
			ids = append(ids, p.ID)
		}
	}
	return strings.Join(ids, ", ")
}

// Configuration is a captionlake.yaml that asks the models of a rehearsal server, each for its
// purpose. address is the server's host and port.
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
