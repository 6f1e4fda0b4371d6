// Package must ends a test in one line if a step fails.
//
// Only tests import it. It knows nothing of lakes, so that the tests of package data can use it
// too.
package must

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

// Succeed ends the test if err is not nil, as t.Fatal(err) does at the place of the call.
func Succeed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Slow skips a test that takes seconds, unless CAPTIONLAKE_SLOW is set, as in CI. Faster tests show
// the same behaviour.
func Slow(t testing.TB) {
	t.Helper()
	if os.Getenv("CAPTIONLAKE_SLOW") == "" {
		t.Skip("slow; set CAPTIONLAKE_SLOW=1")
	}
}

// Get is the value of a call that must succeed: must.Get(os.ReadFile(path))(t) ends the test if
// there is an error.
func Get[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Succeed(t, err)
		return value
	}
}

// Read is the content of a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	return Get(os.ReadFile(path))(t)
}

// Shared is the path of a released file or folder, which is never part of the module. The file is
// in the folder that CAPTIONLAKE_SHARED names, or else in the folder shared beside the module. If
// the file is missing, the test is skipped.
func Shared(t testing.TB, name string) string {
	t.Helper()
	_, source, _, _ := runtime.Caller(0)
	module := filepath.Join(filepath.Dir(source), "..", "..")
	folder := cmp.Or(os.Getenv("CAPTIONLAKE_SHARED"), filepath.Join(module, "..", "shared"))
	path := Get(filepath.Abs(filepath.Join(folder, filepath.FromSlash(name))))(t)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is absent; set CAPTIONLAKE_SHARED to the folder that holds %s", path, name)
	}
	return path
}

// Write writes a file.
func Write[T string | []byte](t testing.TB, path string, content T) {
	t.Helper()
	Succeed(t, os.WriteFile(path, []byte(content), 0o666))
}

// Equal ends the test if got is not want. tried says what gave the value. Equal also ends a test
// that failed before, for instance in a check of package expect.
func Equal[T any](t testing.TB, got, want T, tried ...any) {
	t.Helper()
	expect.Equal(t, got, want, tried...)
	if t.Failed() {
		t.FailNow()
	}
}
