package stages

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/captionlake/captionlake/stages/llm"
)

// With four requests worth having under way, six open tasks are enough: two groups of four are started, since after the
// first there are four, and the third waits until one of them is done.
func TestEngineStartsNoMoreGroupsThanTheServersNeed(t *testing.T) {
	l := newLake(t)
	var groups [][]string
	for i := range 5 {
		groups = append(groups, []string{fmt.Sprintf("%d0", i), fmt.Sprintf("%d1", i), fmt.Sprintf("%d2", i), fmt.Sprintf("%d3", i)})
	}
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		f := &fakeCaller{}
		f.reply = func(text string, _ int) (llm.Reply, error) {
			if text[1] == '0' {
				<-hold
			}
			return llm.Reply{State: llm.StateOK, Text: text}, nil
		}
		e := engine(l, f)
		e.Workers, e.Parallel = 64, func() int { return 4 }
		done := make(chan error)
		go func() {
			s, err := e.Run(t.Context(), testWork("groups", groups...))
			if err == nil && s.Answered != 20 {
				err = fmt.Errorf("%d of 20 answered", s.Answered)
			}
			done <- err
		}()
		synctest.Wait()
		if n := f.count(); n != 2 {
			t.Errorf("%d groups are started", n)
		}
		hold <- struct{}{} // The first group goes on to its end, and the third starts.
		synctest.Wait()
		if n := f.count(); n != 6 {
			t.Errorf("%d requests were made instead of 2 groups' first, the rest of one, and the first of the third", n)
		}
		close(hold)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
