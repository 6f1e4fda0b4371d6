package engine

import (
	"os"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/llm"
)

// A unit that has nothing left to ask is not planned again, until its settings, what it reads, its
// calls or its rows change, or until what failed is to be asked again.
func TestWhatIsDoneIsNotPlannedAgain(t *testing.T) {
	l := laketest.New(t)
	failing := true
	f := &scriptedCaller{reply: func(text string, _ int) (llm.Reply, error) {
		if failing && text == "bad" {
			return llm.Reply{Attempts: 1}, &llm.CallError{Class: llm.ClassServer, Status: 500}
		}
		return said("re " + text), nil
	}}
	plans := 0
	setting := "a"
	var retry bool
	run := func(why string, want int) {
		t.Helper()
		u := withRows(testUnit("unit", []string{"a", "b"}, []string{"bad"}))
		items := u.Items
		u.Items = func(s *Scope, each Each[entry]) error { plans++; return items(s, each) }
		u.Reads, u.Settings = []data.AnyTable{data.Questions}, setting
		r := runnerOf(l, f, u)
		r.RetryFailed = retry
		before := plans
		reports, err := r.Run(t.Context())
		if err != nil || len(reports) != 1 || reports[0].Planned != 3 || reports[0].Rows != 3 {
			t.Fatalf("%s: %+v %v", why, reports, err)
		}
		expect.Equal(t, plans-before, want, why)
	}
	run("the first time", 1)
	run("nothing has changed", 0)
	setting = "b"
	run("another setting", 1)
	run("nothing has changed since", 0)
	write := func(table string) {
		t.Helper()
		tx := must.Get(l.Begin(data.Unit{Stage: "bank", Name: table, Provenance: data.ProvenanceSimulated}))(t)
		must.Get(data.NewRowWriter(tx, data.Questions))(t)
		must.Succeed(t, tx.Commit())
	}
	write("other questions")
	run("another bank", 1)
	retry, failing = true, false
	run("what failed is asked again", 2) // once to see whether settings differ
	run("nothing is left that failed", 0)
	retry = false
	must.Succeed(t, l.Remove(data.Unit{Stage: "said", Name: "unit"}.FileStem()))
	run("the rows are gone", 1)
	must.Succeed(t, os.Remove(l.Path(memoryFile)))
	asked := f.count()
	run("the memory is gone", 1)
	expect.Equal(t, f.count(), asked)
}
