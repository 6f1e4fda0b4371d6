package review

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

// seen is the question that a page is about.
func seen(tab *webtest.Tab) string { return tab.Script(`document.querySelector("[name=id]").value`) }

func TestPageInABrowser(t *testing.T) {
	t.Parallel()
	s := sit(t, candidatesOf(30)...)
	s.open()
	tab := s.Tab("/?", webtest.Options{})
	tab.Picture("review-start")
	tab.Type("#as", "Ada")
	tab.Await("#question", "What colour")
	tab.Picture("review-light")

	// Look: the picture is there, and zooms by keys.
	if tab.Script(`document.querySelector(".stage img").naturalWidth > 0`) != "true" {
		t.Error("the picture did not load")
	}
	tab.Press("+")
	tab.Await(".tools output", "150 %")
	tab.Press("0")
	tab.Press("g")
	tab.Await("#help", "What stays must be")
	tab.Picture("review-guidelines")
	tab.Press("a") // Nothing happens behind the guidelines.
	tab.Press("g")

	// Accept.
	first := seen(tab)
	s.Pass(12)
	tab.Press("a")
	tab.Await(".under", "Stored: accepted, 12 s")
	second := seen(tab)
	if second == first {
		t.Fatal("the question that was accepted is shown again")
	}

	// Change the key by a digit, and take that back by undo.
	tab.Press("2")
	tab.Await("footer", "Accept with the new key")
	tab.Picture("review-newkey")
	s.Pass(20)
	tab.Press("a")
	tab.Await(".under", "Stored: key changed from A to B, 20 s")
	tab.Press("u")
	tab.Await(".under", "Before it: accepted, 12 s")
	if seen(tab) != second || tab.Script(`document.querySelector("[name=key]:checked").value`) != "0" {
		t.Error("undo does not lead back to the question as it was")
	}

	// Edit: a fault is located, then stored with Ctrl+Enter while writing.
	tab.Press("e")
	tab.Await("main", "Mark the key")
	tab.Picture("review-edit")
	tab.Script(`document.querySelector("#option-3").select()`)
	tab.Script(`document.querySelector("#option-3").focus()`)
	tab.Insert("red ")
	tab.Script(`document.querySelector("#note").focus()`)
	tab.Press("\r") // It neither sends nor moves anything.
	tab.Chord("\r")
	tab.Await("[role=alert]", "Options B and D say the same.")
	tab.Picture("review-fault")
	// The page leads there once it is whole, a moment after the alert is there.
	tab.AwaitValue(`document.activeElement.id + document.activeElement.getAttribute("aria-invalid")`, "option-3true")
	tab.Script(`document.activeElement.select()`)
	tab.Insert("White, with a black rim")
	s.Pass(30)
	tab.Chord("\r")
	tab.Await(".under", "Stored: edited, 50 s")
	tab.Picture("review-stored")
	tab.Press("l") // Both texts are there.
	tab.Await(".first", "As it was generated")
	tab.Picture("review-both")
	tab.Reload()
	tab.Await(".first", "White, with a black rim")
	if first := tab.Script(`document.querySelector(".options").innerText`); !strings.Contains(first, "Yellow") ||
		strings.Contains(first, "White") {
		t.Errorf("as it was generated: %s", first)
	}

	// Discard with a reason by two keys, and without a mouse: Tab and Enter do the same as the keys.
	tab.Goto(s.URL + "/review?as=Ada")
	tab.Await("#question", "What colour")
	third := seen(tab)
	tab.Press("d")
	tab.Await("#discard", "Why can it not be made right?")
	tab.Picture("review-discard")
	s.Pass(8)
	tab.Press("2")
	tab.Await(".under", "Stored: discarded: unanswerable from the picture, 8.0 s")
	tab.Script(`document.querySelector("button[value=accept]").focus()`)
	fourth := seen(tab)
	tab.Press("\r")
	tab.Await(".under", "Stored: accepted")

	// A reason of one's own.
	fifth := seen(tab)
	tab.Press("d")
	tab.Script(`document.querySelector("#discard-note").focus()`)
	tab.Insert("it is about 2 kites")
	tab.Press("\r")
	tab.Await(".under", "Stored: discarded: other: it is about 2 kites")

	// A second reviewer gets another question, and is told who has the first's.
	mine := seen(tab)
	other := s.Tab("/review?as=Bob&", webtest.Options{Dark: true})
	other.Await("#question", "What colour")
	if seen(other) == mine {
		t.Error("two people have the same question before them")
	}
	other.Picture("review-dark")
	other.Goto(s.URL + "/review?as=Bob&id=" + mine)
	other.Await(".note", "Ada is deciding about this question")
	other.Picture("review-held")
	other.Goto(s.URL + "/list?as=Bob")
	other.Await("tbody", "kite")
	other.Picture("review-list-dark")
	tab.Goto(s.URL + "/list?as=Ada&state=all")
	tab.Await("tbody", "edited by Ada")
	tab.Picture("review-list")
	tab.Goto(s.URL + "/progress?as=Ada")
	tab.Await("main", "Streets")
	tab.Picture("review-progress")

	expect.Equal(t, s.End(), 5)
	want := map[string]string{first: "keep", second: "fix", third: "drop", fourth: "keep", fifth: "drop"}
	for _, r := range laketest.All(t, s.Lake, data.Reviews) {
		if r.Reviewer == "Ada" && r.Decision != want[r.CandidateID] {
			t.Errorf("%s is %s, want %s", r.CandidateID, r.Decision, want[r.CandidateID])
		}
	}
}

