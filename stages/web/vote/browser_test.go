package vote

import (
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

// pages are battles with the captions of a real caption's length, one hostile and one of two
// frames.
func pages() []data.Battle {
	all := battlesOf(12)
	for i := range all {
		all[i].CaptionA = long + "\n\n" + long
	}
	return all
}

// seen is what the page of a battle says of it.
func seen(tab *webtest.Tab) string {
	return tab.Script(`document.querySelector("[name=battle]").value`)
}

func TestPageInABrowser(t *testing.T) {
	t.Parallel()
	s := sit(t, pages()...)
	s.o.Overlap = 1
	s.open()
	tab := s.Tab("/?", webtest.Options{})
	expect.Lacks(t, tab.Script("location.href"), webtest.Token)
	tab.Picture("start")
	tab.Type("#as", "Ada")
	tab.Await("#first", "Caption A")
	tab.Picture("light")

	// Look: the picture is there, and zooms by keys.
	if tab.Script(`document.querySelector(".stage img").naturalWidth > 0`) != "true" {
		t.Error("the picture did not load")
	}
	tab.Press("+")
	tab.Press("+")
	tab.Await(".tools output", "225 %")
	tab.Press("z")
	expect.Equal(t, tab.Script(`document.activeElement.className`), "stage", "Z does not lead to the picture")
	tab.Picture("zoomed")
	tab.Press("0")
	tab.Await(".tools output", "100 %")

	// The guidelines: while they are open, no key votes.
	tab.Press("g")
	tab.Await("#help", "Reverse thinking")
	tab.Picture("guidelines")
	first := seen(tab)
	tab.Press("a")
	tab.Press("g")
	if seen(tab) != first || tab.Script(`document.querySelector("#help").open`) != "false" {
		t.Error("a key voted behind the guidelines, or they do not close")
	}

	// Vote by keyboard, undo, reload.
	s.Pass(34)
	tab.Press("a")
	tab.Await(".under", "Stored: Caption A is better, 34 s")
	tab.Picture("stored")
	second := seen(tab)
	if second == first {
		t.Error("the battle that was voted on is shown again")
	}
	tab.Press("u")
	tab.Await(".under", "No vote of yours yet")
	expect.Equal(t, seen(tab), first, "undo does not lead back to the battle")
	s.Pass(10)
	tab.Press("b")
	tab.Await(".under", "Stored: Caption B is better, 44 s")
	tab.Reload()
	tab.Await(".under", "Stored: Caption B is better, 44 s")
	expect.Equal(t, seen(tab), second, "a reload shows")
	s.Pass(2)
	tab.Press("t")
	tab.Await(".note", "Your last vote took 2.0 s.")
	tab.Picture("hasty")

	// Without a mouse and without the short keys: to the button and Enter.
	third := seen(tab)
	tab.Script(`document.querySelector("button[value=second]").focus()`)
	s.Pass(20)
	tab.Press("\r")
	tab.Await(".under", "Stored: Caption B is better, 20 s")
	s.Pass(20)
	tab.Press("s")
	tab.Await(".under", "Stored: Skipped")

	// A second annotator, at the same time, in a browser of their own. Every battle goes to two, so
	// both see the first.
	other := s.Tab("/vote?as=Bob&", webtest.Options{Dark: true})
	other.Await("#first", "Caption A")
	expect.Equal(t, seen(other), first, "the second annotator sees")
	other.Picture("dark")
	s.Pass(30)
	other.Press("1")
	other.Await(".under", "Stored: Caption A is better, 30 s")
	tab.Goto(s.URL + "/progress?as=Ada")
	tab.Await("table", "Bob")
	tab.Await("main", "Two people chose the same in")
	tab.Picture("progress")

	s.End()
	want := map[string]string{
		first + " Ada": arena.OrderOf(1, first, "Ada").Winner(arena.Second), first + " Bob": arena.OrderOf(1, first,
			"Bob").Winner(arena.First),
		second + " Ada": "tie", third + " Ada": arena.OrderOf(1, third, "Ada").Winner(arena.Second),
	}
	all := laketest.All(t, s.Lake, data.Votes)
	for _, v := range all {
		if w := want[v.BattleID+" "+v.Judge]; w != v.Winner && v.Winner != arena.WinnerSkipped {
			t.Errorf("%s of %s on %s, want %s", v.Winner, v.Judge, v.BattleID, w)
		}
	}
	expect.Equal(t, len(all), 5)
}

// Keys of other layouts vote, nobody votes without the picture, and a page whose request was
// stopped can send it again.
func TestPageWhereThingsFailInABrowser(t *testing.T) {
	t.Parallel()
	s := sit(t, pages()...)
	s.open()
	tab := s.Tab("/vote?as=Ada&", webtest.Options{})
	tab.Await("#first", "Caption A")
	key := func(key, code string) {
		tab.Script(`document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "` + key + `", code: "` +
			code + `", bubbles: true}))`)
	}
	s.Pass(10)
	key("ф", "KeyA")
	tab.Await(".under", "Stored: Caption A is better, 10 s")
	s.Pass(10)
	key("٣", "Digit3")
	tab.Await(".under", "Stored: Tie, 10 s")

	tab.Script(`document.querySelector(".stage img").removeAttribute("src")`)
	tab.Press("a")
	tab.Await("#said", "The picture has not arrived")
	tab.Press("s")
	tab.Await(".under", "Stored: Skipped")

	tab.Script(`document.addEventListener("submit", (event) => event.preventDefault(), {once: true})`)
	s.Pass(10)
	tab.Press("b")
	tab.AwaitValue(`document.querySelectorAll("footer button:enabled").length`, "0") // while a vote is under way
	tab.Script(`document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}))`)
	tab.Await("#said", "No answer from the server yet")
	tab.Press("b")
	tab.Await(".under", "Stored: Caption B is better, 10 s")
	s.End()
}

// The page on a phone, and with a font of twice the size: everything can be reached, and nothing is
// wider than the window.
func TestPageOnAPhoneAndInALargeFont(t *testing.T) {
	t.Parallel()
	s := sit(t, pages()...)
	s.open()
	for name, o := range webtest.Windows() {
		tab := s.Tab("/vote?as="+name+"&", o)
		tab.Await("#first", "Caption A")
		tab.Picture(name)
		tab.Fits(name)
		tab.Script(`scrollTo(0, 1e6)`)
		tab.Picture(name + "-end")
		tab.Click("button[value=tie]")
		tab.Await(".under", "Stored: Tie")
	}
	s.End()
}
