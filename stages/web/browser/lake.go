package browser

import (
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/sample"
)

// NewLake makes a lake with pictures of the sample set: those of the domain Natural, and emb_s01, which has several frames.
func NewLake(t testing.TB) *data.Lake {
	t.Helper()
	lake, err := data.Create(t.TempDir(), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lake.Close() }) // A test that closed it has no lock to release.
	images, err := sample.Images()
	if err != nil {
		t.Fatal(err)
	}
	Commit(t, lake, "pictures", func(tx *data.Tx) error {
		out, err := data.NewRowWriter(tx, data.Images)
		if err != nil {
			return err
		}
		for _, m := range images {
			if m.Domain != sample.Natural && m.ID != "emb_s01" {
				continue // Each picture is an fsync.
			}
			paths := make([]string, len(m.Frames))
			for i, f := range m.Frames {
				if paths[i], err = tx.AddPicture(f.PNG, "png"); err != nil {
					return err
				}
			}
			rows, err := m.Rows(func(_ string, frame int) string { return paths[frame] })
			if err != nil {
				return err
			}
			if err := out.Write(rows...); err != nil {
				return err
			}
		}
		return nil
	})
	return lake
}

// Commit writes a unit of a test.
func Commit(t testing.TB, lake *data.Lake, name string, write func(*data.Tx) error) {
	t.Helper()
	tx, err := lake.Begin(data.Unit{Stage: "test", Name: name, Fingerprint: name, Provenance: data.ProvenanceMeasured})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Abort()
	if err := write(tx); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// Rows writes rows of a table as a unit.
func Rows[T any](t testing.TB, lake *data.Lake, table data.Table[T], name string, rows ...T) {
	t.Helper()
	Commit(t, lake, name, func(tx *data.Tx) error {
		out, err := data.NewRowWriter(tx, table)
		if err != nil {
			return err
		}
		return out.Write(rows...)
	})
}

// All are the rows of a table.
func All[T any](t testing.TB, lake *data.Lake, table data.Table[T]) (all []T) {
	t.Helper()
	for row, err := range data.Select(lake, table, nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}
