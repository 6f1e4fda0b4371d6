package site

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	lakefiles "github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

// sampled is a source of 330 made-up questions about 11 pictures, and of a few battles. From m0's
// captions every question is answered rightly but each third, from m1's every second. The captions
// of m2 are hostile.
type sampled struct{ fakeSource }

// Samples implements Source.
func (s sampled) Samples(_ context.Context, kind, part string, from, to int, hand func(arrow.RecordBatch) error) error {
	var rows [][]any
	columns := map[string]string{
		"conditions": "who name by prompt protocol form provenance main", "items": "id image facets title marks",
		"details": "options key fields said", "captions": "image_id who prompt text words provenance",
	}[part]
	switch part {
	case "conditions":
		rows = conditions(kind)
	case "items":
		rows = items(kind)
	case "details":
		for i := from; i < to; i++ {
			rows = append(rows, detail(s.t, kind))
		}
	case "captions":
		rows = captions(kind, from, to)
	}
	return hand(laketest.Batch(s.t, strings.Fields(columns), rows...))
}

const perPicture = 30

func conditions(kind string) (all [][]any) {
	switch kind {
	case "questions":
		for _, prompt := range []string{"Simple", "Long"} {
			for i, name := range []string{"Alpha", "Beta", evil} {
				all = append(all,
					[]any{fmt.Sprint("m", i), name, "reader", prompt, "p", "caption", "measured", prompt == "Simple"})
			}
		}
	case "elements":
		all = [][]any{
			{"m0", "Alpha", "judge", nil, "capability", "caption", "measured", true}, {"m1", "Beta", "judge", nil,
				"capability", "caption", "measured", true},
			{"m1", "Beta", "judge", nil, "capability", "question", "measured", false},
		}
	case "battles":
		all = [][]any{{"Ada", "Ada", "human", nil, nil, nil, "measured", true},
			{"judge", "Judge", "model", nil, nil, "ab", "measured", false}}
	}
	return all
}

func items(kind string) (all [][]any) {
	switch kind {
	case "questions":
		for i := range 330 {
			picture, title, marks := fmt.Sprintf("nat_%03d", i/perPicture), fmt.Sprintf("Question %d?", i), ""
			if i == 1 {
				title = "Question " + evil
			}
			for c := range 6 {
				mark := "1B"
				if c%3 == 0 && i%3 == 0 || c%3 == 1 && i%2 == 1 {
					mark = "2A"
				}
				marks += fmt.Sprintf("00%d%s", c, mark)
			}
			facets := []string{[]string{"Natural", "Document"}[i/perPicture%2], "Colour", "",
				[]string{"easy", "hard"}[i%2]}
			all = append(all, []any{fmt.Sprintf("%s/q%d", picture, i%perPicture), picture, facets, title, marks})
		}
	case "elements":
		for i := range 6 {
			marks := []string{"0001-0013-0021-", "0002-0011-"}[i%2]
			facets := []string{"capability", "object", []string{"colour", "number"}[i%2], "image"}
			all = append(all,
				[]any{fmt.Sprint("capability/colour/e", i), "nat_001", facets, "colour: red " + evil, marks})
		}
	case "battles":
		for i := range 4 {
			all = append(all,
				[]any{fmt.Sprint("b", i), "nat_000", []string{"caparena", "Alpha", "Beta", ""}, "Alpha against Beta",
					"0001-0012-"})
		}
	}
	return all
}

func detail(t testing.TB, kind string) []any {
	options, key, fields := []string{"red", "blue " + evil, "green"}, 1, [][]string(nil)
	said := []any{[]any{0, "Answer: B", 120, 4, "stop", nil, nil},
		[]any{2, evil, 130, 900, "length", "thinking " + evil, nil}}
	switch kind {
	case "elements":
		options, key, fields = nil, -1, [][]string{{"Annotated", "red " + evil}, {"Media", "clip.mp4"}}
		said = []any{[]any{0, "The caption says red. " + evil, 50, 5, "stop", nil, nil}}
	case "battles":
		options, key, fields = nil, -1, [][]string{{"Caption A", "a kite"}, {"Caption B", evil}}
		said = []any{[]any{1, "B is better: " + evil, 9, 9, "stop", nil, nil}}
	}
	return []any{options, key, fields, string(must.Get(json.Marshal(said))(t))}
}

