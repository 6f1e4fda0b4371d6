package main

import (
	"errors"
	"net/http"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// servedPage is a page on which people decide about items.
type servedPage interface {
	Handler() http.Handler
	Progress() web.Progress
	Kept() int // decisions that a killed process had stored, which are rows now
	Simulated() int
	NotShown() []string // items that are not shown, with the reason
	Nothing() error     // why there is no item
	Close() (rows int, err error)
}

// pageWords are what the items of a page and the decisions on them are called.
type pageWords struct{ items, decisions string }

// A pageSession is the result of a command that serves a page.
type pageSession struct {
	Items    int      `json:"items"`
	Needed   int      `json:"needed"` // decisions
	Made     int      `json:"made"`
	Rows     int      `json:"rows"` // made of this session's decisions
	NotShown []string `json:"not_shown"`
}

// servePage serves a page until an interrupt, and closes it whatever the server ended with. A page that
// has nothing to show is closed with the error that says so. The result of the command is all that goes to
// standard output when it is JSON.
func (a *app) servePage(page servedPage, port int, token string, words pageWords, next string) error {
	progress := page.Progress()
	err := page.Nothing()
	if left := page.NotShown(); len(left) > 0 {
		err = data.Errorf(strings.Join(left, "\n"), "%s", err.Error())
	}
	if progress.Items > 0 {
		err = web.Serve(a.context, port, token, page.Handler(), func(address string) {
			if n := page.Kept(); n > 0 {
				a.say("%d %s that a killed process had stored are rows now\n", n, words.decisions)
			}
			a.say("%d %s; %d of %d %s are in\n", progress.Items, words.items, progress.Made,
				progress.Needed, words.decisions)
			if n := page.Simulated(); n > 0 {
				a.say("%d %s are SIMULATED\n", n, words.items)
			}
			for _, left := range page.NotShown() {
				a.say("%s\n", left)
			}
			a.say("\nOpen %s\nCtrl-C stops the server and makes rows of the %s.\n", address, words.decisions)
		})
	}
	rows, closed := page.Close()
	if err := errors.Join(err, closed); err != nil {
		return err
	}
	progress = page.Progress()
	if a.asJSON {
		return printJSON(a.stdout,
			pageSession{progress.Items, progress.Needed, progress.Made, rows, append([]string{}, page.NotShown()...)})
	}
	a.say("%d new rows; %d of %d %s are in\n", rows, progress.Made,
		progress.Needed, words.decisions)
	if rows > 0 {
		a.next(next)
	}
	return nil
}
