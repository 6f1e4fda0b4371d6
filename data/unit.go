package data

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/captionlake/captionlake/data/models"
)

// Where the rows of a unit come from.
const (
	ProvenancePublished = "published" // printed by somebody, taken over unchanged
	ProvenanceMeasured  = "measured"  // computed from replies of real models
	ProvenanceSimulated = "simulated" // made up: draws of the simulator, or replies of rehearsal models
)

// Together is the provenance of tables and figures that show both published and measured rows. In
// such tables and figures, measured rows have a [Dagger] behind the name of their captioner.
const (
	Together = ProvenancePublished + "+" + ProvenanceMeasured
	Dagger   = "†"
)

// SimulationSource is the source of made-up questions and battles.
const SimulationSource = "captionlake simulation"

// Provenances lists every provenance in the order in which results are shown: measured, published,
// simulated.
func Provenances() []string {
	return []string{ProvenanceMeasured, ProvenancePublished, ProvenanceSimulated}
}

// Version is the version of captionlake that is written into every file. The build may set it.
var Version = "0.1.0-dev"

// A Unit is one unit of work: its results are committed whole or not at all.
type Unit struct {
	Stage       string // what runs, such as ingest/captions
	Name        string // what it works on, unique within the stage and readable, because file names are made from it
	Protocol    string // protocol of the rows; empty if they follow no protocol
	Fingerprint string // digest of inputs and configuration; the same fingerprint means there is nothing to do
	Source      string // what the rows are made from
	Provenance  string // ProvenancePublished, ProvenanceMeasured or ProvenanceSimulated
	Detail      string // JSON with more details, kept in runs
}

// FileStem is the name of the unit's files in the folders of tables, without the ending: a readable
// slug and a short digest. The digest keeps units with the same slug apart.
func (u Unit) FileStem() string {
	sum := sha256.Sum256([]byte(u.Stage + "\x00" + u.Name))
	return models.Slug(u.Stage+"-"+u.Name) + "-" + hex.EncodeToString(sum[:4])
}

// Fingerprint digests the parts that a unit's results depend on. Each part is written with its
// length, so that different lists of parts give different texts.
func Fingerprint(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
