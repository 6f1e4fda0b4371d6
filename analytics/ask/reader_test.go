package ask

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func openReader(t *testing.T, lake *data.Lake) *Reader {
	t.Helper()
	r := must.Get(OpenReader(t.Context(), lake, engine.Options{}))(t)
	t.Cleanup(func() {
		must.Succeed(t, r.Close())
	})
	return r
}

// A session can give Parquet more than once.
func TestParquetAgain(t *testing.T) {
	s := must.Get(OpenReader(t.Context(), laketest.New(t), engine.Options{}))(t)
	for range 2 {
		var out bytes.Buffer
		if _, err := s.Query(t.Context(), "select 1 as n", Options{Format: "parquet"}, &out); err != nil ||
			!strings.HasPrefix(out.String(), "PAR1") {
			t.Errorf("%.10q %v", out.String(), err)
		}
	}
	must.Succeed(t, s.Close())
}

func TestReaderRefuses(t *testing.T) {
	r := openReader(t, sampleLake(t))
	if _, err := r.Marts(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "the lake holds no marts") {
		t.Errorf("a lake that was not analyzed gives %v", err)
	}
	if _, err := r.Rows(t.Context(), "none", "from nothing"); err == nil ||
		!strings.Contains(err.Error(), "Table with name nothing does not exist") {
		t.Errorf("a table that there is not gives %v", err)
	}
	stop := errors.New("stop")
	if err := Read(t.Context(), sampleLake(t), "from answers", nil,
		func(arrow.RecordBatch) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the error of who takes the rows comes back as %v", err)
	}
}

// Questions that come side by side are all answered.
func TestReaderAnswersSideBySide(t *testing.T) {
	lake := laketest.New(t)
	laketest.Put(t, lake, data.Answers, "a", answer("m", "Natural", "q1"))
	r := openReader(t, lake)
	var asked errgroup.Group
	for range 3 {
		asked.Go(func() error {
			counted, err := r.Rows(t.Context(), "counted", "select count(*) as n from answers")
			if err == nil && fmt.Sprint(counted.Values("n")...) != "1" {
				err = fmt.Errorf("%v answers", counted.Values("n"))
			}
			return err
		})
	}
	must.Succeed(t, asked.Wait())
}

// A table may lose its files between two questions: the views are then made anew.
func TestReaderLivesWithRemovals(t *testing.T) {
	lake := laketest.New(t)
	laketest.Put(t, lake, data.Answers, "a", answer("m", "Natural", "q1"))
	r := must.Get(OpenReader(t.Context(), lake, engine.Options{}))(t)
	defer r.Close()
	for _, want := range []string{"1", "0"} {
		counted := must.Get(r.Rows(t.Context(), "counted", "select count(*) as n from answers"))(t)
		if got := fmt.Sprint(counted.Values("n")...); got != want {
			t.Fatalf("%s answers, want %s", got, want)
		}
		for run, err := range data.Scan(lake, data.Runs) {
			if err == nil {
				err = lake.Remove(run.Unit)
			}
			must.Succeed(t, err)
		}
	}
}

// Questions are answered while another process adds, replaces and removes units as fast as it can.
func TestQueriesDuringRemovals(t *testing.T) {
	questions := 3
	if os.Getenv("CAPTIONLAKE_SLOW") != "" {
		questions = 60
	}
	lake := laketest.New(t)
	laketest.Put(t, lake, data.Answers, "kept", answer("m", "Natural", "kept"))
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			unit := data.Unit{Stage: "test", Name: fmt.Sprint("coming and going ", n%4), Fingerprint: fmt.Sprint(n),
				Provenance: data.ProvenanceSimulated}
			err := func() error {
				tx, err := lake.Begin(unit)
				if err != nil {
					return err
				}
				defer tx.Abort()
				w, err := data.NewRowWriter(tx, data.Answers)
				if err != nil {
					return err
				}
				if err := w.Write(answer("m", "Natural", fmt.Sprint(n%4))); err != nil {
					return err
				}
				return tx.Commit()
			}()
			if err == nil && n%2 == 1 {
				err = lake.Remove(unit.FileStem())
			}
			if err != nil {
				stopped <- err
				return
			}
		}
	}()
	failed := 0
	for range questions {
		r := must.Get(data.Open(lake.Dir()))(t)
		if _, err := Query(t.Context(), r,
			"select count(*), max(question_id), (select count(*) from runs) from answers", Options{Format: "csv"},
			io.Discard); err != nil {
			t.Error(err)
			failed++
		}
		for _, err := range data.Scan(r, data.Answers) {
			if err != nil {
				t.Error(err)
				failed++
			}
		}
	}
	close(stop)
	must.Succeed(t, <-stopped)
	t.Logf("%d of %d failed", failed, questions)
}
