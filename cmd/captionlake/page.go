package main

import (
	"errors"
	"net/http"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// servedPage is a page on which people decide about items: battles to vote on, questions to review.
type servedPage interface {
	Handler() http.Handler
	Progress() web.Progress
	Kept() int                    // decisions that a killed process had stored, which are rows now
	Simulated() int               // items that are simulated
	NotShown() []string           // items that are not shown, with the reason
	Nothing() error               // why there is no item
	Close() (rows int, err error) // makes rows of the decisions
}

// pageWords are the words for the items of a page and for the decisions about them.
type pageWords struct{ items, decisions string }

// A pageSession is the result of a command that serves a page.
type pageSession struct {
	Items    int      `json:"items"`
	Needed   int      `json:"needed"` // decisions that the items need
	Made     int      `json:"made"`   // decisions that have been made
	Rows     int      `json:"rows"`   // rows made of this session's decisions
	NotShown []string `json:"not_shown"`
}

// servePage serves a page until an interrupt and then closes it, also after an error of the server.
// If the page has no item, servePage closes it at once and returns the reason as an error. next is
// the command that comes next.
func (a *app) servePage(page servedPage, port int, token string, words pageWords, next string) error {
	var err error
	if progress := page.Progress(); progress.Items == 0 {
		err = page.Nothing()
		if left := page.NotShown(); len(left) > 0 { // The hint of the error says why they are not shown.
			err = data.Errorf(strings.Join(left, "\n"), "%s", err.Error())
		}
	} else {
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
	progress := page.Progress()
	if a.asJSON {
		// append makes an empty list of a nil list, because JSON would have null.
		return a.printJSON(pageSession{progress.Items, progress.Needed, progress.Made, rows,
			append([]string{}, page.NotShown()...)})
	}
	a.say("%d new rows; %d of %d %s are in\n", rows, progress.Made, progress.Needed, words.decisions)
	if rows > 0 {
		a.next(next)
	}
	return nil
}
