package site

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/samples"
	"github.com/captionlake/captionlake/stages/web/browser"
)

// sampled is a source of 330 made-up questions about 11 pictures, and of a few battles. From m0's captions every question is answered
// rightly but each third, from m1's every second. The captions of m2 are hostile.
type sampled struct{ fakeSource }

func (sampled) Samples() (samples.Source, samples.Options) { return theSamples{}, samples.Options{} }

type theSamples struct{}

const perPicture = 30

func (theSamples) Conditions(_ context.Context, kind string) (all []samples.Condition, err error) {
	switch kind {
	case "questions":
		for _, prompt := range []string{"Simple", "Long"} {
			for i, name := range []string{"Alpha", "Beta", evil} {
				all = append(all, samples.Condition{Who: fmt.Sprint("m", i), Name: name, By: "reader", Prompt: prompt, Protocol: "p", Form: "caption", Provenance: "measured"})
			}
		}
	case "elements":
		all = []samples.Condition{
			{Who: "m0", Name: "Alpha", By: "judge", Protocol: "capability", Form: "caption", Provenance: "measured"},
			{Who: "m1", Name: "Beta", By: "judge", Protocol: "capability", Form: "caption", Provenance: "measured"},
			{Who: "m1", Name: "Beta", By: "judge", Protocol: "capability", Form: "question", Provenance: "measured"},
		}
	case "battles":
		all = []samples.Condition{{Who: "Ada", Name: "Ada", By: "human", Provenance: "measured"}, {Who: "judge", Name: "Judge", By: "model", Form: "ab", Provenance: "measured"}}
	}
	return all, nil
}

