package analytics

import (
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// A table may lose its files between two questions: the views are then made anew.
func TestReaderLivesWithRemovals(t *testing.T) {
	lake := laketest.New(t)
	addRows(t, lake, data.Answers, "a", answer("m", "Natural", "q1"))
	r, err := OpenReader(t.Context(), lake, EngineOptions{})
	must.Succeed(t, err)
	defer r.Close()
	for _, want := range []string{"1", "0"} {
		var got string
		err := r.Rows(t.Context(), "select count(*) as n from answers", func([]string) error { return nil },
			func(row []any) error { got = fmt.Sprint(row[0]); return nil })
		if err != nil || got != want {
			t.Fatalf("%s answers, want %s: %v", got, want, err)
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
	addRows(t, lake, data.Answers, "kept", answer("m", "Natural", "kept"))
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			unit := data.Unit{Stage: "test", Name: fmt.Sprint("coming and going ", n%4), Fingerprint: fmt.Sprint(n), Provenance: data.ProvenanceSimulated}
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
		r, err := data.Open(lake.Dir())
		must.Succeed(t, err)
		if _, err := Query(t.Context(), r, "select count(*), max(question_id), (select count(*) from runs) from answers", QueryOptions{Format: "csv"}, io.Discard); err != nil {
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
