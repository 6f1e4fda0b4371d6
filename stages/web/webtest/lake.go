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
	images, err := sample.Images()
	must.Succeed(t, err)
	laketest.Commit(t, lake, "pictures", func(tx *data.Tx) error {
		out, err := data.NewRowWriter(tx, data.Images)
		if err != nil {
			return err
		}
		for _, m := range images {
			if m.Domain != sample.Natural && m.ID != "emb_s01" {
				continue // Each picture costs an fsync, so the lake has only a few.
			}
			rows, err := m.Rows()
			if err != nil {
				return err
			}
			for i, f := range m.Frames {
				if rows[i].Path, err = tx.AddPicture(f.PNG, "png"); err != nil {
					return err
				}
			}
			if err := out.Write(rows...); err != nil {
				return err
			}
		}
		return nil
	})
	return lake
}