func (theSamples) Items(_ context.Context, kind string, yield func(samples.Item) error) error {
	switch kind {
	case "questions":
		for i := range 330 {
			picture := fmt.Sprintf("nat_%03d", i/perPicture)
			it := samples.Item{ID: fmt.Sprintf("%s/q%d", picture, i%perPicture), Image: picture, Facets: []string{[]string{"Natural", "Document"}[i/perPicture%2], "Colour", "", []string{"easy", "hard"}[i%2]}, Title: fmt.Sprintf("Question %d?", i)}
			if i == 1 {
				it.Title = "Question " + evil
			}
			for c := range 6 {
				mark := "1B"
				if c%3 == 0 && i%3 == 0 || c%3 == 1 && i%2 == 1 {
					mark = "2A"
				}
				it.Marks += fmt.Sprintf("00%d%s", c, mark)
			}
			if err := yield(it); err != nil {
				return err
			}
		}
	case "elements":
		for i := range 6 {
			marks := []string{"0001-0013-0021-", "0002-0011-"}[i%2]
			it := samples.Item{ID: fmt.Sprint("capability/colour/e", i), Image: "nat_001", Facets: []string{"capability", "object", []string{"colour", "number"}[i%2], "image"}, Title: "colour: red " + evil, Marks: marks}
			if err := yield(it); err != nil {
				return err
			}
		}
	case "battles":
		for i := range 4 {
			if err := yield(samples.Item{ID: fmt.Sprint("b", i), Image: "nat_000", Facets: []string{"caparena", "Alpha", "Beta", ""}, Title: "Alpha against Beta", Marks: "0001-0012-"}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (theSamples) Details(_ context.Context, kind string, from, to int, yield func(samples.Detail) error) error {
	for i := from; i < to; i++ {
		d := samples.Detail{Options: []string{"red", "blue " + evil, "green"}, Key: 1}
		said := []any{[]any{0, "Answer: B", 120, 4, "stop", nil, nil}, []any{2, evil, 130, 900, "length", "thinking " + evil, nil}}
		switch kind {
		case "elements":
			d, said = samples.Detail{Key: -1, Fields: [][2]string{{"Annotated", "red " + evil}, {"Media", "clip.mp4"}}}, []any{[]any{0, "The caption says red. " + evil, 50, 5, "stop", nil, nil}}
		case "battles":
			d, said = samples.Detail{Key: -1, Fields: [][2]string{{"Caption A", "a kite"}, {"Caption B", evil}}}, []any{[]any{1, "B is better: " + evil, 9, 9, "stop", nil, nil}}
		}
		var err error
		if d.Said, err = json.Marshal(said); err != nil {
			return err
		}
		if err := yield(d); err != nil {
			return err
		}
	}
	return nil
}

func (theSamples) Captions(_ context.Context, kind string, from, to int, yield func(samples.Caption) error) error {
	switch kind {
	case "elements":
		return yield(samples.Caption{Image: "nat_001", Who: "m0", Text: "A red kite. " + evil, Words: 3, Provenance: "measured"})
	case "battles":
		return nil
	}
	for p := from / perPicture; p <= (to-1)/perPicture; p++ {
		for _, prompt := range []string{"Simple", "Long"} {
			for m := range 3 {
				text := strings.Repeat(fmt.Sprintf("A caption by m%d under %s. ", m, prompt), 12)
				if m == 2 {
					text = evil + "\nsecond line"
				}
				if err := yield(samples.Caption{Image: fmt.Sprintf("nat_%03d", p), Who: fmt.Sprint("m", m), Prompt: prompt, Text: text, Words: 60, Provenance: "measured"}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (theSamples) Frames(context.Context) (all []samples.Frame, err error) {
	for i, picture := range []string{"nat_000", "nat_001", "nat_001"} {
		all = append(all, samples.Frame{Image: picture, Digest: strings.Repeat(fmt.Sprint(i), 64), Format: "png", Width: 120, Height: 80})
	}
	return all, nil
}

func (theSamples) Picture(_ context.Context, f samples.Frame) (io.ReadCloser, error) {
	drawn := image.NewRGBA(image.Rect(0, 0, 120, 80))
	for i := range 80 {
		drawn.Set(i, i, color.RGBA{R: 200, A: 255})
	}
	var b bytes.Buffer
	err := png.Encode(&b, drawn)
	return io.NopCloser(&b), err
}

func sampledSite(t *testing.T) *Site {
	t.Helper()
	source := sampled{small(t)}
	r := must.Get(report.Build(t.Context(), source, report.Options{}))(t)
	s := must.Get(Build(t.Context(), source, r, Options{}))(t)
	return s
}

// The sample viewer opened from a disk and from a server, as people use it.
func TestSamplesInABrowser(t *testing.T) {
	laketest.Slow(t, "drives a browser")
	s := sampledSite(t)
	folder := t.TempDir()
	for _, f := range s.Files() {
		name := filepath.Join(folder, filepath.FromSlash(f.Name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(name), 0o777))
		var b bytes.Buffer
		must.Succeed(t, f.Write(&b))
		must.Succeed(t, os.WriteFile(name, b.Bytes(), 0o666))
	}
	server := browser.Serve(t, s)
	t.Run("from a disk", func(t *testing.T) {
		useViewer(t, "file://"+filepath.ToSlash(folder)+"/samples.html", "disk", browser.Options{})
	})
	t.Run("from a server, dark", func(t *testing.T) {
		useViewer(t, server.URL+"/samples.html?token="+browser.Token, "server", browser.Options{Dark: true})
	})
	t.Run("on a phone", func(t *testing.T) {
		tab := browser.Open(t, server.URL+"/samples.html?token="+browser.Token, browser.Options{Width: 390, Height: 800, Phone: true})
		tab.Await(".found", "330 of 330 questions")
		tab.Picture("samples-phone-list")
		tab.Click(".filtering summary") // folded until somebody wants them
		tab.Click("[data-preset=split]")
		tab.Await(".found", "110 of 330 questions")
		tab.Click("[data-preset=clear]")
		tab.Await(".found", "330 of 330 questions")
		tab.Click("[data-place='2']")
		tab.Await(".sample", "Alpha")
		tab.Picture("samples-phone")
		if tab.Script("document.documentElement.scrollWidth <= innerWidth") != "true" {
			t.Error("the page is wider than the phone")
		}
	})
}

func useViewer(t *testing.T, address, name string, o browser.Options) {
	tab := browser.Open(t, address, o)
	tab.Await(".found", "330 of 330 questions")
	tab.Picture("samples-" + name + "-list")
	choose := func(field, value string) {
		tab.Script(fmt.Sprintf(`(() => { const e = document.querySelector("[name=%s]"); e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true })); })()`, field, value))
	}
	// That which models disagree about most is open, and the id of a picture shows its questions.
	if !o.Phone {
		tab.Await(".sample h2", "Question 0?")
	}
	tab.Goto(strings.Split(address, "?")[0] + "#id=nat_003")
	tab.Await(".found", "30 of 330 questions")
	tab.Click("[data-preset=clear]")
	tab.Await(".found", "330 of 330 questions")
	// One question: its picture, options, and every model's caption, answer and reply as text.
	tab.Click("[data-place='1']")
	tab.Await(".sample h2", "img src=x")
	tab.Await(".sample", "second line")
	tab.Await(".sample", "Answer: B")
	tab.Await(".sample", "120 tokens in, 4 out")
	tab.AwaitValue(`document.querySelector(".sample img").naturalWidth`, "120")
	if got := tab.Script(`document.title + document.querySelectorAll(".sample script, .sample img[onerror], .list img").length`); !strings.HasPrefix(got, "Samples") || !strings.HasSuffix(got, "0") {
		t.Errorf("a text of the lake is markup: %s", got)
	}
	tab.Await(".sample .caption", "A caption by m0 under Simple")
	tab.Await(".sample", "<script>document.title='hit'</script>")
	if n := tab.Script(`document.querySelectorAll(".card").length`); n != "3" {
		t.Errorf("%s cards under one prompt", n)
	}
	tab.Picture("samples-" + name + "-one")
	choose("prompt", "")
	tab.AwaitValue(`document.querySelectorAll(".card").length`, "6")
	// Keys go from one to the next.
	tab.Script(`document.querySelector(".sample").focus()`)
	tab.Press("j")
	tab.Await(".sample h2", "Question 2?")
	tab.Press("k")
	tab.Await(".sample h2", "img src=x")

	// A right and B wrong: of 330 questions those that no third and every second is.
	tab.Click("[data-preset=split]")
	tab.Await(".found", "110 of 330 questions")
	if got := tab.Script(`document.querySelector("[name=a]").selectedOptions[0].text + "/" + document.querySelector("[name=b]").selectedOptions[0].text`); !strings.Contains(got, "/") || strings.Contains(got, "choose") {
		t.Errorf("A and B: %s", got)
	}
	choose("a", tab.Script(`[...document.querySelector("[name=a]").options].find((o) => o.text.startsWith("Alpha")).value`))
	choose("b", tab.Script(`[...document.querySelector("[name=b]").options].find((o) => o.text.startsWith("Beta")).value`))
	tab.Await(".found", "110 of 330 questions")
	choose("f0", "=Natural")
	tab.Await(".found", "60 of 330 questions")
	choose("f3", "=easy")
	tab.Await(".found", "0 of 330 questions")
	choose("f3", "")
	tab.Await(".found", "60 of 330 questions")
	choose("q", "question 7?")
	tab.Await(".found", "12 of 330 questions")
	tab.Picture("samples-" + name + "-filtered")
	tab.Click("[data-place='7']")
	tab.Await(".sample h2", "Question 7?")
	if got := tab.Script(`document.querySelectorAll(".card.chosen").length`); got != "2" {
		t.Errorf("%s cards are A and B", got)
	}

	// An address leads to the same sample, whatever was filtered.
	link := tab.Script(`[...document.querySelectorAll(".sample .pager a")].find((a) => a.textContent.startsWith("Link")).href`)
	tab.Goto(strings.Split(address, "?")[0])
	tab.Await(".found", "330 of 330 questions")
	tab.Goto(link)
	tab.Await(".sample h2", "Question 7?")
	tab.Reload()
	tab.Await(".sample h2", "Question 7?")
	tab.Goto(strings.Replace(link, "nat_000%2Fq7", "nowhere", 1))
	tab.Await(".sample", "There is no question nowhere")

	// By keyboard alone: Tab leads to the list, Enter opens, the focus goes to the sample.
	tab.Goto(strings.Split(address, "?")[0])
	tab.Await(".found", "330 of 330 questions")
	tab.Script(`document.querySelector("[data-preset=clear]").focus()`)
	tab.Press("\t")
	tab.Press("\t")
	tab.Press("\r")
	tab.Await(".sample h2", "img src=x")
	tab.AwaitValue(`document.activeElement.className`, "sample")

	// Rubric elements: what the judge made of a caption, the caption itself, and what a model said to the question form.
	choose("kind", "elements")
	tab.Await(".found", "6 of 6 rubric elements")
	choose("f2", "=colour")
	tab.Await(".found", "3 of 6 rubric elements")
	tab.Click("[data-place='2']")
	tab.Await(".sample", "The caption says red. <img")
	tab.Await(".sample", "A red kite. <img")
	tab.Await(".sample", "Annotated: red <img")
	if got := tab.Script(`[...document.querySelectorAll(".card .outcome")].map((e) => e.textContent).join("/")`); got != "✓positive/–miss/✓positive" {
		t.Errorf("outcomes of an element: %q", got)
	}
	tab.Click("[data-preset=split]")
	tab.Await(".found", "3 of 6 rubric elements")
	choose("f2", "")
	tab.Picture("samples-" + name + "-element")

	// Battles.
	choose("kind", "battles")
	tab.Await(".found", "4 of 4 battles")
	tab.Click("[data-place='2']")
	tab.Await(".sample", "A is better")
	tab.Await(".sample", "B is better: <img")
	tab.Picture("samples-" + name + "-battle")
}

// axe-core finds no serious fault on a list, a question, an element and a battle, in light and in dark.
func TestSamplesAreAccessible(t *testing.T) {
	server := browser.Serve(t, sampledSite(t))
	for _, dark := range []bool{false, true} {
		tab := browser.Open(t, server.URL+"/samples.html?token="+browser.Token, browser.Options{Dark: dark})
		browser.NeedAxe(t)
		tab.Await(".found", "330 of 330 questions")
		tab.Axe("list")
		for kind, id := range map[string]string{"questions": "nat_001/q5", "elements": "capability/colour/e0", "battles": "b1"} {
			tab.Goto(server.URL + "/samples.html#kind=" + kind + "&prompt=&id=" + url.QueryEscape(id))
			tab.Reload()
			tab.AwaitValue(`document.querySelectorAll(".sample .card").length > 0`, "true")
			tab.Axe(kind)
		}
	}
}
