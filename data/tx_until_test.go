package data

import (
	"context"
	"fmt"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A unit of many rows whose context ends is given up while it is written out, and leaves nothing.
func TestUnitWhoseContextEnds(t *testing.T) {
	l := newLake(t)
	tx := must.Get(l.Begin(Unit{Stage: "ingest/captions", Name: "many", Provenance: ProvenanceMeasured,
		Fingerprint: "f"}))(t)
	ctx, cancel := context.WithCancel(t.Context())
	tx.Until(ctx)
	w := must.Get(NewRowWriter(tx, Captions))(t)
	for i := range sortRows + 1 {
		must.Succeed(t, w.Write(Caption{ImageID: fmt.Sprint(i)}))
	}
	cancel()
	expect.Failure(t, tx.Commit(), context.Canceled)
	expect.Equal(t, len(must.Get(unitsOf(l))(t)), 0)
	noTemps(t, l.store)
}
