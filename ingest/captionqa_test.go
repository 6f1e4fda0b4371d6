package ingest

import (
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
)

func TestKeyOf(t *testing.T) {
	t.Parallel()
	colours := []string{"Red", " Blue ", "Red"}
	letters := []string{"C", "A", "B"}
	for _, c := range []struct {
		options []string
		answer  string
		key     int
		ok      bool
	}{
		{colours, "Red", 0, true},  // the first of equal options, as published
		{colours, "Blue", 1, true}, // white space at the ends aside
		{colours, "B", 1, true},
		{colours, "(C)", 2, true},
		{colours, "C.", 2, true},
		{colours, "D", 0, false}, // names no place
		{colours, "b", 0, false},
		{colours, "1", 0, false}, // from 0 or from 1?
		{colours, "", 0, false},
		{colours, "Green", 0, false},
		{letters, "A", 1, true},  // text goes before place, as published
		{letters, "D", 0, false}, // an option's text or a place: two readings
	} {
		key, reason := keyOf(c.options, c.answer)
		if (reason == "") != c.ok || c.ok && key != c.key {
			t.Errorf("keyOf(%q, %q) = %d, %q; want %d, taken %t", c.options, c.answer, key, reason, c.key, c.ok)
		}
	}
}

func TestRealCaptions(t *testing.T) {
	t.Parallel()
	file := laketest.Shared(t, "captionqa/captions_simple_qwen2.5-vl-3b.json")
	l := laketest.New(t)
	result := mustLoad(t, l, pathSource(file), Options{Captioner: "Qwen/Qwen2.5-VL-3B-Instruct", Prompt: "simple", Reader: "qwen2.5-72b"})
	domains := map[string]int{}
	for _, row := range laketest.All(t, l, data.Captions) {
		domains[row.Domain]++
		if row.Captioner != "qwen2.5-vl-3b" || row.Prompt != "Simple" || row.Caption == "" || row.Words == 0 {
			t.Fatalf("got %+v", row)
		}
	}
	// 158 + 178 + 121 + 200 = 657 images (CaptionQA Table 1).
	if result.Rows["captions"] != 657 || domains["Natural"] != 158 || domains["Document"] != 178 || domains["E-commerce"] != 121 || domains["Embodied AI"] != 200 {
		t.Errorf("%d captions: %v", result.Rows["captions"], domains)
	}
}
