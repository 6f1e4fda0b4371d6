package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra/doc"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// Each command has a page of the manual. CAPTIONLAKE_MAN names a folder that gets them, for a release.
func TestManPages(t *testing.T) {
	folder := os.Getenv("CAPTIONLAKE_MAN")
	if folder == "" {
		folder = t.TempDir()
	}
	a := &app{stdin: strings.NewReader(""), stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	root := a.root()
	root.DisableAutoGenTag = true
	must.Succeed(t, os.MkdirAll(folder, 0o777))
	must.Succeed(t, doc.GenManTree(root, &doc.GenManHeader{Source: "captionlake " + data.Version, Manual: "captionlake"}, folder))
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			page, err := os.ReadFile(filepath.Join(folder, "captionlake-"+c.Name()+".1"))
			must.Succeed(t, err)
			if !bytes.Contains(page, []byte(".SH SYNOPSIS")) {
				t.Errorf("the page of %s is\n%.300s", c.Name(), page)
			}
		}
	}
}
