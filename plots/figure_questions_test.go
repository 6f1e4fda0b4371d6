package plots

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// figureNamed returns a figure of the list.
func figureNamed(t testing.TB, name string) Figure {
	t.Helper()
	i := slices.IndexFunc(Figures(), func(f Figure) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no figure %s", name)
	}
	return Figures()[i]
}

// textsOf draws a figure, checks its text and returns its labels from top to bottom, then from left to right.
func textsOf(t *testing.T, name string, ts Tables) []string {
	t.Helper()
	f := figureNamed(t, name)
	d, err := f.Draw(ts, Page{})
	must.Succeed(t, err)
	if err := checkPages(f, ts, d); err != nil {
		t.Error(err)
	}
	labels, err := d.Labels()
	must.Succeed(t, err)
	slices.SortStableFunc(labels, func(a, b Label) int {
		if dy := float64(b.Corners[0].Y - a.Corners[0].Y); dy > 3 || dy < -3 {
			return int(dy)
		}
		return int(a.Corners[0].X - b.Corners[0].X)
	})
	var out []string
	for _, l := range labels {
		out = append(out, l.Text)
	}
	return out
}

// inOrder checks that texts stand among the labels in this order.
func inOrder(t *testing.T, labels []string, want ...string) {
	t.Helper()
	at := 0
	for _, w := range want {
		i := slices.Index(labels[at:], w)
		if i < 0 {
			t.Errorf("%q is not among the labels in its place: %q", w, labels)
			return
		}
		at += i
	}
}

func TestOptionShares(t *testing.T) {
	tb := table(t, "question_options", []string{"bank", "domain", "n_options", "n_questions", "provenance"},
		[]any{"b", "Natural", 2, 30, "measured"}, []any{"b", "Natural", 4, 60, "measured"}, []any{"b", "Natural", 6, 6, "measured"}, []any{"b", "Natural", 9, 4, "measured"},
		[]any{"b", "Total", 2, 30, "measured"})
	labels := textsOf(t, "question_options", Tables{"question_options": tb})
	// 30, 60 and 6 + 4 of 100 questions; Total is no domain.
	inOrder(t, labels, "2 options", "4 options", "5 and more")
	inOrder(t, labels, "Natural", "30.0", "60.0", "10.0")
	if slices.Contains(labels, "Total") || slices.Contains(labels, "3 options") {
		t.Errorf("a domain or a key too many: %q", labels)
	}
}

func TestCategoryQuestions(t *testing.T) {
	tb := table(t, "category_questions", []string{"domain", "category", "n_questions", "provenance"},
		[]any{"Natural", "Rare", 1000, "measured"}, []any{"Natural", "Common", 2500, "measured"}, []any{"Natural", "", 500, "measured"}, []any{"Document", "Other", 9, "measured"})
	labels := textsOf(t, "questions_natural", Tables{"category_questions": tb})
	inOrder(t, labels, "4,000 questions in 3 top-level categories.")
	inOrder(t, labels, "Common", "62.5 % (2,500)", "Rare", "25.0 % (1,000)", "(no category)", "12.5 % (500)")
	printed := table(t, "category_questions", []string{"domain", "category", "n_questions", "stated_share", "provenance"},
		[]any{"Natural", "Attribute", 30, 28.1, "published"}, []any{"Natural", "Spatial", 10, nil, "published"})
	labels = textsOf(t, "questions_natural", Tables{"category_questions": printed})
	inOrder(t, labels, "Attribute", "75.0 % (30); figure: 28.1 %", "Spatial", "25.0 % (10)")
	if text := strings.Join(labels, " "); !strings.Contains(text, "its figure prints other shares") {
		t.Errorf("the printed shares are not explained: %q", text)
	}
	_, err := figureNamed(t, "questions_ecommerce").Draw(Tables{"category_questions": tb}, Page{})
	if !errors.Is(err, ErrNoRows) {
		t.Errorf("a domain without questions gives %v, want an ErrNoRows", err)
	}
}

func TestQuestionsPerImage(t *testing.T) {
	tb := table(t, "questions_per_image", []string{"domain", "image_id", "n_questions", "provenance"})
	for i := range 40 {
		must.Succeed(t, errors.Join(tb.Append("Natural", fmt.Sprint(i), 60+i%9, "measured"), tb.Append("Document", fmt.Sprint(i), 41, "measured")))
	}
	labels := textsOf(t, "questions_per_image", Tables{"questions_per_image": tb})
	// 0 to 8 four times and 0 to 3 once more: (4·36 + 6) / 40 = 3.75 above 60, and 3 and 4 are the middle two.
	inOrder(t, labels, "Natural", "Document")
	if !slices.Contains(labels, "mean 63.8, median 63.5") || !slices.Contains(labels, "mean 41.0, median 41.0") || !slices.Contains(labels, "40 images") {
		t.Errorf("means are wrong: %q", labels)
	}
}

