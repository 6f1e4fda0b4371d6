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

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/report"
)

// contents are all files of a site by their names.
func contents(t *testing.T, s around) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range s.Files() {
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

// elements reads a page as a browser does, and holds it against what a page of people's own would be: every element that is opened is
// closed, and no id is there twice.
func elements(t *testing.T, name, content string) []element {
	t.Helper()
	void := []string{"meta", "link", "img", "br", "input", "hr"}
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

// Every page is well formed, every link leads to a file of the site or of the report and to an id that is there, and nothing is asked of
// elsewhere.
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
			if n := len(slices.DeleteFunc(slices.Clone(page), func(e element) bool { return e.tag != want })); n != 1 {
				t.Errorf("%s has %d elements %s", name, n, want)
			}
		}
	}
	for _, want := range []string{
		"index.html", "benchmarks/captionqa.html", "benchmarks/caparena.html", "models.html", "models/mine.html", "figures.html", "audit.html", "provenance.html", "marts/captionqa_main.html",
		"tables/table_03_main_measured.html",
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
	for _, want := range []string{"&lt;script&gt;document.title", "<h1>Mine &lt;img", "\ufffd[31mred\ufffdgnp.js", `\input{x}`} {
		if !strings.Contains(mine, want) {
			t.Errorf("the page of the captioner does not show %s", want)
		}
	}
}

// The overview has people's own results before printed ones, and simulated ones last.
func TestOwnResultsComeFirst(t *testing.T) {
	all := contents(t, smallSite(t))
	for name, marks := range map[string][]string{
		"index.html":                {`id="kind-measured"`, `id="kind-published"`, `id="kind-simulated"`, "12 answers count in no result", "12,345", "2.5 MB"},
		"benchmarks/captionqa.html": {`<span class="mark measured">measured</span>`, `<span class="mark published">published</span>`, `<span class="mark simulated">simulated</span>`},
	} {
		at := -1
		for _, m := range marks {
			if name == "index.html" && !strings.HasPrefix(m, "id=") {
				if !strings.Contains(all[name], m) {
					t.Errorf("%s does not say %s", name, m)
				}
				continue
			}
			i := strings.Index(all[name], m)
			if i <= at {
				t.Errorf("%s: %s is at %d, after %d", name, m, i, at)
			}
			at = i
		}
	}
}

// Rows of one kind are in the order of their scores, those of the prompt that people look at first before others.
func TestLeaderboardIsInOrder(t *testing.T) {
	s := small(t)
	b := &Builder{Source: s, Report: &report.Report{}, tables: map[string]*plots.Table{}}
	b.marts, _ = s.Marts(t.Context())
	bench := data.CaptionQA()
	r, err := b.rows(t.Context(), bench.Headline)
	must.Succeed(t, err)
	var got []string
	for _, row := range b.leaderboard(bench, r.is(kindColumn, data.ProvenancePublished), "", bench.HeadlineValue).Sections[0].Rows {
		got = append(got, row[0].Text)
	}
	if want := []string{"Good", "Poor é 模", "Good", "Poor é 模"}; !slices.Equal(got, want) {
		t.Errorf("the captioners are in the order %q, want %q", got, want)
	}
}

