package query

import (
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

// The box as people use it: by keyboard, with a fault, hostile values, and a query that is called
// off.
func TestPageInABrowser(t *testing.T) {
	server, running := served(t, 20*time.Second)
	tab := webtest.Open(t, server.URL+"/?token="+webtest.Token+"&query=selekt", webtest.Options{})
	tab.AwaitValue(`document.activeElement.id`, "query")
	tab.Chord("\r")
	tab.Await("[role=alert]", "LINE 1: selekt")
	tab.Picture("sql-fault")
	write := func(query string) {
		tab.Script(`(() => { const q = document.querySelector("#query"); q.value = ""; q.focus(); })()`)
		tab.Insert(query)
	}
	write("endless")
	// The driver waits while a page is awaited, so the page itself presses the second button.
	tab.Script(`(() => {
		setTimeout(() => document.querySelector("[data-cancel]:not([hidden])").click(), 1000);
		document.querySelector("button[value=run]").click();
	})()`)
	tab.Await(".waiting", "Cancelled.")
	for end := time.Now().Add(5 * time.Second); running() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the query that was called off runs on")
		}
	}
	write("rows " + hostile)
	tab.Chord("\r")
	tab.Await("h2#rows", "3 rows")
	tab.Await("table", "<script>alert(1)</script>")
	expect.Equal(t, tab.Script(`document.querySelectorAll("main script, main img").length`), "0")
	expect.Equal(t, tab.Script(`document.activeElement.id`), "rows", "the focus after a result")
	tab.Picture("sql-light")
	// The columns of a table come when they are asked for; a download leaves the page as it is.
	tab.Click("section:last-child details summary")
	tab.Await("section:last-child details[open]", "model_id")
	write("none")
	tab.Click("button[value=csv]")
	tab.Await(".waiting", "The file comes when the query is done.")
	tab.AwaitValue(`document.querySelector("[data-cancel]").hidden`, "true")
	dark := webtest.Open(t, server.URL+"/?token="+webtest.Token+"&query=rows",
		webtest.Options{Dark: true, Width: 390, Height: 800, Phone: true})
	dark.Click("button[value=run]")
	dark.Await("h2#rows", "3 rows")
	dark.Picture("sql-phone")
	dark.Fits("the phone")
	if title := dark.Script("document.title"); !strings.HasPrefix(title, "SQL") {
		t.Errorf("title %q", title)
	}
}

// axe-core finds no serious fault, in light and in dark, on the page with rows, with a fault and
// with the columns of a table.
func TestPageIsAccessible(t *testing.T) {
	server, _ := served(t, 5*time.Second)
	for _, dark := range []bool{false, true} {
		tab := webtest.Open(t, server.URL+"/?token="+webtest.Token+"&query=rows", webtest.Options{Dark: dark})
		tab.Click("button[value=run]")
		tab.Await("h2#rows", "3 rows")
		tab.Click("section:last-child details summary")
		tab.Await("section:last-child details[open]", "model_id")
		tab.Axe("rows")
		tab.Goto(server.URL + "/?query=selekt")
		tab.Click("button[value=run]")
		tab.Await("[role=alert]", "LINE 1")
		tab.Axe("a fault")
		tab.Goto(server.URL + "/table?name=answers")
		tab.Axe("a table")
	}
}
