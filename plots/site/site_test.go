package site

import (
	"encoding/xml"
	"io"
	"maps"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// contents are all files of a site by their names.
func contents(t *testing.T, s around) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range s.Files {
		var b strings.Builder
		if err := f.Write(&b); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if _, ok := out[f.Name]; ok {
			t.Errorf("%s is there twice", f.Name)
		}
		out[f.Name] = b.String()
	}
	return out
}

// element is one element of a page.
type element struct {
	tag        string
	attributes map[string]string
}

// elements reads a page as a browser does, and holds it against what a page of people's own would
// be: every element that is opened is closed, and no id is there twice.
func elements(t *testing.T, name, content string) []element {
	t.Helper()
	void := []string{"meta", "link", "img", "source", "br", "input", "hr"}
	var out []element
	var open []string
	ids := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader(content))
	d.Strict, d.Entity = false, xml.HTMLEntity
	for {
		token, err := d.RawToken()
		if err != nil {
			if err != io.EOF || len(open) > 0 {
				t.Errorf("%s: %v, and %v are never closed", name, err, open)
			}
			return out
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{token.Name.Local, map[string]string{}}
			for _, a := range token.Attr {
				key := a.Name.Local
				if _, ok := e.attributes[key]; ok {
					t.Errorf("%s: %s has %s twice", name, e.tag, key)
				}
				e.attributes[key] = a.Value
				if strings.HasPrefix(key, "on") || key == "style" {
					t.Errorf("%s: %s has the attribute %s", name, e.tag, key)
				}
			}
			if id := e.attributes["id"]; id != "" {
				if ids[id] {
					t.Errorf("%s: id %s is there twice", name, id)
				}
				ids[id] = true
			}
			if out = append(out, e); !slices.Contains(void, e.tag) {
				open = append(open, e.tag)
			}
		case xml.EndElement:
			if tag := token.Name.Local; !slices.Contains(void, tag) { // the decoder ends what it is told to be void
				if len(open) == 0 || open[len(open)-1] != tag {
					t.Fatalf("%s: </%s> closes %v", name, tag, open)
				}
				open = open[:len(open)-1]
			}
		}
	}
}

// Every page is well formed, every link leads to a file of the site or of the report and to an id
// that is there, and nothing is asked of elsewhere.
func TestPagesHoldTogether(t *testing.T) {
	s := smallSite(t)
	all := contents(t, s)
	ids := map[string]map[string]bool{}
	pages := map[string][]element{}
	for name, content := range all {
		if path.Ext(name) != ".html" {
			continue
		}
		pages[name] = elements(t, name, content)
		ids[name] = map[string]bool{}
		for _, e := range pages[name] {
			ids[name][e.attributes["id"]] = true
		}
	}
	for name, page := range pages {
		for _, e := range page {
			if e.attributes["role"] == "region" {
				t.Errorf("%s: %s is a landmark beside the section that it is in", name, e.attributes["aria-label"])
			}
			for _, key := range []string{"href", "src"} {
				link, ok := e.attributes[key]
				if !ok {
					continue
				}
				u, err := url.Parse(link)
				if err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(link, "/") {
					t.Errorf("%s refers to %s", name, link)
					continue
				}
				target := path.Join(path.Dir(name), u.Path)
				if u.Path == "" {
					target = name
				}
				if target == "sql" { // the server's
					continue
				}
				if _, ok := s.all[target]; !ok {
					t.Errorf("%s refers to %s, which is not there", name, target)
				}
				if f := u.Fragment; f != "" && !strings.Contains(f, "=") && !ids[target][f] {
					t.Errorf("%s refers to %s, which has no %s", name, target, f)
				}
			}
		}
		for _, want := range []string{"title", "h1", "main", "nav"} {
			expect.Equal(t, len(slices.DeleteFunc(slices.Clone(page), func(e element) bool { return e.tag != want })),
				1, name, want)
		}
	}
	for _, want := range []string{
		"index.html", "benchmarks/captionqa.html", "models.html", "models/mine.html", "figures.html", "audit.html",
		"provenance.html", "marts/captionqa_scores.html",
		"tables/table_12_natural_simple_measured.html",
	} {
		if _, ok := all[want]; !ok {
			t.Errorf("there is no %s", want)
		}
	}
}