// A hostile question and several frames: nothing of it runs, nothing is fetched, and the page can
// be used as before.
func TestHostileQuestionInABrowser(t *testing.T) {
	t.Parallel()
	r := candidateOf(1)
	r.Question, r.Options, r.ImageID = hostile+" "+strings.Repeat("W", 3000), []string{hostile, "\u202ex",
		strings.Repeat("Z\u0316\u0317\u0318\u0319", 400)}, "emb_s01"
	r.Category = `"><script>alert(6)</script>`
	s := sit(t, r)
	s.open()
	tab := s.Tab("/review?as=Ada&", webtest.Options{})
	tab.Await("#question", `<script>alert(2)</script>`)
	tab.Picture("review-hostile")
	expect.Equal(t, tab.Script(`document.querySelectorAll(".foreign *").length`), "0", "the texts have elements")
	tab.Fits("a long word")
	tab.Press("n")
	tab.Await(".tools output", "frame 2 of")
	tab.Goto(s.URL + "/list?as=Ada")
	tab.Await("tbody", "alert(2)")
	tab.Picture("review-hostile-list")
	tab.Goto(s.URL + "/edit?as=Ada&id=" + r.CandidateID)
	tab.Await("main", "Mark the key")
	tab.Picture("review-hostile-edit")
	tab.Fits("a long word in the form")
	tab.Chord("\r") // A key in the question does not send it; what is unchanged is accepted as it is.
	tab.Await("main", "Nothing is left for you")
	s.End()
	if all := laketest.All(t, s.Lake, data.Reviews); len(all) != 1 || all[0].Decision != "keep" {
		t.Errorf("reviews %+v", all)
	}
}

// The page on a phone, and with a font of twice the size: everything can be reached, and nothing is
// wider than the window.
func TestPageOnAPhoneAndInALargeFont(t *testing.T) {
	t.Parallel()
	s := sit(t, candidatesOf(30)...)
	s.open()
	for name, o := range webtest.Windows() {
		tab := s.Tab("/review?as="+name+"&", o)
		tab.Await("#question", "What colour")
		fits := func(what string) {
			t.Helper()
			tab.Picture("review-" + name + what)
			tab.Fits(name + what)
		}
		fits("")
		tab.Script(`scrollTo(0, 1e6)`)
		tab.Picture("review-" + name + "-end")
		id := seen(tab)
		tab.Goto(s.URL + "/edit?as=" + name + "&id=" + id)
		tab.Await("main", "Mark the key")
		fits("-edit")
		tab.Goto(s.URL + "/list?state=all&as=" + name)
		tab.Await("main", "decided by me")
		fits("-list")
		tab.Goto(s.URL + "/review?as=" + name + "&id=" + id)
		tab.Await("#question", "What colour")
		tab.Click("[data-dialog=discard]")
		tab.Await("#discard", "Why can it not")
		fits("-discard")
		tab.Click("#discard button[value=duplicate]")
		tab.Await(".under", "Stored: discarded: duplicate")
	}
	s.End()
}

// Drawn questions are rated by keyboard.
func TestRatingInABrowser(t *testing.T) {
	t.Parallel()
	s := sit(t)
	draw(t, s.Lake, 4)
	s.o.Samples = true
	s.open()
	tab := s.Tab("/review?as=Ada&", webtest.Options{})
	tab.Await(".question", "What colour")
	tab.Picture("rate-light")
	s.Pass(6)
	tab.Press("r")
	tab.Await(".under", "Stored: right, 6.0 s")
	tab.Press("c")
	tab.Insert("two are blue r w s")
	tab.Press("\r") // It sends nothing.
	tab.Press("\t")
	tab.Press("w")
	tab.Await(".under", "Stored: wrong: two are blue r w s")
	tab.Press("u")
	tab.Await(".under", "Before it: right")
	tab.Press("s")
	tab.Await(".under", "Stored: skipped")
	expect.Equal(t, s.End(), 1)
}
