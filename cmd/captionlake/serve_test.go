package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots/site"
)

// The test serves the results, samples and queries of the demo's lake. While other processes write
// to the lake, the pages stay available and say which tables are newer.
func TestServe(t *testing.T) {
	laketest.Slow(t, "draws the demo's report")
	lake := demoLake(t)
	s := startPage(t, "serve", "--lake", lake, "--timeout", "2s")
	v := s.visitor("Ada")
	v.Get("/")
	v.Wants("<title>", "samples.html", "sql/")
	v.Get("/samples.html")
	v.Wants(`data-kinds="questions`)
	v.Get("/data/samples/questions/index.js")
	v.Wants(`captionlake.data("data/samples/questions/index.js",{`)
	v.Get("/data/samples/questions/texts-0.js")
	v.Wants(`"said":[[0,`, `"captions":{"`, `"file":"pictures/`)
	var shard struct {
		Frames map[string][]struct{ File string }
	}
	text := strings.TrimSuffix(v.Page[strings.Index(v.Page, ",")+1:], ");\n")
	must.Succeed(t, json.Unmarshal([]byte(text), &shard))
	for _, frames := range shard.Frames {
		if v.Get("/" + frames[0].File); v.Status != http.StatusOK || !strings.HasPrefix(v.Page, "\x89PNG") {
			t.Errorf("a picture: %d %.20q", v.Status, v.Page)
		}
		break
	}
	v.Get("/pictures/../LAKE")
	expect.Equal(t, v.Status, http.StatusNotFound, "a file of the lake")

	ask := func(query, do string, wants ...string) {
		t.Helper()
		v.Get("/sql/")
		v.Send("/sql/", url.Values{"query": {query}, "do": {do}})
		v.Wants(wants...)
	}
	ask("select captioner, count(*) as n from answers group by captioner order by n desc, captioner", "run",
		"rows</h2>", "<td class=\"num\">")
	ask("select captioner, n_questons from captionqa_scores", "run",
		"LINE 1: select captioner, n_questons from captionqa_scores\n                          ^", "n_questions")
	ask("from '/etc/passwd.csv'", "run", "disabled by configuration")
	ask("from enable_logging()", "run", "only statements that read")
	ask("copy (select 1) to 'x.csv'", "run", "only statements that read")
	ask("select 1 as a, 'x,y' as b", "csv", "a,b\n1,\"x,y\"\n")
	ask("select 1 as a", "parquet", "PAR1")
	ask("select 1 as a", "arrow", "ARROW1")
	ask("from range(5000) as t (i)", "json", `{"i":4999}`)
	ask("from range(5000) as t (i)", "run", "1000 rows, the first of more")
	ask("select len(range(4000000000)) as n", "run", "Out of Memory")
	ask("select length(repeat('x', 3000000000)) as n", "run", "emory")
	begun := time.Now()
	ask("select count(*) from range(1000000000000000)", "run", "more than 2s")
	expect.Between(t, time.Since(begun), 0, 20*time.Second, "a query without an end")
	// A query that ignores an interrupt is also ended in time, and other queries do not wait for
	// it.
	begun = time.Now()
	hog := make(chan time.Duration)
	go func() {
		other := s.visitor("Grace")
		other.Get("/sql/")
		other.Send("/sql/",
			url.Values{"query": {`select max(levenshtein(repeat('ab', 30000), repeat('ba', 30000) || i))
				from range(1000) as t (i)`}, "do": {"run"}})
		other.Wants("more than 2s")
		hog <- time.Since(begun)
	}()
	time.Sleep(200 * time.Millisecond)
	ask("select 1 as beside", "run", "1 row</h2>")
	expect.Between(t, <-hog, 0, 20*time.Second, "the query")
	outsider := &http.Client{}
	for _, path := range []string{"/", "/sql/", "/samples.html", "/data/samples/questions/index.js"} {
		response := must.Get(outsider.Get(strings.Split(s.address, "/?")[0] + path))(t)
		response.Body.Close()
		expect.Equal(t, response.StatusCode, http.StatusForbidden, path)
	}

	// Another process writes a table: the pages say so.
	putRows(t, lake, data.Models, data.Model{ModelID: "another", Name: "Another", ModelType: "open"})
	for end := time.Now().Add(30 * time.Second); !strings.Contains(v.Page,
		"older than the tables models"); time.Sleep(100 * time.Millisecond) {
		if v.Get("/"); time.Now().After(end) {
			t.Fatalf("the page does not say that its results are old: %s", v.Page)
		}
	}
	ask("select name from models where model_id = 'another'", "csv", "name\nAnother\n")

}

// putRows writes rows to a lake as another process does.
func putRows[T any](t *testing.T, lake string, table data.Table[T], rows ...T) {
	t.Helper()
	written := must.Get(data.Waiter{}.Edit(lake, "another"))(t)
	laketest.Put(t, written, table, table.Name(), rows...)
	must.Succeed(t, written.Close())
}

// During analyze the old pages are served, and afterwards the new pages. If a mart cannot be read,
// the old pages stay.
func TestServeFollowsTheLake(t *testing.T) {
	laketest.Slow(t, "computes and draws the published results three times")
	lake := lakeOf(t, "analyzed")
	v := startPage(t, "serve", "--lake", lake).visitor("")
	// until loads a page until it has the wanted text, and checks that the overview is always
	// there.
	until := func(what, path string, wanted func() bool) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
			if v.Get("/"); v.Status != http.StatusOK {
				t.Fatalf("%s: the overview has status %d: %s", what, v.Status, v.Page)
			}
			if v.Get(path); wanted() {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %s has status %d: %s", what, path, v.Status, v.Page)
			}
		}
	}
	is := func(status int) func() bool { return func() bool { return v.Status == status } }
	old := func() bool { return strings.Contains(v.Page, "older than the tables") }
	until("before", "/models/mine.html", is(http.StatusNotFound))

	putRows(t, lake, data.Answers, data.Answer{
		Protocol: "p", Reader: "r", Evidence: "caption", Captioner: "mine", Prompt: "Simple", QuestionID: "nat_001/q1",
		ImageID: "nat_001", Domain: "Natural",
		Category: "Colour", Options: 4, OffersCannot: true, Outcome: "correct", Score: 1,
		Provenance: data.ProvenanceMeasured,
	})
	until("a table was written", "/", old)
	until("a table was written", "/models/mine.html", is(http.StatusNotFound))
	command(t, "--quiet", "--lake", lake, "analyze")
	until("after analyze", "/models/mine.html", is(http.StatusOK))
	until("after analyze", "/", func() bool { return !old() })

	// While a mart is damaged, the former pages are served.
	mart := filepath.Join(lake, "marts", "leaderboard.parquet")
	must.Write(t, mart, "PAR1")
	for end := time.Now().Add(3 * site.LookEvery); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if v.Get("/models/mine.html"); v.Status != http.StatusOK {
			t.Fatalf("with a damaged mart: status %d: %s", v.Status, v.Page)
		}
	}
	putRows(t, lake, data.Models, data.Model{ModelID: "mine", Name: "Named meanwhile", ModelType: "open"})
	command(t, "--quiet", "--lake", lake, "analyze")
	until("after the damage", "/models/mine.html", func() bool { return strings.Contains(v.Page, "Named meanwhile") })
}
