package dictionary

import (
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

func TestTablesDescribeEveryColumn(t *testing.T) {
	t.Parallel()
	docs := must.Get(Tables())(t)
	must.Equal(t, len(docs), len(data.Tables()), "described tables")
	for _, doc := range docs {
		columns := map[string]Column{}
		for _, c := range doc.Columns {
			if c.Comment == "" || c.Type == "" {
				t.Errorf("%s.%s is not fully described: %+v", doc.Name, c.Name, c)
			}
			columns[c.Name] = c
		}
		for _, key := range doc.Key {
			if c, ok := columns[key]; !ok || c.Nullable {
				t.Errorf("%s: key column %s is absent or nullable", doc.Name, key)
			}
		}
	}
}
