package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/browser"
)

// pageServer is a command while it serves a page.
type pageServer struct {
	*exec.Cmd
	t       *testing.T
	address string
	said    string // before the address
	stdout  bytes.Buffer
}

// startPage starts a command that serves a page, on a free port, and waits for its address.
func startPage(t *testing.T, args ...string) *pageServer {
	t.Helper()
	binary, err := exec.LookPath("captionlake") // testscript.Main puts the program on the path.
	must.Succeed(t, err)
	s := &pageServer{t: t, Cmd: exec.Command(binary, append(args, "--port", "0", "--json")...)}
	s.Stdout = &s.stdout
	printed, err := s.StderrPipe()
	must.Succeed(t, err)
	must.Succeed(t, s.Start())
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

// visitor opens the page.
func (s *pageServer) visitor(name string) *browser.Visitor {
	s.t.Helper()
	base, token, _ := strings.Cut(s.address, "/?token=")
	return browser.NewVisitor(s.t, base, token, name)
}

// stop ends the command as a service manager or Ctrl-C would, and reads its result.
func (s *pageServer) stop(signal os.Signal, result any) {
	s.t.Helper()
	must.Succeed(s.t, s.Process.Signal(signal))
	if err := s.Wait(); err != nil {
		s.t.Fatalf("%v after %v", err, signal)
	}
	if err := json.Unmarshal(s.stdout.Bytes(), result); err != nil {
		s.t.Fatalf("%v: %s", err, s.stdout.String())
	}
}
