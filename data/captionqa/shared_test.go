package captionqa

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// readParity decodes a file of input–output pairs of the published behaviour. The pairs lie outside the repository:
// beside the module's root in ../shared, or where CAPTIONLAKE_SHARED says. The test is skipped without them.
func readParity(t *testing.T, name string, into any) {
	t.Helper()
	shared := os.Getenv("CAPTIONLAKE_SHARED")
	if shared == "" {
		shared = filepath.Join(moduleRoot(t), "..", "shared")
	}
	path := filepath.Join(shared, "parity", name)
	content, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("parity cases %s are absent; set CAPTIONLAKE_SHARED to the folder that holds parity/%s", path, name)
	}
	must.Succeed(t, err)
	if err := json.Unmarshal(content, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	must.Succeed(t, err)
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			t.Fatal("no go.mod above the test's folder")
		}
		folder = parent
	}
}
