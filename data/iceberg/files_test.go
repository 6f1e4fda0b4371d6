package iceberg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/iceberg-go/io"
	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/remote"
)

// What was pushed is registered under the names that it has there, whichever lake has the bytes: the table follows the commits, and a lake that
// has more than the last one is told to push.
func TestRegisterWhatWasPushed(t *testing.T) {
	t.Parallel()
	l, other, behind := laketest.New(t), laketest.New(t), laketest.New(t)
	write(t, l, data.Answers, "one", answer("a", 1), answer("a", 2))
	write(t, other, data.Answers, "two", answer("b", 3))
	address := remote.Address{Bucket: "bucket", Prefix: "lakes/one"}
	commit := map[string]data.UnitFiles{}
	push := func(lake *data.Lake) {
		all, err := lake.Inventory()
		must.Succeed(t, err)
		for _, u := range all {
			commit[u.Unit] = u
		}
	}
	push(l)
	push(other)
	o := Options{Tables: []string{"answers"}, Files: address, Catalog: Catalog{Warehouse: "file://" + t.TempDir()}}
	root := t.TempDir()
	opened, err := o.open(t.Context(), root)
	must.Succeed(t, err)
	defer opened.close()
	stored := stored{t, address.String() + "/", []*data.Lake{l, other}, &atomic.Int64{}}
	register := func(lake *data.Lake) ([]Registered, error) {
		at, err := pushedTo(address, commit, lake, func() (io.IO, error) { return stored, nil })
		if err != nil {
			return nil, err
		}
		return registerAt(t.Context(), opened, at, o)
	}
	all, err := register(l)
	if err != nil || all[0].Added != 2 || all[0].Rows != 3 || stored.read.Load() == 0 {
		t.Fatalf("registered %+v: %v, %d reads", all, err, stored.read.Load())
	}
	stored.read.Store(0)
	for _, lake := range []*data.Lake{l, other, behind} {
		if again, err := register(lake); err != nil || again[0].Changed() || stored.read.Load() > 0 {
			t.Errorf("registered again %+v: %v, %d reads", again, err, stored.read.Load())
		}
	}
	located := func() (names []string) {
		tasks, err := loaded(t, opened, "answers").Scan().PlanFiles(t.Context())
		must.Succeed(t, err)
		for _, task := range tasks {
			names = append(names, task.File.FilePath())
		}
		slices.Sort(names)
		return names
	}
	pushedNames := func() (names []string) {
		for unit, u := range commit {
			names = append(names, address.String()+"/"+remote.ObjectName("answers", unit, u.Tables["answers"]))
		}
		slices.Sort(names)
		return names
	}
	if diff := cmp.Diff(pushedNames(), located()); diff != "" {
		t.Errorf("the pushed names (-) and those of the catalog (+): %s", diff)
	}
	if loaded(t, opened, "answers").Properties()["gc.enabled"] != "false" {
		t.Error("an engine may delete the pushed files")
	}

	write(t, l, data.Answers, "one", answer("a", 4))
	write(t, l, data.Answers, "three", answer("c", 5))
	if _, err := register(l); !errors.Is(err, ErrNotPushed) || !strings.Contains(err.Error(), ": test-one-") || !strings.Contains(err.Error(), " and 1 more") {
		t.Errorf("of a lake that is ahead the error is %v", err)
	}
	push(l)
	delete(commit, data.Unit{Stage: "test", Name: "two"}.FileStem())
	stored.read.Store(0)
	all, err = register(l)
	if err != nil || all[0].Added != 1 || all[0].Replaced != 1 || all[0].Removed != 1 || all[0].Rows != 2 || stored.read.Load() > 0 {
		t.Errorf("registered %+v: %v, %d reads", all, err, stored.read.Load())
	}
	if diff := cmp.Diff(pushedNames(), located()); diff != "" {
		t.Errorf("the pushed names (-) and those of the catalog (+): %s", diff)
	}
	o.Expire = time.Nanosecond
	if all, err := register(l); err != nil || all[0].Expired != 1 || loaded(t, opened, "answers").Properties()["gc.enabled"] != "false" {
		t.Errorf("with old snapshots given up: %+v, %v", all, err)
	}
	// The lake's own files are another table's.
	if _, err := Register(t.Context(), l, Options{Tables: o.Tables, Catalog: Catalog{URI: sqlitePrefix + filepath.Join(root, catalogFile)}}); err == nil || !strings.Contains(err.Error(), "did not register") {
		t.Errorf("of other files the error is %v", err)
	}
}

// stored is object storage to which lakes were pushed. What deletes fails.
type stored struct {
	t     *testing.T
	base  string
	lakes []*data.Lake
	read  *atomic.Int64
}

func (s stored) Open(location string) (io.File, error) {
	s.read.Add(1)
	table, file := path.Split(strings.TrimPrefix(location, s.base))
	unit := remote.UnitOf(path.Clean(table), table+file)
	for _, l := range s.lakes {
		if f, err := os.Open(l.Path(table + unit + ".parquet")); err == nil {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", location, fs.ErrNotExist)
}

func (s stored) Remove(location string) error {
	s.t.Errorf("%s is removed", location)
	return nil
}
