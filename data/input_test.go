package data

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

func TestReadInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip("this system makes no named pipes:", err)
	}
	if content, err := ReadInput(pipe, 8); err != nil || len(content) != 0 {
		t.Errorf("a pipe without a writer: %q, %v", content, err)
	}
	must.Succeed(t, os.WriteFile(file, []byte("12345678"), 0o600))
	if content, err := ReadInput(file, 8); err != nil || string(content) != "12345678" {
		t.Errorf("a file of the most bytes: %q, %v", content, err)
	}
	if _, err := ReadInput(file, 7); err == nil || !strings.Contains(err.Error(), "more than 7 bytes") {
		t.Errorf("a longer file: %v", err)
	}
}