// The profile of a captioner is arithmetic on the marts: place, best of the others, difference.
func TestProfileOfACaptioner(t *testing.T) {
	s := small(t)
	b := &Builder{Source: s, Report: &report.Report{}, tables: map[string]*plots.Table{}}
	b.marts, _ = s.Marts(t.Context())
	must.Succeed(t, b.findModels(t.Context()))
	bench := data.CaptionQA()
	c := captioner{ID: "poor", Name: "Poor"}
	p, losses, err := b.profile(t.Context(), bench, bench.Profiles[1], data.ProvenanceMeasured, c)
	must.Succeed(t, err)
	row := p.Board.Sections[0].Rows[0]
	var got []string
	for _, cell := range row[1:] {
		got = append(got, cell.Text+cell.Interval)
	}
	// Under Simple poor has 45 of -3 and +2, mine 70: 25 points behind.
	if want := []string{"Document", "45.00[42.00, 47.00]", "2", "2", data.Plain("Mine " + evil), "70.00", "-25.00"}; !slices.Equal(got, want) {
		t.Errorf("the profile is %q, want %q", got, want)
	}
	if len(losses) != 4 || losses[0].Behind != "25.00" || losses[0].To.Path != "models/mine.html" {
		t.Errorf("the losses are %+v", losses)
	}
	// 95 - 45 of an accuracy of 95 on the image is worse than 95 - 70, because the smallest gap is best.
	p, _, err = b.profile(t.Context(), bench, bench.Profiles[2], data.ProvenanceMeasured, c)
	if err != nil || p.Board.Sections[0].Rows[0][2].Text != "2" || p.Board.Sections[0].Rows[0][6].Text != "+25" {
		t.Errorf("the gap is %+v, %v", p, err)
	}
	// Of twenty battles mine lost most, and its interval ends below one half.
	arena, _ := data.BenchmarkOf(data.BenchmarkCapArena)
	p, losses, err = b.profile(t.Context(), arena, arena.Profiles[0], data.ProvenanceMeasured, captioner{ID: "mine", Name: "Mine"})
	if err != nil || len(p.Board.Sections[0].Rows) != 1 || len(losses) != 1 || losses[0].To.Path != "models/poor.html" {
		t.Errorf("the battles are %+v and %+v, %v", p, losses, err)
	}
	for _, bench := range data.Benchmarks() {
		if _, _, err := b.profile(t.Context(), bench, data.Profile{Mart: "none"}, data.ProvenanceMeasured, c); err != nil {
			t.Error(err)
		}
	}
}

// Equal rows give equal bytes.
func TestSiteIsDeterministic(t *testing.T) {
	once := smallSite(t)
	again, err := Build(t.Context(), small(t), once.report, Options{Links: []Link{{"sql/", "SQL"}}})
	must.Succeed(t, err)
	if a, b := contents(t, once), contents(t, around{again, once.report}); !maps.Equal(a, b) {
		for name := range a {
			if a[name] != b[name] {
				t.Errorf("%s differs", name)
			}
		}
	}
}

func TestServedAsWritten(t *testing.T) {
	s := smallSite(t)
	all := contents(t, s)
	for asked, name := range map[string]string{"/": "index.html", "/models/mine.html": "models/mine.html", "/assets/site.css": "assets/site.css"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", asked, nil))
		if w.Code != 200 || w.Body.String() != all[name] || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/") {
			t.Errorf("%s gives %d %s", asked, w.Code, w.Header())
		}
	}
	for _, asked := range []string{"/none.html", "/../site.go", "/assets/"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", asked, nil))
		if w.Code != 404 {
			t.Errorf("%s gives %d", asked, w.Code)
		}
	}
	var b strings.Builder
	if err := s.Frame(&b, Document{Path: "sql/index.html", Title: "SQL", Body: "<form></form>"}); err != nil || !strings.Contains(b.String(), "<form></form>") {
		t.Errorf("a page of the server: %v", err)
	}
}

func TestNamesOfFiles(t *testing.T) {
	for text, want := range map[string]string{"gpt-5": "gpt-5", "qwen2.5-vl": "qwen2.5-vl", "A/b": "a-b-", "../../etc": "etc-", "": "", strings.Repeat("x", 80): strings.Repeat("x", 60) + "-"} {
		got := slug(text)
		if !strings.HasPrefix(got, want) || len(got) > len(want)+6 {
			t.Errorf("slug(%q) = %q, want %q", text, got, want)
		}
	}
	if slug("A") == slug("a") {
		t.Error("two names have one file")
	}
}

func TestPagesDiffer(t *testing.T) {
	names := map[string]bool{}
	for _, p := range pages() {
		if p.Name == "" || p.Build == nil || names[p.Name] {
			t.Errorf("page %+v", p.Name)
		}
		names[p.Name] = true
	}
}
