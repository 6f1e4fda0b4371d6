package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web"
)

// cast votes on a battle.
func (s *pageServer) cast() {
	s.t.Helper()
	ada := s.visitor("Ada")
	ada.Get("/vote?as=Ada")
	ada.Send("/vote",
		url.Values{"battle": {ada.Field("battle")}, "position": {ada.Field("position")}, "choice": {"first"}})
	ada.Wants("Stored: <b>Caption A is better</b>")
}

// The test goes from pictures and captions to battles, votes and the next pairs. The page's server
// is stopped by both signals, and killed once.
func TestArenaVote(t *testing.T) {
	dir := t.TempDir()
	_, pictures := sampleFiles(t, dir)
	lake := filepath.Join(dir, "lake")
	do := onLake(t, lake)
	captions := map[string]string{}
	for _, id := range []string{"nat_s01", "nat_s02", "nat_s03", "ecom_s01"} {
		captions[id+".png"] = "A picture of " + id
	}
	for _, captioner := range []string{"small", "large"} {
		content := string(must.Get(json.Marshal(captions))(t))
		must.Write(t, filepath.Join(dir, captioner+".json"), strings.ReplaceAll(content, "A pic", "A "+captioner+" pic"))
	}
	do(exitOK, "ingest", "--domain", "Photos", pictures)
	for _, captioner := range []string{"small", "large"} {
		do(exitOK, "ingest", "--captioner", captioner, "--prompt", "Simple", filepath.Join(dir, captioner+".json"))
	}
	expect.Contains(t, do(exitFailure, "arena", "vote", "--port", "0"),
		"the lake has no battle of caparena to vote on\n"+
			"Try: make battles of the lake's captions with: captionlake arena pair")
	do(exitOK, "arena", "pair", "--prompt", "Simple")
	do(exitUsage, "arena", "vote", "--overlap", "6")

	t.Setenv(web.TokenVariable, "short")
	expect.Contains(t, do(exitFailure, "arena", "vote", "--port", "0"),
		"CAPTIONLAKE_TOKEN is shorter than 16 characters")
	t.Setenv(web.TokenVariable, "a token with & in it")

	s := startPage(t, "arena", "vote", "--lake", lake, "--overlap", "0")
	if !strings.HasSuffix(s.address, "/?token=a+token+with+%26+in+it") {
		t.Errorf("address %s", s.address)
	}
	expect.Contains(t, s.said, "4 battles; 0 of 4 votes are in")
	do(exitLocked, "arena", "vote", "--port", "0")
	s.cast() // at once: such votes are stored, and none of them is in
	var got pageSession
	s.stop(os.Interrupt, &got)
	expect.Equal(t, fmt.Sprint(got.Rows, got.Made, got.Items), "1 0 4")
	s = startPage(t, "arena", "vote", "--lake", lake, "--overlap", "0")
	s.cast()
	must.Succeed(t, s.Process.Kill())
	_ = s.Wait() // It says that it was killed.
	s = startPage(t, "arena", "vote", "--lake", lake, "--overlap", "0")
	expect.Contains(t, s.said, "1 votes that a killed process had stored are rows now", "0 of 4 votes are in")
	s.cast()
	s.stop(syscall.SIGTERM, &got)
	expect.Equal(t, fmt.Sprint(got.Rows, got.Made), "1 0")
	expect.Equal(t, do(exitOK, "sql", "--format", "csv",
		"select judge, judge_type, protocol, provenance, count(*) as n from votes group by all"),
		"judge,judge_type,protocol,provenance,n\nAda,human,caparena/vote,measured,3\n")

	expect.Contains(t, do(exitFailure, "arena", "vote", "--port", "0", "--next"), "captionlake analyze")
	if os.Getenv("CAPTIONLAKE_SLOW") == "" {
		return // All marts take seconds.
	}
	do(exitOK, "analyze", "-q")
	s = startPage(t, "arena", "vote", "--lake", lake, "--next", "--overlap", "0")
	s.cast()
	s.stop(os.Interrupt, &got)
	expect.Equal(t, got.Rows, 1)
}
