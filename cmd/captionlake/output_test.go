package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// The name of no file reaches a terminal as it is, whatever is printed and wherever it goes.
func TestNamesOnATerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a terminal of Unix")
	}
	const name = "a\x1b]0;pwned\x07b"
	lake := laketest.New(t)
	for _, file := range []string{"marts/" + name + ".parquet", "captions/" + name + ".parquet", "journal/" + name + ".jsonl", "journal/" + name + ".1.cut"} {
		must.Succeed(t, os.MkdirAll(filepath.Dir(lake.Path(file)), 0o777))
		must.Succeed(t, os.WriteFile(lake.Path(file), []byte("{}\n"), 0o666))
	}
	picture := filepath.Join(t.TempDir(), name+".png")
	must.Succeed(t, os.WriteFile(picture, []byte("no picture"), 0o666))
	for _, args := range [][]string{
		{"sql", "select count(*) from captions"}, {"sql", "--format", "csv", "select '" + name + "' as c"}, {"sql", "from '" + name + "'"},
		{"show", "tables", name}, {"status"}, {"status", "--verify"}, {"doctor", "--repair"}, {"remove", name}, {"ingest", "--domain", "D", picture},
		{"run", "--reader", name}, {"show", name}, {name},
	} {
		screen, terminal, err := pty.Open()
		must.Succeed(t, err)
		seen := make(chan string)
		go func() {
			var b bytes.Buffer
			_, _ = io.Copy(&b, screen) // It ends with the error that a terminal gives which is closed.
			seen <- b.String()
		}()
		run(append([]string{"--lake", lake.Dir()}, args...), strings.NewReader(""), terminal, terminal)
		must.Succeed(t, terminal.Close())
		text := <-seen
		_ = screen.Close()
		if !strings.Contains(text, "pwned") && args[0] != "run" && args[0] != "doctor" || strings.Contains(text, "\x1b]") || strings.Contains(text, "\x07") {
			t.Errorf("captionlake %q: %q", args, text)
		}
		var out, messages bytes.Buffer
		run(append([]string{"--lake", lake.Dir()}, args...), strings.NewReader(""), &out, &messages)
		if strings.Contains(messages.String(), "\x1b") {
			t.Errorf("captionlake %q: %q", args, messages.String())
		}
	}
}
