package stages

import (
	"strings"

	"github.com/captionlake/captionlake/data"
)

// Evidence is what a reader is given with a question.
const (
	EvidenceCaption = "caption" // the caption of another model, or of its own: QA-on-caption
	EvidenceImage   = "image"   // the picture itself: QA-on-image, for the utility gap
	EvidenceNone    = "none"    // an empty caption: the faithfulness of the reader
)

// A ModelName is a model as the lake and as a server know it, and what every request to it carries.
type ModelName struct {
	ID     string          // model_id of the registry, or of its own for a model that is not in it
	Served string          // name that the server expects
	Flags  map[string]bool // flags of its chat template, such as enable_thinking; nil for none
}

// stubPrefix begins the names of rehearsal models.
const stubPrefix = "stub/"

// Simulated reports whether the model is a rehearsal model, whose replies are no measurement.
func (m ModelName) Simulated() bool { return strings.HasPrefix(m.Served, stubPrefix) }

// provenance of what models said: a measurement only if none of them rehearses and what they read was none either.
func provenance(simulated bool) string {
	if simulated {
		return data.ProvenanceSimulated
	}
	return data.ProvenanceMeasured
}

// conditions joins the parts of a unit's name; empty ones are left out.
func conditions(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}
