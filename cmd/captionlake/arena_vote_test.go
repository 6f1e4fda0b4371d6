package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// votingServer is the command while it serves.
type votingServer struct {
	*exec.Cmd
	t       *testing.T
	address string
	said    string // before the address
	stdout  bytes.Buffer
}

// startVoting starts the command on a free port and waits for its address.
func startVoting(t *testing.T, args ...string) *votingServer {
	t.Helper()
	binary, err := exec.LookPath("captionlake") // testscript.Main puts the program on the path.
	if err != nil {
		t.Fatal(err)
	}
	s := &votingServer{t: t, Cmd: exec.Command(binary, append([]string{"arena", "vote", "--port", "0", "--json"}, args...)...)}
	s.Stdout = &s.stdout
	printed, err := s.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Process.Kill() }) // A test that failed has left it.
	lines := bufio.NewReader(printed)
	for s.address == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("no address: %v: %s%s", err, s.said, line)
		}
		s.said += line
		if at, found := strings.CutPrefix(line, "Open "); found {
			s.address = strings.TrimSpace(at)
		}
	}
	return s
}

// stop ends the command as a service manager or Ctrl-C would, and returns its result.
func (s *votingServer) stop(signal os.Signal) (result votingSession) {
	s.t.Helper()
	if err := s.Process.Signal(signal); err != nil {
		s.t.Fatal(err)
	}
	if err := s.Wait(); err != nil {
		s.t.Fatalf("%v after %v", err, signal)
	}
	if err := json.Unmarshal(s.stdout.Bytes(), &result); err != nil {
		s.t.Fatalf("%v: %s", err, s.stdout.String())
	}
	return result
}

// cast votes on n battles.
func (s *votingServer) cast(n int) {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	page := func(response *http.Response, err error) string {
		s.t.Helper()
		if err != nil {
			s.t.Fatal(err)
		}
		content, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK {
			s.t.Fatalf("%s: %v: %s", response.Status, err, content)
		}
		return string(content)
	}
	page(client.Get(s.address))
	base, _, _ := strings.Cut(s.address, "?")
	shown := page(client.Get(base + "vote?as=Ada"))
	field := regexp.MustCompile(`name="(token|battle|position)" value="([^"]*)"`)
	for range n {
		form := url.Values{"as": {"Ada"}, "choice": {"first"}}
		for _, f := range field.FindAllStringSubmatch(shown, -1) {
			form.Set(f[1], f[2])
		}
		shown = page(client.PostForm(base+"vote", form))
		if !strings.Contains(shown, "Stored: <b>Caption A is better</b>") {
			s.t.Fatalf("not stored: %s", shown)
		}
	}
}

// From pictures and captions to battles, votes and the next pairs: stopped by both signals, and killed.
func TestArenaVote(t *testing.T) {
	dir := t.TempDir()
	_, pictures := sampleFiles(t, dir)
	lake := filepath.Join(dir, "lake")
	do := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if code := run(append(args, "--lake", lake), strings.NewReader(""), &out, &out); code != want {
			t.Fatalf("%v: exit code %d: %s", args, code, &out)
		}
		return out.String()
	}
	captions := map[string]string{}
	for _, id := range []string{"nat_s01", "nat_s02", "nat_s03", "ecom_s01"} {
		captions[id+".png"] = "A picture of " + id
	}
	for _, captioner := range []string{"small", "large"} {
		content, err := json.Marshal(captions)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, captioner+".json")
		if err := os.WriteFile(path, bytes.ReplaceAll(content, []byte("A picture"), []byte("A "+captioner+" picture")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	do(exitOK, "ingest", "--domain", "Photos", pictures)
	for _, captioner := range []string{"small", "large"} {
		do(exitOK, "ingest", "--captioner", captioner, "--prompt", "Simple", filepath.Join(dir, captioner+".json"))
	}
	if text := do(exitFailure, "arena", "vote", "--port", "0"); !strings.Contains(text, "the lake has no battle of caparena to vote on\nTry: make battles of the lake's captions with: captionlake arena pair") {
		t.Errorf("without battles: %s", text)
	}
	do(exitOK, "arena", "pair", "--prompt", "Simple")
	for _, wrong := range [][]string{{"--overlap", "6"}, {"--claim", "1s"}, {"--order", "best"}} {
		do(exitUsage, append([]string{"arena", "vote"}, wrong...)...)
	}

	t.Setenv(tokenVariable, "short")
	if text := do(exitFailure, "arena", "vote", "--port", "0"); !strings.Contains(text, "CAPTIONLAKE_TOKEN is shorter than 16 characters") {
		t.Errorf("a short token: %s", text)
	}
	t.Setenv(tokenVariable, "a token with & in it")

	s := startVoting(t, "--lake", lake, "--overlap", "0")
	if !strings.HasSuffix(s.address, "/?token=a+token+with+%26+in+it") {
		t.Errorf("address %s", s.address)
	}
	if !strings.Contains(s.said, "4 battles, 0 of them for two annotators; 0 of 4 votes are in") {
		t.Errorf("said %s", s.said)
	}
	do(exitLocked, "arena", "vote", "--port", "0")
	s.cast(1)
	if got := s.stop(os.Interrupt); got.Rows != 1 || got.Made != 1 || got.Battles != 4 {
		t.Errorf("result %+v", got)
	}
	s = startVoting(t, "--lake", lake, "--overlap", "0")
	s.cast(1)
	if err := s.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.Wait() // It says that it was killed.
	s = startVoting(t, "--lake", lake, "--overlap", "0")
	if !strings.Contains(s.said, "1 votes that a killed process had stored are rows now") || !strings.Contains(s.said, "2 of 4 votes are in") {
		t.Errorf("said %s", s.said)
	}
	s.cast(1)
	if got := s.stop(syscall.SIGTERM); got.Rows != 1 || got.Made != 3 {
		t.Errorf("result %+v", got)
	}
	if text := do(exitOK, "sql", "--format", "csv", "select judge, judge_type, protocol, provenance, count(*) as n from votes group by all"); text != "judge,judge_type,protocol,provenance,n\nAda,human,caparena/vote,measured,3\n" {
		t.Errorf("votes: %s", text)
	}

	if text := do(exitFailure, "arena", "vote", "--port", "0", "--order", "next"); !strings.Contains(text, "captionlake analyze") {
		t.Errorf("without marts: %s", text)
	}
	if os.Getenv("CAPTIONLAKE_SLOW") == "" {
		return // All marts take seconds.
	}
	do(exitOK, "analyze", "-q")
	s = startVoting(t, "--lake", lake, "--order", "next", "--overlap", "0")
	s.cast(1)
	if got := s.stop(os.Interrupt); got.Made != 4 {
		t.Errorf("result %+v", got)
	}
}
