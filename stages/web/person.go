package web

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// known is the person of a name: one that differs from a known one in letter case alone is that one. taken are names under which the lake has
// decisions that were not made on the page; a second one of theirs about an item could not be stored.
func known(given string, taken map[string]bool, people []string) (string, error) {
	name, err := Name(given)
	if err != nil {
		return "", err
	}
	for t := range taken {
		if strings.EqualFold(t, name) {
			return "", fmt.Errorf("the lake has decisions of %q that were not made on this page; write another name", t)
		}
	}
	for _, p := range people {
		if strings.EqualFold(p, name) {
			return p, nil
		}
	}
	return name, nil
}

// MuxAs is Mux of pages that are for people under their names, which question asks for, beside a start page and pictures, which are for all.
func MuxAs(question string, taken map[string]bool, people func() []string, start http.HandlerFunc, pictures *Pictures,
	pages map[string]func(http.ResponseWriter, *http.Request, string),
) http.Handler {
	patterns := map[string]http.HandlerFunc{"GET /{$}": start, "GET " + PicturePath + "{digest}": pictures.ServeHTTP}
	for pattern, h := range pages {
		patterns[pattern] = func(w http.ResponseWriter, r *http.Request) {
			name, err := known(r.FormValue("as"), taken, people())
			if err != nil {
				Refuse(w, http.StatusBadRequest, question, err.Error()+".")
				return
			}
			h(w, r, name)
		}
	}
	return Mux(patterns)
}

// Mux answers the patterns, and says of any other address that there is no such page.
func Mux(patterns map[string]http.HandlerFunc) http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range patterns {
		mux.HandleFunc(pattern, h)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		Refuse(w, http.StatusNotFound, "There is no such page", "Open the address that the command printed.")
	})
	return mux
}

// expected are errors that become the notice of that name in the address.
var expected = map[error]string{ErrDecided: "decided", ErrNothing: "nothing"}

// Answer sends the browser to a page once a change is on disk, or says that it is not.
func Answer(w http.ResponseWriter, page string, query url.Values, err error) {
	for e, notice := range expected {
		if errors.Is(err, e) {
			query.Set("notice", notice)
			err = nil
		}
	}
	if err != nil {
		Refuse(w, http.StatusInternalServerError, "This was not stored", err.Error()+". Tell whoever runs the server; what was stored before is safe.")
		return
	}
	Redirect(w, page, query)
}

// Undone is the answer when a decision was to be taken back.
func Undone(w http.ResponseWriter, page string, query url.Values, err error) {
	if err == nil {
		query.Set("notice", "undone")
	}
	Answer(w, page, query, err)
}

// Redirect sends the browser to another page of the same folder, whatever the path is that the pages are served under.
func Redirect(w http.ResponseWriter, page string, query url.Values) {
	w.Header().Set("Location", page+"?"+query.Encode())
	w.WriteHeader(http.StatusSeeOther)
}

// A Look is what a page says of the time for which it was before a person. A desk goes by its own clock as far as it has seen the page.
type Look struct {
	Shown time.Time     // when the page was made; zero when unknown
	Away  time.Duration // how long it was hidden
}

// oldestLook is the age of a page from which its time tells nothing any more.
const oldestLook = 24 * time.Hour

// LookOf reads the look from the fields shown, in milliseconds since 1970, and away, in seconds.
func LookOf(form url.Values) Look {
	look := Look{Away: Away(form.Get("away"))}
	if ms, err := strconv.ParseInt(form.Get("shown"), 10, 64); err == nil {
		look.Shown = time.UnixMilli(ms)
	}
	return look
}

// Away reads how many seconds a page was hidden. What is not a time counts as none.
func Away(text string) time.Duration {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(seconds) || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, 1e6) * float64(time.Second))
}
