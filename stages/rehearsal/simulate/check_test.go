package simulate

import (
	"errors"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func commit[T any](t *testing.T, lake *data.Lake, u data.Unit, table data.Table[T], row T) {
	t.Helper()
	must.Get(data.Put(lake, u, table, row))(t)
}

// Made-up answers go into a lake of their own: one that holds anything else is refused.
func TestOtherDataAreRefused(t *testing.T) {
	measured := data.Unit{Stage: "ingest/captions", Name: "mine", Fingerprint: "f", Provenance: data.ProvenanceMeasured}
	rehearsed := data.Unit{Stage: "answer", Name: "rehearsed", Fingerprint: "f", Provenance: data.ProvenanceSimulated}
	published := data.Unit{Stage: "ingest/published", Name: "figures", Fingerprint: "f",
		Provenance: data.ProvenancePublished}
	for name, fill := range map[string]func(t *testing.T, lake *data.Lake){
		"captions": func(t *testing.T, l *data.Lake) { commit(t, l, measured, data.Captions, data.Caption{ImageID: "a"}) },
		"questions": func(t *testing.T, l *data.Lake) {
			commit(t, l, published, data.Questions, data.Question{QuestionID: "a"})
		},
		"rehearsed answers": func(t *testing.T,
			l *data.Lake) {
			commit(t, l, rehearsed, data.Answers, data.Answer{QuestionID: "a"})
		},
		"figures of your own": func(t *testing.T,
			l *data.Lake) {
			commit(t, l, measured, data.PublishedFigures, data.Published{})
		},
		"work in flight": func(t *testing.T, l *data.Lake) {
			j := must.Get(data.OpenJournal[data.Call](l, rehearsed.FileStem()))(t)
			must.Succeed(t, errors.Join(j.Append(data.Call{}), j.Close()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			lake := laketest.New(t)
			fill(t, lake)
			laketest.Hint(t, Check(lake), "", errHoldsData)
		})
	}
}
