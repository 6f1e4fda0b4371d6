package webtest

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// A Visitor is a person with a browser that runs no script.
type Visitor struct {
	T      testing.TB
	Name   string
	Page   string // content of the last page
	Status int    // of HTTP, of the last page

	client *http.Client
	server string // address of the server
}

// NewVisitor is a visitor who has opened the server's address with its token.
func NewVisitor(t testing.TB, server, token, name string) *Visitor {
	t.Helper()
	v := &Visitor{T: t, Name: name, client: &http.Client{Jar: must.Get(cookiejar.New(nil))(t)}, server: server}
	v.Get("/?token=" + token)
	return v
}

// read keeps a response as the last page.
func (v *Visitor) read(response *http.Response, err error) {
	v.T.Helper()
	must.Succeed(v.T, err)
	defer response.Body.Close()
	v.Page, v.Status = string(must.Get(io.ReadAll(response.Body))(v.T)), response.StatusCode
}

// Get opens an address of the server.
func (v *Visitor) Get(path string) { v.T.Helper(); v.read(v.client.Get(v.server + path)) }

// Send sends a form under the visitor's name.
func (v *Visitor) Send(path string, form url.Values) {
	v.T.Helper()
	if form == nil {
		form = url.Values{}
	}
	form.Set("as", v.Name)
	v.read(v.client.PostForm(v.server+path, form))
}

var hidden = regexp.MustCompile(`type="hidden" name="([^"]*)" value="([^"]*)"`)

// fields are the hidden fields of the last page.
func (v *Visitor) fields() url.Values {
	form := url.Values{}
	for _, field := range hidden.FindAllStringSubmatch(v.Page, -1) {
		form.Set(field[1], html.UnescapeString(field[2]))
	}
	return form
}

// Submit sends a form with the hidden fields of the last page and with pairs of a name and a value.
// The pairs replace hidden fields of the same names.
func (v *Visitor) Submit(path string, pairs ...string) {
	v.T.Helper()
	form := v.fields()
	for pair := range slices.Chunk(pairs, 2) { // all before the first Add, since pairs may share a name
		form.Del(pair[0])
	}
	for pair := range slices.Chunk(pairs, 2) {
		form.Add(pair[0], pair[1])
	}
	v.Send(path, form)
}

// Field is the value of a hidden field of the last page; empty without such a field.
func (v *Visitor) Field(name string) string { return v.fields().Get(name) }

// Wants fails the test unless the last page has all the parts.
func (v *Visitor) Wants(parts ...string) {
	v.T.Helper()
	for _, part := range parts {
		if !strings.Contains(v.Page, part) {
			v.T.Fatalf("%s: status %d, the page has no %q: %s", v.Name, v.Status, part, v.Page)
		}
	}
}
