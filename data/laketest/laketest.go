// Package laketest has what tests of several rooms share: lakes to write to, and the switch for
// slow tests. Only tests import it.
package laketest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// Reader answers the queries of the lakes that New and At make; nil if a room's tests make no
// queries.
var Reader data.Reader

// New makes a lake that is open for writing until the test ends.
func New(t testing.TB) *data.Lake {
	t.Helper()
	return At(t, filepath.Join(t.TempDir(), "a lake"))
}

// At is New in a folder of the test's choice.
func At(t testing.TB, dir string) *data.Lake {
	t.Helper()
	lake := must.Get(data.Waiter{Reader: Reader}.Create(dir, "test"))(t)
	t.Cleanup(func() { must.Succeed(t, lake.Close()) })
	return lake
}

// Commit writes a unit.
func Commit(t testing.TB, lake *data.Lake, name string, write func(*data.Tx) error) {
	t.Helper()
	u := data.Unit{Stage: "test", Name: name, Fingerprint: name, Provenance: data.ProvenanceMeasured}
	tx := must.Get(lake.Begin(u))(t)
	defer tx.Abort()
	must.Succeed(t, write(tx))
	must.Succeed(t, tx.Commit())
}

// Put writes rows of a table as a unit.
func Put[T any](t testing.TB, lake *data.Lake, table data.Table[T], name string, rows ...T) {
	t.Helper()
	Commit(t, lake, name, func(tx *data.Tx) error { return must.Get(data.NewRowWriter(tx, table))(t).Write(rows...) })
}

// All returns the rows of a table, unit by unit.
func All[T any](t testing.TB, lake *data.Lake, table data.Table[T]) (all []T) {
	t.Helper()
	for row, err := range data.Scan(lake, table) {
		must.Succeed(t, err)
		all = append(all, row)
	}
	return all
}

// Hint is expect.Failure for an error with a hint. The hint must contain the text next.
func Hint(t testing.TB, err error, next string, want ...any) {
	t.Helper()
	expect.Failure(t, err, want...)
	hint := new(data.HintError) // It stays empty if err has no hint.
	if errors.As(err, &hint); hint.Err == nil || !strings.Contains(hint.Hint, next) {
		t.Errorf("the hint of %v is %q, want %q", err, hint.Hint, next)
	}
}

// Slow skips a slow test unless CAPTIONLAKE_SLOW is set. does says what the test does.
func Slow(t testing.TB, does string) {
	t.Helper()
	t.Log(does)
	must.Slow(t)
}

// Figures reports whether a simulation should have the size behind the figures in the documents
// (CAPTIONLAKE_SLOW=figures). A simulation of this size takes minutes and tests nothing more.
func Figures() bool { return os.Getenv("CAPTIONLAKE_SLOW") == "figures" }
