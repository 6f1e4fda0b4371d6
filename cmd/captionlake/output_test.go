package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// No file's name can send control characters to a terminal, whatever is printed, to either stream.
func TestNamesOnATerminal(t *testing.T) {
	const name = "a\x1b]0;pwned\x07b"
	lake := laketest.New(t)
	for _, file := range []string{"marts/" + name + ".parquet", "captions/" + name + ".parquet",
		"journal/" + name + ".jsonl", "journal/" + name + ".1.cut"} {
		must.Succeed(t, os.MkdirAll(filepath.Dir(lake.Path(file)), 0o777))
		must.Write(t, lake.Path(file), "{}\n")
	}
	picture := filepath.Join(t.TempDir(), name+".png")
	must.Write(t, picture, "no picture")
	for _, args := range [][]string{
		{"sql", "select count(*) from captions"}, {"sql", "--format", "csv", "select '" + name + "' as c"}, {"sql",
			"from '" + name + "'"},
		{"show", "tables", name}, {"status"}, {"status", "--verify"}, {"doctor", "--repair"}, {"remove", name},
		{"ingest", "--domain", "D", picture},
		{"run", "--reader", name}, {"show", name}, {name},
	} {
		args = append([]string{"--lake", lake.Dir()}, args...)
		text := screen(t, args...)
		if !strings.Contains(text, "pwned") && args[2] != "run" && args[2] != "doctor" ||
			strings.Contains(text, "\x1b]") || strings.Contains(text, "\x07") {
			t.Errorf("captionlake %q: %q", args, text)
		}
		var out, messages bytes.Buffer
		run(args, strings.NewReader(""), &out, &messages)
		if strings.Contains(messages.String(), "\x1b") {
			t.Errorf("captionlake %q: %q", args, messages.String())
		}
	}
}
