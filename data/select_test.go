package data

import (
	"fmt"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func TestSelectMergesUnitsInKeyOrder(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	for unit, ids := range [][]string{{"a", "d", "e"}, {"b", "c"}} {
		var captions []Caption
		for _, id := range ids {
			captions = append(captions, Caption{ImageID: id, Captioner: "m", Prompt: "Long"},
				Caption{ImageID: id, Captioner: "m", Prompt: "Short"})
		}
		must.Succeed(t, commitCaptions(t, l, fmt.Sprint(unit), "f", captions...))
	}
	must.Succeed(t, commitCaptions(t, l, "other", "f", Caption{ImageID: "a", Captioner: "z", Prompt: "Long"}))
	var got []string
	for _, row := range collect(t, Select(l, Captions, Where{"captioner": "m", "prompt": "Long"})) {
		got = append(got, row.ImageID+row.Prompt)
	}
	must.Equal(t, got, []string{"aLong", "bLong", "cLong", "dLong", "eLong"})
	must.Equal(t, len(must.Get(filesWith(l, Captions, Where{"captioner": "z"}))(t)), 1,
		"statistics should leave one file")
	expect.Equal(t, len(collect(t, Select(l, Captions, Where{"captioner": "nobody"}))), 0)
	for _, err := range Select(l, Captions, nil) { // Stopping early closes every file.
		must.Succeed(t, err)
		break
	}
}

func TestProjectReadsSomeColumns(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	must.Succeed(t, commitCaptions(t, l, "one", "f",
		Caption{ImageID: "a", Captioner: "m", Prompt: "Long", Caption: "text"}, Caption{ImageID: "b", Captioner: "n"}))
	type pair struct {
		Captioner string `parquet:"captioner"`
		ImageID   string `parquet:"image_id"`
	}
	must.Equal(t, collect(t, Project[pair](l, Captions, Where{"captioner": "m"})), []pair{{"m", "a"}})
}

// A projection without the column that its rows are chosen by would choose by another one.
func TestRowsAreChosenByTheirOwnColumns(t *testing.T) {
	l := newLake(t)
	type id struct {
		ID string `parquet:"candidate_id"`
	}
	for _, err := range Project[id](l, Candidates, Where{"domain": "Natural"}) {
		expect.Failure(t, err, `has no column "domain" to choose rows by`)
		return
	}
	t.Error("a projection without the column has no error")
}
