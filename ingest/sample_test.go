package ingest

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func TestLoadSample(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	result, err := LoadSample(t.Context(), l)
	must.Succeed(t, err)
	images := laketest.All(t, l, data.Images)
	if !result.Changed || result.Rows["images"] != len(images) {
		t.Fatalf("got %+v", result)
	}
	items := map[string]map[string]bool{}
	for _, m := range images {
		if items[m.Domain] == nil {
			items[m.Domain] = map[string]bool{}
		}
		items[m.Domain][m.ImageID] = true
		info, err := os.Stat(l.Path(m.Path))
		if err != nil || info.Size() != m.Bytes || m.Facts == "" {
			t.Errorf("the picture of %+v: %v", m, err)
		}
	}
	for _, domain := range []string{"Natural", "Document", "E-commerce", "Embodied AI"} {
		if n := len(items[domain]); n < 6 {
			t.Errorf("%d items of %s, want 6 at least", n, domain)
		}
	}
	questions := laketest.All(t, l, data.Questions)
	slices.SortFunc(questions, func(a, b data.Question) int { return int(a.Ordinal - b.Ordinal) })
	stream := captionqa.NewOrderStream(captionqa.OrderSeed)
	perImage := map[string]int{}
	for i, q := range questions {
		perImage[q.ImageID]++
		offered := captionqa.WithCannot(q.Question, q.Options)
		if want := stream.Next(len(offered)); int(q.Ordinal) != i || !slices.Equal(q.OptionOrder, want) || q.YesNo != (len(offered) == len(q.Options)) {
			t.Errorf("question %d is %+v, want order %v", i, q, want)
		}
	}
	for _, m := range images {
		if perImage[m.ImageID] < 10 {
			t.Errorf("%d questions about %s, want 10 at least", perImage[m.ImageID], m.ImageID)
		}
	}
	again, err := LoadSample(t.Context(), l)
	if err != nil || again.Changed {
		t.Errorf("loading again gave %+v, %v", again, err)
	}
	other := laketest.New(t)
	if _, err := LoadSample(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprint(questions[:3]), laketest.All(t, other, data.Questions); len(b) != len(questions) {
		t.Errorf("a second lake got %d questions, the first %d beginning with %s", len(b), len(questions), a)
	}
}
