package data

import (
	"context"
	"time"

	"github.com/captionlake/captionlake/data/pages"
)

// A unitHeader holds the data that all files of a unit share.
type unitHeader struct {
	lake    *Lake
	unit    Unit
	stem    string
	started time.Time
	until   context.Context // when it ends, merging sorted files fails; may be nil

	compression pages.Codec // compresses the files of all tables of the unit, which share its encoders
}

func (h *unitHeader) runID() string {
	return Fingerprint(h.stem, h.unit.Fingerprint, h.started.UTC().Format(time.RFC3339Nano))[:16]
}

// metadata is the provenance that every file of the unit carries.
func (h *unitHeader) metadata() [][2]string {
	return [][2]string{
		{"captionlake.tool_version", Version},
		{"captionlake.run_id", h.runID()},
		{"captionlake.stage", h.unit.Stage},
		{"captionlake.unit", h.stem},
		{"captionlake.protocol", h.unit.Protocol},
		{"captionlake.fingerprint", h.unit.Fingerprint},
		{"captionlake.source", h.unit.Source},
		{"captionlake.provenance", h.unit.Provenance},
	}
}
