package ask

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func openReader(t *testing.T, lake *data.Lake) *Reader {
	t.Helper()
	r := must.Get(OpenReader(t.Context(), lake, engine.Options{}))(t)
	t.Cleanup(func() { must.Succeed(t, r.Close()) })
	return r
}

// A session can give Parquet more than once.
func TestParquetAgain(t *testing.T) {
	s := openReader(t, laketest.New(t))
	for range 2 {
		var out bytes.Buffer
		must.Get(s.Query(t.Context(), "select 1 as n", Options{Format: "parquet"}, &out))(t)
		expect.Equal(t, string(out.Next(4)), "PAR1")
	}
}

func TestReaderRefuses(t *testing.T) {
	r := openReader(t, sampleLake(t))
	expect.Refusal(r.Marts(t.Context(), nil))(t, "the lake holds no marts")
	expect.Refusal(r.Rows(t.Context(), "none", "from nothing"))(t, "Table with name nothing does not exist")
	stop := errors.New("stop")
	expect.Failure(t, Read(t.Context(), sampleLake(t), "from answers", nil,
		func(arrow.RecordBatch) error { return stop }), stop)
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
	r := openReader(t, lake)
	for _, want := range []string{"1", "0"} {
		counted := must.Get(r.Rows(t.Context(), "counted", "select count(*) as n from answers"))(t)
		must.Equal(t, fmt.Sprint(counted.Values("n")...), want)
		for _, run := range laketest.All(t, lake, data.Runs) {
			must.Succeed(t, lake.Remove(run.Unit))
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
			_, err := data.Put(lake, unit, data.Answers, answer("m", "Natural", fmt.Sprint(n%4)))
			if err == nil && n%2 == 1 {
				err = lake.Remove(unit.FileStem())
			}
			if err != nil {
				stopped <- err
				return
			}
		}
	}()
	for range questions {
		r := must.Get(data.Open(lake.Dir()))(t)
		if _, err := Query(t.Context(), r,
			"select count(*), max(question_id), (select count(*) from runs) from answers", Options{Format: "csv"},
			io.Discard); err != nil {
			t.Error(err)
		}
		for _, err := range data.Scan(r, data.Answers) {
			if err != nil {
				t.Error(err)
			}
		}
	}
	close(stop)
	must.Succeed(t, <-stopped)
}
