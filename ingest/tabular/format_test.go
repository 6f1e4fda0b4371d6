package tabular

import (
	"slices"
	"testing"

	"github.com/captionlake/captionlake/ingest/shape"
)

// Every file of sql/formats is of a shape, gives columns of that shape, and says what tells it.
func TestFormatsAreOfTheirShapes(t *testing.T) {
	t.Parallel()
	for _, f := range formats() {
		if f.shape == nil {
			t.Fatalf("%s: there is no shape %q", f.name, f.Shape)
		}
		for _, entry := range f.Columns {
			if !slices.Contains(f.shape.Columns, entry.Key) {
				t.Errorf("%s: the shape %s has no column %s", f.name, f.Shape, entry.Key)
			}
		}
		if f.What == "" || f.weight == 0 && len(f.Rows) == 0 {
			t.Errorf("%s says neither what it is nor what tells it", f.name)
		}
	}
	for _, s := range shape.Shapes() {
		if s.Needs > len(s.Columns) || s.What == "" {
			t.Errorf("%s needs more columns than it has", s.Name)
		}
	}
}
