package site

import (
	"bytes"
	"path"
	"path/filepath"
	"testing"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

// written is the small site in a folder, as an address, and one page of each template.
func written(t *testing.T) (address string, pages []string) {
	t.Helper()
	s := smallSite(t)
	dir := filepath.Join(t.TempDir(), "report")
	must.Succeed(t, s.report.Write(dir, s.Files...))
	seen := map[string]bool{}
	for _, f := range s.Files {
		kind := path.Dir(f.Name)
		if kind == "." { // each page beside the folders has a template of its own
			kind = f.Name
		}
		if path.Ext(f.Name) == ".html" && !seen[kind] {
			seen[kind] = true
			pages = append(pages, f.Name)
		}
	}
	return "file://" + filepath.ToSlash(dir) + "/", pages
}

// The browser fails this test, too, for an error in the console, an exception, and a request to
// elsewhere.
func TestSiteInABrowser(t *testing.T) {
	address, _ := written(t)
	tab := webtest.Open(t, address+"index.html", webtest.Options{})
	tab.Goto(address + "benchmarks/captionqa.html")
	first := `document.querySelector("#leaderboard_captionqa-measured ~ .board tbody tr th").innerText`
	shown := `document.querySelector("#leaderboard_captionqa-measured ~ .board output").innerText`

	// The leaderboard begins with people's own rows under the prompt of the paper.
	tab.AwaitValue(shown, "2 of 4 rows")
	tab.AwaitValue(first+`.startsWith("Mine")`, "true")
	// Sorted by a click, and by the keyboard; what is missing stays last.
	tab.Click(`th[data-id=rank] button`)
	tab.AwaitValue(`document.querySelector("th[data-id=rank]").ariaSort`, "ascending")
	tab.Script(`document.querySelector("th[data-id=rank] button").focus()`)
	tab.Press("\r")
	tab.AwaitValue(`document.querySelector("th[data-id=rank]").ariaSort`, "descending")
	tab.AwaitValue(first, "Poor é 模")
	// Intervals are drawn on one scale, for rows that have any.
	tab.AwaitValue(`document.querySelectorAll("#leaderboard_captionqa-measured ~ .board td.plot svg").length`, "2")
	// Filtered by a choice.
	tab.Script(`(() => { const s = document.querySelector("select[data-facet=prompt]"); s.value = ""; ` +
		`s.dispatchEvent(new Event("change")); })()`)
	tab.AwaitValue(shown, "4 rows")

	// A captioner with a hostile name: nothing of it ran, and it is shown as it is written.
	tab.Goto(address + "models/mine.html")
	tab.Await("h1", "<script>document.title='hit'</script>")
	tab.AwaitValue(`document.title.startsWith("hit")`, "false")
	tab.AwaitValue(`document.querySelectorAll("img[src=x], main script").length`, "0")
	// A script of data can be nothing else of the folder.
	tab.AwaitValue(`captionlake.load("data/../assets/site.js").then(() => "read", () => "refused").then((x) => { `+
		`window.tried = x; }) && "asked"`, "asked")
	tab.AwaitValue(`window.tried`, "refused")

	// By keyboard alone: past the navigation to the content, and from there to a table that can be
	// moved.
	tab.Goto(address + "index.html")
	tab.Press("\t")
	tab.AwaitValue(`document.activeElement.innerText`, "Skip to the content")
	tab.Press("\r")
	tab.AwaitValue(`location.hash`, "#main")
	tab.Press("\t")
	tab.AwaitValue(`document.querySelector("main").contains(document.activeElement)`, "true")

	if pdf := tab.Printed(); !bytes.HasPrefix(pdf, []byte("%PDF")) || len(pdf) < 10_000 {
		t.Errorf("the printed page has %d bytes", len(pdf))
	}
}

// Light and dark follow the system until somebody chooses, and a choice is kept.
func TestThemeOfTheSite(t *testing.T) {
	address, _ := written(t)
	tab := webtest.Open(t, address+"index.html", webtest.Options{Dark: true})
	tab.Goto(address + "index.html")
	const ground = `getComputedStyle(document.body).backgroundColor`
	const drawing = `document.querySelector("picture img").src.split("_").pop()`
	tab.AwaitValue(ground, "rgb(20, 24, 28)")
	tab.AwaitValue(drawing, "measured-dark.svg")
	tab.Click("button.theme")
	tab.AwaitValue(ground, "rgb(246, 247, 248)")
	tab.AwaitValue(drawing, "measured.svg")
	tab.AwaitValue(`document.querySelector("picture img").naturalWidth > 0`, "true")
	tab.Goto(address + "benchmarks/captionqa.html")
	tab.AwaitValue(ground, "rgb(246, 247, 248)")
	tab.Click("button.theme")
	tab.AwaitValue(ground, "rgb(20, 24, 28)")
	tab.Click("button.theme")
	tab.AwaitValue(`document.querySelector("button.theme").innerText`, "Theme: auto")
}

// No kind of page is wider than the window, in any window; what is wider scrolls by itself.
func TestSiteFitsItsWindow(t *testing.T) {
	for name, o := range webtest.Windows() {
		t.Run(name, func(t *testing.T) {
			address, pages := written(t)
			tab := webtest.Open(t, address+"index.html", o)
			for _, p := range pages {
				tab.Goto(address + p)
				if wide := tab.Script(`document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide != "0" {
					t.Errorf("%s is %s pixels wider than the window: %s", p, wide,
						tab.Script(`[...document.querySelectorAll("body *")].filter((e) => !e.parentElement.closest(".scroll, pre, `+
							`nav") && e.getBoundingClientRect().right > document.documentElement.clientWidth).slice(0, 3).map((e) => `+
							`e.outerHTML.slice(0, 120)).join("\n")`))
				}
				tab.Picture("site-" + name + "-" + path.Base(p))
			}
		})
	}
}

// axe-core finds no serious fault, in light and in dark.
func TestSiteIsAccessible(t *testing.T) {
	for _, dark := range []bool{false, true} {
		address, pages := written(t)
		tab := webtest.Open(t, address+"index.html", webtest.Options{Dark: dark})
		for _, p := range pages {
			tab.Goto(address + p)
			tab.Axe(p)
		}
	}
}
