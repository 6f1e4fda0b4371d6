package ingest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// within fails the test if f takes longer than a pipe that nobody writes to should let it.
func within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it hangs")
	}
}

// A pipe, a device and a socket are refused by name and passed over in folders, also when they have
// a picture's name.
func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"pipe.json", "pipe.png", "x.tar.gz", "LAKE"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip("no named pipes here:", err)
		}
	}
	socket := must.Get(net.Listen("unix", filepath.Join(dir, "s.json")))(t)
	defer socket.Close()
	must.Succeed(t, errors.Join(os.Symlink(filepath.Join(dir, "pipe.json"), filepath.Join(dir, "link.json")),
		os.WriteFile(filepath.Join(dir, "captions.json"), []byte(`{"nat_001": "A cat."}`), 0o600)))
	lake := laketest.New(t)
	for path, want := range map[string]string{
		filepath.Join(dir, "pipe.json"): "pipe.json: it is a named pipe, a socket or a device, not a file",
		filepath.Join(dir, "pipe.png"):  "pipe.png: it is a named pipe, a socket or a device, not a file",
		filepath.Join(dir, "link.json"): "link.json: it is a named pipe, a socket or a device, not a file",
		filepath.Join(dir, "s.json"):    "s.json: it is a named pipe, a socket or a device, not a file",
		"/dev/zero":                     "/dev/zero: it is a named pipe, a socket or a device, not a file",
	} {
		within(t, func() {
			_, _, err := loadPaths(t.Context(), lake, []string{path}, Options{})
			laketest.Hint(t, err, "", want)
		})
	}
	within(t, func() {
		results, skipped, err := loadPaths(t.Context(), lake, []string{dir}, Options{Captioner: "m", Prompt: "Simple"})
		if err != nil || len(results) != 1 || results[0].Rows["captions"] != 1 || len(skipped) != 6 {
			t.Errorf("%+v %v %v", results, skipped, err)
		}
	})
}

// When the context ends, loading stops between files, what was loaded stays, and no file is blamed.
func TestInterruptedLoading(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for id, name := range []string{"a.json", "b.json", "c.json"} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), fmt.Appendf(nil, `{"nat_00%d": "A cat."}`, id), 0o600))
	}
	lake := laketest.New(t)
	for reads := 1; ; reads++ {
		ctx := &countdown{Context: t.Context()}
		ctx.left.Store(int64(reads))
		results, _, err := loadPaths(ctx, lake,
			[]string{filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json"), filepath.Join(dir, "c.json")},
			Options{Captioner: "m", Prompt: "Simple"})
		if err == nil {
			if reads < 10 || len(results) != 3 {
				t.Errorf("loaded %d files after %d looks at the context", len(results), reads)
			}
			break
		}
		var faults *Faults
		if !errors.Is(err, context.Canceled) || errors.As(err, &faults) {
			t.Fatalf("interrupted after %d looks: %v", reads, err)
		}
	}
}

// countdown is a context that ends after it was asked so many times.
type countdown struct {
	context.Context
	left atomic.Int64 // files are read side by side
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}
