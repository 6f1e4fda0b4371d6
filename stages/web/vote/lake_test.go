package vote

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script></div></form>"' onclick=alert(3) ` +
	"\x1b[31mred\x1b[0m \x1b]0;title\x07 \u202eesrever\u202c {{.Token}} &lt;b&gt; javascript:alert(4) \x00 end"

const (
	long = "The image shows a calm scene that was drawn with plain shapes. **Foreground:** there is a bench beside a " +
		"path, and its seat is blue. " +
		"**Background:** behind it a row of trees stands below a pale sky with two small clouds. The light comes from " +
		"the left, so that short shadows fall to the right. " +
		"Overall, the composition is quiet and well ordered, and it conveys a feeling of rest. There are no people to be " +
		"seen, though a bicycle leans against the last tree."
	short = "A blue bench stands beside a path in a park. Behind it are three trees, and a bicycle leans against the " +
		"one on the right."
)

// newLake makes a lake with pictures, and battles about them.
func newLake(t testing.TB, battles ...data.Battle) *data.Lake {
	t.Helper()
	lake := webtest.NewLake(t)
	laketest.Put(t, lake, data.Battles, "battles", battles...)
	return lake
}

// battleOf is battle number n: an item of the sample set and two captioners.
func battleOf(n int) data.Battle {
	return data.Battle{
		BattleID: fmt.Sprintf("battle-%03d", n), ImageID: fmt.Sprintf("nat_s%02d", n%6+1), Benchmark: "caparena",
		Ordinal:    int32(n),
		CaptionerA: "model-" + strconv.Itoa(n%3), CaptionA: long, CaptionerB: "model-" + strconv.Itoa(n%3+1),
		CaptionB:   short,
		Provenance: data.ProvenanceMeasured,
	}
}

func battlesOf(n int) (all []data.Battle) {
	for i := range n {
		all = append(all, battleOf(i))
	}
	return all
}

type sitting struct {
	*webtest.Sitting
	*Page
	o Options
}

func sit(t *testing.T, battles ...data.Battle) *sitting {
	t.Helper()
	s := webtest.NewSitting(t, newLake(t, battles...))
	return &sitting{Sitting: s, o: Options{Benchmark: "caparena", Now: s.Now}}
}

func (s *sitting) open() {
	s.T.Helper()
	s.Page = must.Get(Open(s.Lake, s.o))(s.T)
	s.Serve(s.Page)
}