func captions(kind string, from, to int) (all [][]any) {
	switch kind {
	case "elements":
		return [][]any{{"nat_001", "m0", nil, "A red kite. " + evil, 3, "measured"}}
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
				all = append(all, []any{fmt.Sprintf("nat_%03d", p), fmt.Sprint("m", m), prompt, text, 60, "measured"})
			}
		}
	}
	return all
}

// Images implements Source.
func (sampled) Images(context.Context) (all []data.Image, err error) {
	for i, picture := range []string{"nat_000", "nat_001", "nat_001"} {
		all = append(all,
			data.Image{ImageID: picture, SHA256: strings.Repeat(fmt.Sprint(i), 64), Format: "png", Width: 120,
				Height: 80})
	}
	return all, nil
}

// Open implements Source.
func (sampled) Open(string) (lakefiles.File, error) {
	drawn := image.NewRGBA(image.Rect(0, 0, 120, 80))
	for i := range 80 {
		drawn.Set(i, i, color.RGBA{R: 200, A: 255})
	}
	var b bytes.Buffer
	err := png.Encode(&b, drawn)
	return pictureFile{bytes.NewReader(b.Bytes())}, err
}

// pictureFile is the file of a picture.
type pictureFile struct{ *bytes.Reader }

func (pictureFile) Close() error { return nil }

func sampledSite(t *testing.T) *Site {
	t.Helper()
	source := sampled{small(t)}
	r := must.Get(report.Build(t.Context(), source, report.Options{}))(t)
	s := must.Get(Build(t.Context(), source, r, Options{Note: func() string { return "" }}))(t)
	return s
}

// The sample viewer opened from a disk and from a server, as people use it.
func TestSamplesInABrowser(t *testing.T) {
	laketest.Slow(t, "drives a browser")
	s := sampledSite(t)
	folder := t.TempDir()
	for _, f := range s.Files {
		name := filepath.Join(folder, filepath.FromSlash(f.Name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(name), 0o777))
		var b bytes.Buffer
		must.Succeed(t, f.Write(&b))
		must.Write(t, name, b.Bytes())
	}
	server := webtest.Serve(t, s)
	t.Run("from a disk", func(t *testing.T) {
		useViewer(t, "file://"+filepath.ToSlash(folder)+"/samples.html", "disk", webtest.Options{})
	})
	t.Run("from a server, dark", func(t *testing.T) {
		useViewer(t, server.URL+"/samples.html?token="+webtest.Token, "server", webtest.Options{Dark: true})
	})
	t.Run("on a phone", func(t *testing.T) {
		tab := webtest.Open(t, server.URL+"/samples.html?token="+webtest.Token,
			webtest.Options{Width: 390, Height: 800, Phone: true})
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
		expect.Equal(t, tab.Script("document.documentElement.scrollWidth <= innerWidth"), "true",
			"the page is wider than the phone")
	})
}

