package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// command runs a command of the program and returns what it prints.
func command(t *testing.T, args ...string) string {
	t.Helper()
	out, _ := exits(t, exitOK, args...)
	return out
}

// rehearse starts a rehearsal server that counts the requests, and writes a configuration that
// names the server.
func rehearse(t *testing.T, dir string) (config string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	handler := rehearsalserver.New(rehearsalserver.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			asked.Add(1)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	config = filepath.Join(dir, "captionlake.yaml")
	text := fmt.Sprintf("endpoints:\n  - name: rehearsal\n    replicas: [%s/v1]\n    models: [rehearsal/judge]\n    "+
		"concurrency: {max: 64}\n", server.URL)
	must.Write(t, config, text)
	return config, asked
}

// TestJudgeReleasedCaptions judges the released captions of GPT-4o with the rehearsal judge.
func TestJudgeReleasedCaptions(t *testing.T) {
	must.Slow(t)
	released := must.Shared(t, "capability")
	var dimensions []string
	for _, d := range rubric.Dimensions() {
		dimensions = append(dimensions, d.ID)
	}
	dir := t.TempDir()
	for _, folder := range []string{"annotations", "captions/gpt-4o-0806", "judge_output/gpt-4o-0806"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(dir, "released", folder), 0o777))
		for _, d := range dimensions {
			must.Succeed(t, os.Symlink(filepath.Join(released, folder, d+".jsonl"),
				filepath.Join(dir, "released", folder, d+".jsonl")))
		}
	}
	lake := lakeOf(t, "analyzed")
	command(t, "--lake", lake, "ingest", "--reader", "gpt-4-turbo", filepath.Join(dir, "released"))
	query := func(sql string) string { return command(t, "--lake", lake, "sql", "--format", "csv", sql) }
	elements := must.Get(strconv.ParseInt(strings.Fields(query("select count(*) as n from annotations"))[1], 10, 64))(t)

	config, asked := rehearse(t, dir)
	for range 2 {
		command(t, "--lake", lake, "run", "judge", "--config", config, "--judge", "rehearsal/judge", "--captioner",
			"gpt-4o-0806")
		expect.Equal(t, asked.Load(), elements, "requests")
	}

	command(t, "--lake", lake, "analyze")
	want := fmt.Sprintf("judge,provenance,n_annotated,accounted,n_failed,dimensions\ngpt-4-turbo,measured,%d,%d,0,%d\n"+
		"rehearsal-judge,simulated,%d,%d,0,%d\n",
		elements, elements, len(dimensions), elements, elements, len(dimensions))
	got := query(`select judge, provenance, sum(n_annotated) as n_annotated,
		sum(n_all + n_unparsed + n_failed + n_missing) as accounted,
		sum(n_failed) as n_failed, count(*) as dimensions from capability_figures where origin = 'judgments'
		and kind = 'dimension' and metric = 'f1' group by judge, provenance order by judge`)
	expect.Equal(t, got, want)
	expect.Equal(t, query("select count(*) as n, count(distinct request_hash) as hashes, min(state) as state from calls"),
		fmt.Sprintf("n,hashes,state\n%d,%d,ok\n", elements, elements))
	expect.Equal(t,
		query("select sum(n_missing) as missing, sum(n_unparsed) as unparsed from capability_figures "+
			"where kind = 'dimension' and judge = 'rehearsal-judge'"),
		"missing,unparsed\n0,0\n", "of the rehearsal judge")
}
