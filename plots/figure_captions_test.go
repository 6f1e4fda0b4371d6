package plots

import (
	"errors"
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// captionsTable has two images of a domain, of which the second in the table is the first by its place, and two captioners.
func captionsTable(t *testing.T) *Table {
	t.Helper()
	out := table(t, "caption_examples", []string{"domain", "place", "image_id", "captioner", "captioner_name", "prompt", "loss", "n_answers", "n_correct", "n_cannot", "score", "provenance"})
	for _, r := range []struct {
		place             int
		image, captioner  string
		long, hinted, out float64
	}{{2, "nat_2", "captioner-a", 90, 10, 20}, {1, "nat_1", "captioner-a", 80, 70, 30}, {1, "nat_1", "captioner-b", 80, 30, 30}} {
		for prompt, score := range map[string]float64{"Short": 5, "Long": r.long, "Taxonomy-Hinted": r.hinted} {
			must.Succeed(t, out.Append("Natural", r.place, r.image, r.captioner, "Model "+r.captioner, prompt, r.out, 10, score/10, 1, score, "measured"))
		}
	}
	return out
}

// say is a caption of so many words.
func say(words int) Captions {
	return func(image, captioner, prompt string) (string, error) {
		return strings.Repeat("word ", words-1) + prompt + "-end", nil
	}
}

// The first image is shown with the captions of the captioner that loses most from Long to Taxonomy-Hinted, or of the one that the page names
// first, in full where there is room, on a page and in a column.
func TestCaptionsFigure(t *testing.T) {
	ts := Tables{"caption_examples": captionsTable(t)}
	text := func(on Page) string {
		t.Helper()
		d, err := captionsFigure.Draw(ts, on)
		must.Succeed(t, err)
		if err := d.Check(); err != nil {
			t.Error(err)
		}
		labels, err := d.Labels()
		must.Succeed(t, err)
		var all []string
		for _, l := range labels {
			all = append(all, l.Text)
		}
		return strings.Join(all, "\n")
	}
	shown := text(Page{Captions: say(30)})
	for _, w := range []string{"Model captioner-b", "Captions of nat_1", "Long, 30 words", "8 of 10 right, 1 cannot; score 80.0", "Taxonomy-Hinted, 30 words", "3 of 10 right, 1 cannot; score 30.0", "Long-end", "Taxonomy-Hinted-end", "no picture"} {
		if !strings.Contains(shown, w) {
			t.Errorf("%q is not in\n%s", w, shown)
		}
	}
	if strings.Contains(shown, "Short") || strings.Contains(shown, "nat_2") {
		t.Errorf("more is shown than the example:\n%s", shown)
	}
	if shown := text(Page{Captions: say(30), Order: []string{"captioner-a"}}); !strings.Contains(shown, "Model captioner-a") {
		t.Errorf("not the captioner that is asked for:\n%s", shown)
	}
	narrow := column
	narrow.Captions, narrow.Pictures = say(600), func(string) (image.Image, error) { return image.NewGray(image.Rect(0, 0, 40, 20)), nil }
	if shown := text(narrow); !strings.Contains(shown, "Long, 600 words") || strings.Contains(shown, "Long-end") || !strings.Contains(shown, "…") {
		t.Errorf("a long caption is not cut:\n%s", shown)
	}
	// Without both prompts the first and the last by length are shown, without a loss the reason is another.
	k := slices.Index(ts["caption_examples"].Columns(), "prompt")
	ts["caption_examples"] = ts["caption_examples"].Pick(func(i int) bool { return ts["caption_examples"].Row(i)[k] != "Taxonomy-Hinted" })
	if shown := text(Page{Captions: say(3)}); !strings.Contains(shown, "Short, 3 words") || !strings.Contains(shown, "Long, 3 words") {
		t.Errorf("got\n%s", shown)
	}
	none := func(string, string, string) (string, error) { return "", nil }
	if _, err := captionsFigure.Draw(ts, Page{Captions: none}); !errors.Is(err, ErrNoRows) || !strings.Contains(err.Error(), "answers from the captions of nat_1, but not the captions") {
		t.Errorf("got %v", err)
	}
	broken := func(string, string, string) (string, error) { return "", errors.New("no disk") }
	if _, err := captionsFigure.Draw(ts, Page{Captions: broken}); err == nil || !strings.Contains(err.Error(), "caption of nat_1: no disk") {
		t.Errorf("got %v", err)
	}
}