func exampleRows(t *testing.T, question string, options []any, answer any) Tables {
	t.Helper()
	tb := table(t, "extreme_questions", []string{"prompt", "domain", "provenance", "extreme", "place", "image_id", "question", "options", "answer", "share_correct"})
	for _, e := range []string{"easiest", "hardest"} {
		for place := 3; place >= 1; place-- {
			must.Succeed(t, tb.Append("Simple", "Natural", "simulated", e, place, fmt.Sprint(e, place), fmt.Sprintf("%s %s %d", question, e, place), options, answer, 12.5*float64(place)))
		}
	}
	return Tables{"extreme_questions": tb}
}

func TestExampleQuestions(t *testing.T) {
	ts := exampleRows(t, "Which?", []any{"first", "second"}, 1)
	labels := textsOf(t, "example_questions", ts)
	inOrder(t, labels, "Which? hardest 1", "Which? easiest 1", "no picture", "Which? hardest 2")
	if slices.Contains(labels, "Which? hardest 3") {
		t.Error("more than two questions of a kind are drawn")
	}
	// The picture of the item is asked for, and drawn in place of the words.
	var asked []string
	blue := image.NewRGBA(image.Rect(0, 0, 400, 100))
	blue.Set(0, 0, color.NRGBA{0, 0, 255, 255})
	d, err := examplesFigure.Draw(ts, Page{Pictures: func(id string) (image.Image, error) {
		asked = append(asked, id)
		return blue, nil
	}})
	must.Succeed(t, err)
	if !slices.Equal(asked, []string{"hardest1", "hardest2", "easiest1", "easiest2"}) {
		t.Errorf("pictures asked for: %q", asked)
	}
	svg, err := d.Encode("svg")
	must.Succeed(t, err)
	if n := strings.Count(string(svg), "<image"); n != 4 || strings.Contains(string(svg), "no picture") {
		t.Errorf("%d pictures are drawn, want 4", n)
	}
	again, err := d.Encode("svg")
	if err != nil || string(again) != string(svg) {
		t.Errorf("two renderings differ (%v)", err)
	}
	_, err = examplesFigure.Draw(ts, Page{Pictures: func(string) (image.Image, error) { return nil, errors.New("unreadable") }})
	refused(t, err, "picture of hardest1: unreadable")
}

// Questions are written by people and models: long ones are cut, and keys that are no option are refused.
func TestExampleQuestionsFromOutside(t *testing.T) {
	many := make([]any, 30)
	for i := range many {
		many[i] = strings.Repeat(fmt.Sprintf("option %d of too many words ", i), 6)
	}
	for _, ts := range []Tables{
		exampleRows(t, strings.Repeat("A question without an end ", 60), many, 29),
		exampleRows(t, "<script>\x00模型", []any{"", "]]>", "\x1b[31m"}, 0),
	} {
		textsOf(t, "example_questions", ts)
	}
	_, err := examplesFigure.Draw(exampleRows(t, "Which?", []any{"first"}, 1), Page{})
	refused(t, err, "1 is not the place of one of 1 options")
	_, err = examplesFigure.Draw(exampleRows(t, "Which?", []any{"first"}, -1), Page{})
	refused(t, err, "-1 is not the place of one of 1 options")
	// Answers whose bank is not in the lake have no texts.
	tb := table(t, "extreme_questions", []string{"prompt", "domain", "provenance", "extreme", "question"}, []any{"Simple", "Natural", "measured", "hardest", nil})
	if _, err = examplesFigure.Draw(Tables{"extreme_questions": tb}, Page{}); !errors.Is(err, ErrNoRows) {
		t.Errorf("questions without text give %v, want an ErrNoRows", err)
	}
}

func TestDecodePicture(t *testing.T) {
	// The first eight bytes of a PNG and a header that claims 100,000 by 100,000 pixels: the size is refused before a pixel is read.
	head := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x86\xa0\x00\x01\x86\xa0\x08\x02\x00\x00\x00"
	crc := "\x55\xf3\x47\x3f"
	_, err := DecodePicture(strings.NewReader(head + crc))
	if err == nil {
		t.Fatal("a picture of ten thousand megapixels is opened")
	}
	if _, err := DecodePicture(strings.NewReader("no picture")); err == nil {
		t.Error("text passes for a picture")
	}
}
