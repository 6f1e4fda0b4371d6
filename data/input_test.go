package data

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func TestReadInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip("this system makes no named pipes:", err)
	}
	expect.Equal(t, len(must.Get(ReadInput(pipe, 8))(t)), 0, "a pipe without a writer")
	must.Write(t, file, "12345678")
	expect.Equal(t, string(must.Get(ReadInput(file, 8))(t)), "12345678")
	expect.Refusal(ReadInput(file, 7))(t, "more than 7 bytes")
}
