package web

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Mux answers requests that match a pattern of http.ServeMux. For any other address it says that
// there is no such page.
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

// Notices after an undo, and after a decision that came too late.
const undone, tooLate = "undone", "decided"

// Answer answers a request for a change with the result err. It redirects the person to a page, or
// says that the change was not stored. If item is not empty, the page shows the item with that id.
// If notice is not empty, the page shows the message that notice names.
func Answer(w http.ResponseWriter, page, person, item, notice string, err error) {
	switch {
	case errors.Is(err, ErrDecided):
		notice = tooLate
	case errors.Is(err, ErrNothing):
		notice = "nothing"
	case err != nil:
		Refuse(w, http.StatusInternalServerError,
			"This was not stored", err.Error()+
				". Tell the person who runs the server; everything stored before is safe.")
		return
	}
	query := url.Values{"as": {person}}
	for name, value := range map[string]string{"id": item, "notice": notice} {
		if value != "" {
			query.Set(name, value)
		}
	}
	w.Header().Set("Location", page+"?"+query.Encode()) // relative, so that it works under any path
	w.WriteHeader(http.StatusSeeOther)
}

// A Look is a page's own record of the time that a person looked at it. A desk uses Shown only if
// it does not know itself when it gave out the item, as after a restart.
type Look struct {
	Shown time.Time     // when the page was made; zero if unknown
	Away  time.Duration // how long it was hidden
}

// oldestLook is the age at which a page is too old to tell how long a person looked at it.
const oldestLook = 24 * time.Hour

// LookOf reads a Look from the fields of a form: shown, in milliseconds since 1970, and away, in
// seconds.
func LookOf(form url.Values) Look {
	look := Look{Away: Away(form.Get("away"))}
	if ms, err := strconv.ParseInt(form.Get("shown"), 10, 64); err == nil {
		look.Shown = time.UnixMilli(ms)
	}
	return look
}

// Away reads how many seconds a page was hidden. An invalid time counts as 0.
func Away(text string) time.Duration {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(seconds) || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, 1e6) * float64(time.Second)) // 1e6, so that no Duration overflows
}
