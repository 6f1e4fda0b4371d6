package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

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

// From pictures and captions to battles, votes and the next pairs: stopped by both signals, and killed.
func TestArenaVote(t *testing.T) {
	dir := t.TempDir()
	_, pictures := sampleFiles(t, dir)
	lake := filepath.Join(dir, "lake")
	do := func(want int, args ...string) string {
		t.Helper()
		out, errs := exits(t, want, append(args, "--lake", lake)...)
		return out + errs
	}
	captions := map[string]string{}
	for _, id := range []string{"nat_s01", "nat_s02", "nat_s03", "ecom_s01"} {
		captions[id+".png"] = "A picture of " + id
	}
	for _, captioner := range []string{"small", "large"} {
		content := must.Get(json.Marshal(captions))(t)
		path := filepath.Join(dir, captioner+".json")
		must.Succeed(t, os.WriteFile(path,
			bytes.ReplaceAll(content, []byte("A picture"), []byte("A "+captioner+" picture")), 0o666))
	}
	do(exitOK, "ingest", "--domain", "Photos", pictures)
	for _, captioner := range []string{"small", "large"} {
		do(exitOK, "ingest", "--captioner", captioner, "--prompt", "Simple", filepath.Join(dir, captioner+".json"))
	}
	if text := do(exitFailure, "arena", "vote", "--port", "0"); !strings.Contains(text,
		"the lake has no battle of caparena to vote on\nTry: make battles of the lake's captions with: captionlake arena pair") {
		t.Errorf("without battles: %s", text)
	}
	do(exitOK, "arena", "pair", "--prompt", "Simple")
	do(exitUsage, "arena", "vote", "--overlap", "6")

	t.Setenv(web.TokenVariable, "short")
	if text := do(exitFailure, "arena", "vote", "--port", "0"); !strings.Contains(text,
		"CAPTIONLAKE_TOKEN is shorter than 16 characters") {
		t.Errorf("a short token: %s", text)
	}
	t.Setenv(web.TokenVariable, "a token with & in it")

	s := startPage(t, "arena", "vote", "--lake", lake, "--overlap", "0")
	if !strings.HasSuffix(s.address, "/?token=a+token+with+%26+in+it") {
		t.Errorf("address %s", s.address)
	}
	if !strings.Contains(s.said, "4 battles; 0 of 4 votes are in") {
		t.Errorf("said %s", s.said)
	}
	do(exitLocked, "arena", "vote", "--port", "0")
	s.cast() // at once: such votes are stored, and none of them is in
	var got pageSession
	if s.stop(os.Interrupt, &got); got.Rows != 1 || got.Made != 0 || got.Items != 4 {
		t.Errorf("result %+v", got)
	}
	s = startPage(t, "arena", "vote", "--lake", lake, "--overlap", "0")
	s.cast()
	must.Succeed(t, s.Process.Kill())
	_ = s.Wait() // It says that it was killed.
	s = startPage(t, "arena", "vote", "--lake", lake, "--overlap", "0")
	if !strings.Contains(s.said, "1 votes that a killed process had stored are rows now") ||
		!strings.Contains(s.said, "0 of 4 votes are in") {
		t.Errorf("said %s", s.said)
	}
	s.cast()
	if s.stop(syscall.SIGTERM, &got); got.Rows != 1 || got.Made != 0 {
		t.Errorf("result %+v", got)
	}
	if text := do(exitOK, "sql", "--format", "csv",
		"select judge, judge_type, protocol, provenance, count(*) as n from votes group by all"); text != "judge,judge_type,protocol,provenance,n\nAda,human,caparena/vote,measured,3\n" {
		t.Errorf("votes: %s", text)
	}

	if text := do(exitFailure, "arena", "vote", "--port", "0", "--next"); !strings.Contains(text,
		"captionlake analyze") {
		t.Errorf("without marts: %s", text)
	}
	if os.Getenv("CAPTIONLAKE_SLOW") == "" {
		return // All marts take seconds.
	}
	do(exitOK, "analyze", "-q")
	s = startPage(t, "arena", "vote", "--lake", lake, "--next", "--overlap", "0")
	s.cast()
	if s.stop(os.Interrupt, &got); got.Rows != 1 {
		t.Errorf("result %+v", got)
	}
}