// What the lake says is text, in pages and in scripts.
func TestForeignTextIsText(t *testing.T) {
	for name, content := range contents(t, smallSite(t)) {
		switch path.Ext(name) {
		case ".html":
			for _, e := range elements(t, name, content) {
				if e.tag == "script" && e.attributes["src"] == "" || e.tag == "img" && e.attributes["src"] == "x" {
					t.Errorf("%s: a foreign text is markup: %v", name, e)
				}
			}
		case ".js":
			if strings.HasPrefix(name, "data/") && strings.ContainsAny(content, "<>&\x1b\u202e\u2028") {
				t.Errorf("%s: a foreign text is as it came", name)
			}
			continue
		default:
			continue
		}
		if strings.ContainsAny(content, "\x1b\u202e") {
			t.Errorf("%s has control characters", name)
		}
	}
	mine := contents(t, smallSite(t))["models/mine.html"]
	expect.Contains(t, mine, "&lt;script&gt;document.title", "<h1>Mine &lt;img", "\ufffd[31mred\ufffdgnp.js",
		`\input{x}`)
}

// Pages have people's own results before printed ones, and the first page begins with the result.
func TestOwnResultsComeFirst(t *testing.T) {
	all := contents(t, smallSite(t))
	for name, marks := range map[string][]string{
		"index.html": {"12 answers count in no result",
			`<p class="result">Captions lose 25 to 50 points of what models see.`, "12 images", `id="kind-measured"`,
			`id="kind-published"`},
		"benchmarks/captionqa.html": {`id="leaderboard_captionqa-measured"`, `id="leaderboard_captionqa-simulated"`,
			`id="leaderboard_captionqa-published"`},
		"models/poor.html": {`id="parts-measured"`, "Attribute", `data-best="80"`, `id="parts-published"`},
	} {
		at := -1
		for _, m := range marks {
			i := strings.Index(all[name], m)
			if i <= at {
				t.Errorf("%s: %s is at %d, after %d", name, m, i, at)
			}
			at = i
		}
	}
	expect.Equal(t, strings.Count(all["index.html"], ">Captions lose 25 to 50 points"), 1)
	expect.Contains(t, all["index.html"], `<meta property="og:image" content="figures/utility_gap_measured.png">`)
	if _, ok := smallSite(t).all["figures/utility_gap_measured.png"]; !ok {
		t.Error("the picture of a link is not there")
	}
}

// Equal rows give equal bytes.
func TestSiteIsDeterministic(t *testing.T) {
	once := smallSite(t)
	again := must.Get(Build(t.Context(), small(t), once.report, Options{Links: []Link{{"sql/", "SQL"}}, Note: said}))(t)
	if a, b := contents(t, once), contents(t, around{again, once.report}); !maps.Equal(a, b) {
		for name := range a {
			expect.Equal(t, a[name], b[name], name)
		}
	}
}

func TestServedAsWritten(t *testing.T) {
	s := smallSite(t)
	all := contents(t, s)
	for asked, name := range map[string]string{"/": "index.html", "/models/mine.html": "models/mine.html",
		"/assets/site.css": "assets/site.css"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", asked, nil))
		if w.Code != 200 || w.Body.String() != all[name] ||
			!strings.HasPrefix(w.Header().Get("Content-Type"), "text/") {
			t.Errorf("%s gives %d %s", asked, w.Code, w.Header())
		}
	}
	for _, asked := range []string{"/none.html", "/../site.go", "/assets/"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", asked, nil))
		expect.Equal(t, w.Code, 404, asked)
	}
}

func TestNamesOfFiles(t *testing.T) {
	for text, want := range map[string]string{"gpt-5": "gpt-5", "qwen2.5-vl": "qwen2.5-vl", "A/b": "a-b-",
		"../../etc": "etc-", "": "", strings.Repeat("x", 80): strings.Repeat("x", 60) + "-"} {
		got := slug(text)
		if !strings.HasPrefix(got, want) || len(got) > len(want)+6 {
			t.Errorf("slug(%q) = %q, want %q", text, got, want)
		}
	}
	if slug("A") == slug("a") {
		t.Error("two names have one file")
	}
}
