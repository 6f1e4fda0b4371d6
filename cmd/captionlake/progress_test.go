package main

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/captionlake/captionlake/data/must"
)

// Long work shows how much is done of how much, the rate and the time left on a terminal, and nothing beside JSON.
func TestProgressOnATerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a terminal of Unix")
	}
	shown := func(args ...string) string {
		t.Helper()
		screen, terminal, err := pty.Open()
		must.Succeed(t, err)
		must.Succeed(t, pty.Setsize(screen, &pty.Winsize{Rows: 24, Cols: 100}))
		seen := make(chan string)
		go func() {
			var b bytes.Buffer
			_, _ = io.Copy(&b, screen) // It ends with the error that a terminal gives which is closed.
			seen <- controls.ReplaceAllString(b.String(), "\n")
		}()
		code := run(args, strings.NewReader(""), io.Discard, terminal)
		if err := terminal.Close(); err != nil {
			t.Error(err)
		}
		text := <-seen
		if _ = screen.Close(); code != exitOK {
			t.Errorf("captionlake %s: exit code %d\n%s", strings.Join(args, " "), code, text)
		}
		return text
	}
	dir := t.TempDir()
	wanted := regexp.MustCompile(`[0-9]+ of [0-9]+, [0-9]+/s, [0-9ms]+ left`)
	if text := shown("--lake", filepath.Join(dir, "a"), "simulate", "--scale", "0.1"); !wanted.MatchString(text) {
		t.Errorf("simulate shows\n%s", text)
	}
	if text := shown("--lake", filepath.Join(dir, "b"), "--json", "simulate", "--scale", "0.01", "--prompt", "Simple"); strings.Contains(text, "left") {
		t.Errorf("beside JSON simulate shows\n%s", text)
	}
}
