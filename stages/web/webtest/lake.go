package webtest

import (
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/sample"
)

// NewLake makes a lake with pictures of the sample set: the domain Natural, and emb_s01, which has
// several frames.
func NewLake(t testing.TB) *data.Lake {
	t.Helper()
	lake := laketest.New(t)
	laketest.Commit(t, lake, "pictures", func(tx *data.Tx) error {
		out := must.Get(data.NewRowWriter(tx, data.Images))(t)
		for _, m := range must.Get(sample.Images())(t) {
			if m.Domain != sample.Natural && m.ID != "emb_s01" {
				continue // Each picture costs an fsync, so the lake has only a few.
			}
			rows := must.Get(m.Rows())(t)
			for i, f := range m.Frames {
				rows[i].Path = must.Get(tx.AddPicture(f.PNG, "png"))(t)
			}
			must.Succeed(t, out.Write(rows...))
		}
		return nil
	})
	return lake
}