func useViewer(t *testing.T, address, name string, o webtest.Options) {
	tab := webtest.Open(t, address, o)
	tab.Await(".found", "330 of 330 questions")
	tab.Picture("samples-" + name + "-list")
	choose := func(field, value string) {
		tab.Script(fmt.Sprintf(`(() => { const e = document.querySelector("[name=%s]"); e.value = %q; `+
			`e.dispatchEvent(new Event("change", { bubbles: true })); })()`, field, value))
	}
	// That which models disagree about most is open, and the id of a picture shows its questions.
	if !o.Phone {
		tab.Await(".sample h2", "Question 0?")
	}
	tab.Goto(strings.Split(address, "?")[0] + "#id=nat_003")
	tab.AwaitValue(`document.querySelector(".found").innerText`, "30 of 330 questions")
	tab.Click("[data-preset=clear]")
	tab.Await(".found", "330 of 330 questions")
	// One question: its picture, options, and every model's caption, answer and reply as text.
	tab.Click("[data-place='1']")
	tab.Await(".sample h2", "img src=x")
	tab.Await(".sample", "second line")
	tab.Await(".sample", "Answer: B")
	tab.Await(".sample", "120 tokens in, 4 out")
	tab.AwaitValue(`document.querySelector(".sample img").naturalWidth`, "120")
	if got := tab.Script(`document.title + document.querySelectorAll(".sample script, .sample img[onerror], .list ` +
		`img").length`); !strings.HasPrefix(got, "Samples") || !strings.HasSuffix(got, "0") {
		t.Errorf("a text of the lake is markup: %s", got)
	}
	tab.Await(".sample .caption", "A caption by m0 under Simple")
	tab.Await(".sample", "<script>document.title='hit'</script>")
	expect.Equal(t, tab.Script(`document.querySelectorAll(".card").length`), "3", "cards under one prompt")
	tab.Picture("samples-" + name + "-one")
	choose("prompt", "")
	tab.AwaitValue(`document.querySelectorAll(".card").length`, "6")
	// Words are found in captions, too, and keys go from one sample to the next without any focus.
	choose("q", "by M0 under")
	tab.Await(".found", "330 of 330 questions")
	choose("q", "by nobody")
	tab.Await(".found", "0 of 330 questions")
	tab.Click("[data-preset=clear]")
	tab.Await(".found", "330 of 330 questions")
	tab.Script(`document.activeElement.blur()`)
	tab.Press("j")
	tab.Await(".sample h2", "Question 2?")
	tab.Press("k")
	tab.Await(".sample h2", "img src=x")

	// A right and B wrong: of 330 questions the questions that no third and every second is.
	tab.Click("[data-preset=split]")
	tab.Await(".found", "110 of 330 questions")
	got := tab.Script(`document.querySelector("[name=a]").selectedOptions[0].text + "/" +
		document.querySelector("[name=b]").selectedOptions[0].text`)
	expect.Contains(t, got, "/")
	expect.Lacks(t, got, "choose")
	choose("a", tab.Script(`[...document.querySelector("[name=a]").options].find((o) => `+
		`o.text.startsWith("Alpha")).value`))
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
	expect.Equal(t, tab.Script(`document.querySelectorAll(".card.chosen").length`), "2", "cards are A and B")

	// An address leads to the same sample, whatever was filtered.
	link := tab.Script(`[...document.querySelectorAll(".sample .pager a")].find((a) => ` +
		`a.textContent.startsWith("Link")).href`)
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

	// Rubric elements: what the judge made of a caption, the caption itself, and what a model said
	// to the question form.
	choose("kind", "elements")
	tab.Await(".found", "6 of 6 rubric elements")
	choose("f2", "=colour")
	tab.Await(".found", "3 of 6 rubric elements")
	tab.Click("[data-place='2']")
	tab.Await(".sample", "The caption says red. <img")
	tab.Await(".sample", "A red kite. <img")
	tab.Await(".sample", "Annotated: red <img")
	expect.Equal(t,
		tab.Script(`[...document.querySelectorAll(".card .outcome")].map((e) => e.textContent).join("/")`),
		"✓positive/–miss/✓positive", "outcomes of an element")
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

// axe-core finds no serious fault on a list, a question, an element and a battle, in light and in
// dark.
func TestSamplesAreAccessible(t *testing.T) {
	server := webtest.Serve(t, sampledSite(t))
	for _, dark := range []bool{false, true} {
		tab := webtest.Open(t, server.URL+"/samples.html?token="+webtest.Token, webtest.Options{Dark: dark})
		tab.Await(".found", "330 of 330 questions")
		tab.Axe("list")
		for kind, id := range map[string]string{"questions": "nat_001/q5", "elements": "capability/colour/e0",
			"battles": "b1"} {
			tab.Goto(server.URL + "/samples.html#kind=" + kind + "&prompt=&id=" + url.QueryEscape(id))
			tab.Reload()
			tab.AwaitValue(`document.querySelectorAll(".sample .card").length > 0`, "true")
			tab.Axe(kind)
		}
	}
}
