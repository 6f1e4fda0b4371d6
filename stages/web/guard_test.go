package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

const secret = "s3cret"

// echo says what reached it.
var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, "reached "+r.Method+" "+r.PostForm.Get("text"))
})

func request(method, target string, change func(*http.Request)) *http.Request {
	r := httptest.NewRequest(method, target, nil)
	r.Host = "127.0.0.1:8123"
	r.AddCookie(&http.Cookie{Name: "captionlake-8123", Value: secret})
	if change != nil {
		change(r)
	}
	return r
}

func post(form url.Values, change func(*http.Request)) *http.Request {
	return request(http.MethodPost, "/do", func(r *http.Request) {
		r.Body = io.NopCloser(strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "http://127.0.0.1:8123")
		if change != nil {
			change(r)
		}
	})
}

func TestProtect(t *testing.T) {
	t.Parallel()
	good := url.Values{"text": {"hello"}}
	host := func(name string) func(*http.Request) {
		return func(r *http.Request) { r.Host = name }
	}
	header := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	for _, c := range []struct {
		name   string
		r      *http.Request
		status int
	}{
		{"a page", request("GET", "/", nil), 200},
		{"this machine by name", request("GET", "/", func(r *http.Request) { r.Host = "LOCALHOST:8123" }), 200},
		{"another port, forwarded", request("GET", "/", func(r *http.Request) {
			r.Host = "[::1]:9"
			r.AddCookie(&http.Cookie{Name: "captionlake-9", Value: secret})
		}), 200},
		{"a name that points here", request("GET", "/", host("evil.example:8123")), 421},
		{"a name that begins like it", request("GET", "/", host("127.0.0.1.evil.example")), 421},
		{"a name that ends like it", request("GET", "/", host("evil.localhost:8123")), 421},
		{"the network's address", request("GET", "/", host("192.168.1.7:8123")), 421},
		{"no name", request("GET", "/", host("")), 421},
		{"a rebound name with the token", request("GET", "/?token="+secret, host("evil.example")), 421},
		{"no cookie", request("GET", "/", header("Cookie", "")), 403},
		{"a wrong cookie", request("GET", "/", header("Cookie", "captionlake-8123=s3cres")), 403},
		{"a wrong token", request("GET", "/?token=s3cre", header("Cookie", "")), 403},
		{"an empty token", request("GET", "/?token=", header("Cookie", "captionlake-8123=")), 403},
		{"a form", post(good, nil), 200},
		{"a form of a tool without Origin", post(good, func(r *http.Request) { r.Header.Del("Origin") }), 200},
		{"a form of another site", post(good, header("Origin", "https://evil.example")), 403},
		{"a form of another port", post(good, header("Origin", "http://127.0.0.1:9")), 403},
		{"a form of nowhere", post(good, header("Origin", "null")), 403},
		{"a form that the browser calls foreign", post(good, header("Sec-Fetch-Site", "cross-site")), 403},
		{"a form of a neighbour", post(good, header("Sec-Fetch-Site", "same-site")), 403},
		{"a form without a cookie", post(good, header("Cookie", "")), 403},
		{"a text", post(good, header("Content-Type", "text/plain")), 415},
		{"a form of too many bytes", post(url.Values{"text": {strings.Repeat("x", maxBody)}}, nil), 413},
		{"another method", request("DELETE", "/do", nil), 405},
		{"a style without a cookie", request("GET", staticAddress("page.css"), header("Cookie", "")), 200},
		{"no style", request("GET", staticPath+"none.css", nil), 404},
		{"a template as a style", request("GET", staticPath+"../layout.html.tmpl", nil), 400},
	} {
		w := httptest.NewRecorder()
		Protect(echo, secret).ServeHTTP(w, c.r)
		expect.Equal(t, w.Code, c.status, c.name, w.Body)
		expect.Equal(t, strings.HasPrefix(w.Body.String(), "reached"), (c.status == 200 &&
			!strings.HasPrefix(c.r.URL.Path, staticPath)), c.name)
		for key, part := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff",
			"X-Frame-Options": "DENY",
			"Referrer-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			expect.Contains(t, w.Header().Get(key), part)
		}
		expect.Equal(t, w.Header().Get("Access-Control-Allow-Origin"), "", c.name)
	}
}

// The token becomes a cookie that no script reads, and leaves the address, which leads nowhere
// else.
func TestTokenOpensASession(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"/?token=" + secret:                    "/",
		"/vote?as=Ada&token=" + secret:         "/vote?as=Ada",
		"//evil.example/?token=" + secret:      "/evil.example/",
		`/\evil.example/?token=` + secret:      "/evil.example/",
		"/%5c%2fevil.example/?token=" + secret: "/evil.example/",
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/", nil)
		at := must.Get(url.ParseRequestURI(target))(t)
		r.URL, r.Host = at, "localhost:8123"
		Protect(echo, secret).ServeHTTP(w, r)
		if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != want {
			t.Errorf("%s: status %d, leads to %q, want %q", target, w.Code, got, want)
		}
		cookies := w.Result().Cookies()
		if len(cookies) != 1 || cookies[0].Value != secret || !cookies[0].HttpOnly ||
			cookies[0].SameSite != http.SameSiteLaxMode {
			t.Errorf("%s: cookies %v", target, cookies)
		}
	}
}
