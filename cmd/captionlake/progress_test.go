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

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// Long work shows how much is done of how much, the rate and the time left on a terminal, and
// nothing beside JSON.
func TestProgressOnATerminal(t *testing.T) {
	dir := t.TempDir()
	wanted := regexp.MustCompile(`[0-9]+ of [0-9]+, [0-9]+/s, [0-9ms]+ left`)
	if text := screen(t, "--lake", filepath.Join(dir, "a"), "simulate", "--scale", "0.1"); !wanted.MatchString(text) {
		t.Errorf("simulate shows\n%s", text)
	}
	expect.Lacks(t, screen(t, "--lake", filepath.Join(dir, "b"), "--json", "simulate", "--scale", "0.01", "--prompt",
		"Simple"), "left")
}

// screen runs the program in this process and returns what it shows on a terminal of 100 columns,
// controls included.
func screen(t *testing.T, args ...string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a terminal of Unix")
	}
	screen, terminal, err := pty.Open()
	must.Succeed(t, err)
	must.Succeed(t, pty.Setsize(screen, &pty.Winsize{Rows: 24, Cols: 100}))
	seen := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, screen) // It ends with the error that a terminal gives which is closed.
		seen <- b.String()
	}()
	run(args, strings.NewReader(""), terminal, terminal)
	must.Succeed(t, terminal.Close())
	text := <-seen
	_ = screen.Close()
	return text
}
