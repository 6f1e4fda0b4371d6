package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// What a small or hostile file would take memory for is refused by name and place before the memory is taken.
func TestForeignFilesAreBounded(t *testing.T) {
	defer func(most int) { mostEntries = most }(mostEntries)
	mostEntries = 3
	for name, want := range map[string]struct{ content, says string }{
		"commas.csv":   {"model,benchmark,score\n" + strings.Repeat(",", mostRow+4096), "commas.csv: a row of more than 2097152 bytes"},
		"quoted.csv":   {"image,caption\na,\"" + strings.Repeat("\n,\"\",", mostRow/4), "quoted.csv: a row of more than 2097152 bytes"},
		"rows.csv":     {"image,caption\n" + strings.Repeat("a,b\n", 4), "rows.csv: more than 3 rows; split the file"},
		"keys.json":    {`{"a":"a","b":"b","c":"c","d":"d"}`, "keys.json:1:29: more than 3 entries"},
		"list.json":    {`[{"image":"a","caption":"a"},{},{},{}]`, "more than 3 entries"},
		"values.json":  {`{"a":[` + strings.Repeat("0,", mostValues+1) + `0]}`, "values in an entry: split the file"},
		"string.json":  {`{"a":"` + strings.Repeat("a", mostString) + `"}`, "string.json:1:6: a text of 16777218 bytes, and at most 16777216 are read"},
		"lines.jsonl":  {strings.Repeat(`{"image":"a","caption":"b"}`+"\n", 4), "lines.jsonl: more than 3 lines; split the file"},
		"at-most.json": {`{"a":"a","b":"b","c":"c"}`, ""},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		must.Succeed(t, os.WriteFile(path, []byte(want.content), 0o600))
		o := Options{Format: "captions", Captioner: "m", Prompt: "Simple", Domain: "Photos"}
		if name == "commas.csv" {
			o = Options{Format: "benchmark-scores"}
		}
		_, _, err := LoadPaths(t.Context(), laketest.New(t), []string{path}, o)
		var faults *Faults
		if want.says == "" && err != nil || want.says != "" && (!errors.As(err, &faults) || !strings.Contains(err.Error(), want.says)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"large.json", "large.png"} {
		path := filepath.Join(t.TempDir(), name)
		must.Succeed(t, os.WriteFile(path, drawnHead(name), 0o600))
		must.Succeed(t, os.Truncate(path, mostBytes+1))
		_, _, err := LoadPaths(t.Context(), laketest.New(t), []string{path}, Options{Captioner: "m", Prompt: "Simple", Domain: "Photos"})
		if want := fmt.Sprint("has ", mostBytes+1, " bytes"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func drawnHead(name string) []byte {
	if strings.HasSuffix(name, ".png") {
		return []byte("\x89PNG\r\n\x1a\n")
	}
	return []byte(`{"a": "b"`)
}

// The places of a text are told whatever is asked first.
func TestPlaces(t *testing.T) {
	r := newJSONReader([]byte("ab\n\ncd\n"), nil)
	r.line = 5
	for _, offset := range []int{0, 7, 2, 3, 4, 6, 5, 1} {
		before := r.text[:offset]
		if got, want := r.place(int64(offset)), (pos{5 + bytes.Count(before, []byte("\n")), offset - bytes.LastIndexByte(before, '\n')}); got != want {
			t.Errorf("%d is at %v, not %v", offset, got, want)
		}
	}
}

// A command that is interrupted stops within a file, however long the file is.
func TestInterruptedWithinAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse.csv")
	must.Succeed(t, os.WriteFile(path, []byte("model,benchmark,score\n"), 0o600))
	must.Succeed(t, os.Truncate(path, 1<<40))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	within(t, func() {
		_, _, err := LoadPaths(ctx, laketest.New(t), []string{path}, Options{Format: "benchmark-scores"})
		if !isOver(err) {
			t.Error(err)
		}
	})
}
