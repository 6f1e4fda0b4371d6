package data

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// A process that stands still in a commit is named after a second, and an interrupt ends the wait. No other user can open the lock.
func TestWaitingForCommitsIsToldAndEnds(t *testing.T) {
	t.Parallel()
	holder := newLake(t)
	must.Succeed(t, holder.BetweenCommits(func() error {
		ctx, interrupt := context.WithCancel(t.Context())
		var told string
		waiter := Waiter{Context: ctx, Tell: func(text string) { told = text; interrupt() }}
		_, err := waiter.Edit(holder.dir, "ingest")
		var hint *HintError
		if !errors.Is(err, context.Canceled) || !errors.As(err, &hint) || !strings.Contains(told, "waiting for captionlake test (process ") || !strings.Contains(told, stopHint) {
			t.Errorf("told %q, and ended with %v", told, err)
		}
		if info, err := os.Stat(holder.Path(commitLock)); err != nil || info.Mode().Perm() != lockMode {
			t.Errorf("%v %v", info, err)
		}
		return nil
	}))
	another(t, holder)
}
