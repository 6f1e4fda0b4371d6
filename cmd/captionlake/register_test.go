package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What register puts into a catalog reads, in other engines, as the lake's own files do: every row, every column, lists included.
func TestRegisteredTablesAreRead(t *testing.T) {
	if os.Getenv("CAPTIONLAKE_SLOW") == "" {
		t.Skip("installs pyiceberg and Spark from PyPI and Iceberg's runtime from Maven; set CAPTIONLAKE_SLOW=1 to run it")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	binary, err := exec.LookPath("captionlake") // testscript.Main puts the program on the path.
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, engine := range []string{"pyiceberg", "spark"} {
		t.Run(engine, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), python, filepath.Join("..", "..", "data", "iceberg", "check.py"), "--program", binary, "--folder", folder, "--engine", engine)
			cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() == 3 {
				t.Skipf("%s", out)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}
