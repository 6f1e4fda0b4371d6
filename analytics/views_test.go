package analytics

import (
	"bytes"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
)

// A file that an earlier version wrote lacks the columns that were added since: they are null, and every other query
// works as before.
func TestFilesOfAnEarlierVersionLackColumns(t *testing.T) {
	lake := laketest.New(t)
	var out bytes.Buffer
	for table, columns := range map[string]string{"captions": "'a' as image_id, 'm' as captioner", "marts": "'Simple' as prompt, 'm' as captioner"} {
		name := table + "/old.parquet"
		if table == "marts" {
			name = martFile("captionqa_main")
		}
		if err := lake.PutFile(table+"/made", nil); err != nil { // Makes the folder.
			t.Fatal(err)
		}
		query := "copy (select " + columns + ") to '" + lake.Path(name) + "' (format parquet)"
		if _, err := Query(t.Context(), lake, query, QueryOptions{AllowOutside: true, Format: "csv"}, &out); err != nil {
			t.Fatal(err)
		}
	}
	out.Reset()
	query := "select image_id, captions.captioner, words, overall from captions cross join captionqa_main"
	if _, err := Query(t.Context(), lake, query, QueryOptions{Format: "csv"}, &out); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "image_id,captioner,words,overall\na,m,,\n"; strings.ReplaceAll(got, "\r", "") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
