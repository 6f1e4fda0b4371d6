package web

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
)

const (
	maxBody     = 64 << 10 // bytes of a form: an edited question with its options has a few thousand
	sessionName = "captionlake"
	tokenField  = "token" // parameter of the address that opens a session
)

// ContentPolicy lets a page load nothing from other servers, no blobs and no data addresses, and
// run no inline script or style. So even a caption that is not escaped can do nothing. If a
// page has a script that sends requests to this server, the page adds connect-src 'self'.
const ContentPolicy = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// TokenVariable is the environment variable that may hold the token of pages, so that the token is
// the same at every start.
const TokenVariable = "CAPTIONLAKE_TOKEN"

// LeastToken is the least number of characters of a token.
const LeastToken = 16

// Token is the secret that opens a page: the value of TokenVariable, or else a new secret of 128
// bits or more.
func Token() (string, error) {
	token := cmp.Or(os.Getenv(TokenVariable), rand.Text())
	if len(token) < LeastToken {
		return "", data.Errorf("write a longer one, or unset it", "%s is shorter than %d characters", TokenVariable,
			LeastToken)
	}
	return token, nil
}

// Protect passes a request on to h only if it comes from a page of this server in a browser that
// was opened with the token:
//
//   - The Host is localhost, 127.0.0.1 or ::1, with any port, since ports are forwarded. A site
//     that points its own name here (DNS rebinding) is refused.
//   - The browser holds the token in a cookie, which the address with ?token= sets. Other users of
//     the machine have no token.
//   - A request that changes something is a POST from the same origin, and a form of at most 64
//     KiB.
func Protect(h http.Handler, token string) http.Handler {
	origins := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		control := http.NewResponseController(w) // Errors do not matter: a server of a test may have no deadlines.
		_ = control.SetReadDeadline(time.Now().Add(15 * time.Second))
		_ = control.SetWriteDeadline(time.Now().Add(time.Minute)) // for a large picture through a slow tunnel
		refuse := func(status int, what string) {
			Refuse(w, status, what, "Open the address that the command printed.")
		}
		switch {
		case !isLoopback(r.Host):
			refuse(http.StatusMisdirectedRequest, "This server answers on this machine only")
			return
		case !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost}, r.Method):
			w.Header().Set("Allow", "GET, HEAD, POST")
			refuse(http.StatusMethodNotAllowed, "Nothing answers to this method")
			return
		case origins.Check(r) != nil:
			refuse(http.StatusForbidden, "The request comes from another site")
			return
		}
		if strings.HasPrefix(r.URL.Path, staticPath) && r.Method != http.MethodPost {
			static(w, r) // The page that refuses needs its style.
			return
		}
		if given := r.URL.Query().Get(tokenField); r.Method == http.MethodGet && same(given, token) {
			openSession(w, r, token)
			return
		}
		cookie, err := r.Cookie(cookieName(r.Host))
		if err != nil || !same(cookie.Value, token) {
			Refuse(w, http.StatusForbidden, "This browser has not been let in",
				"Open the address that the command printed, with its token. "+
					"When the command was started again, its address is a new one.")
			return
		}
		if r.Method == http.MethodPost && !acceptForm(w, r) {
			return
		}
		h.ServeHTTP(w, r)
	})
}

// acceptForm reads the form of a request that changes something. It answers an invalid request
// itself and reports false.
func acceptForm(w http.ResponseWriter, r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		Refuse(w, http.StatusUnsupportedMediaType,
			"The request is not a form", "Send application/x-www-form-urlencoded.")
		return false
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if err := r.ParseForm(); err != nil {
		Refuse(w, http.StatusRequestEntityTooLarge,
			"The form is too large or damaged", "Nothing was stored. Go back and shorten the text.")
		return false
	}
	return true
}

// openSession gives the browser the token as a cookie and removes it from the address, so that it
// does not stay in the history.
func openSession(w http.ResponseWriter, r *http.Request, token string) {
	http.SetCookie(w, &http.Cookie{Name: cookieName(r.Host), Value: token, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteLaxMode})
	query := r.URL.Query()
	query.Del(tokenField)
	// Browsers take a path that begins with two slashes or backslashes for another server's address.
	to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, `/\`), RawQuery: query.Encode()}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

// cookieName contains the port, because all ports of a machine share its cookies.
func cookieName(host string) string {
	if _, port, err := net.SplitHostPort(host); err == nil {
		return sessionName + "-" + port
	}
	return sessionName
}

// secure sets the headers that keep other sites and caches away from a page.
func secure(h http.Header) {
	for name, value := range map[string]string{
		"Content-Security-Policy":      ContentPolicy,
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "same-origin",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy":           "camera=(), geolocation=(), microphone=()",
		"Cache-Control":                "no-store",
	} {
		h.Set(name, value)
	}
}

// isLoopback reports whether a Host header names this machine by its loopback interface.
func isLoopback(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]") // The host has no port; an address of IPv6 has brackets.
	}
	return strings.EqualFold(name, "localhost") || name == "127.0.0.1" || name == "::1"
}

// same compares secrets in a time that does not depend on them.
func same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }
