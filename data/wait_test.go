package data

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// Whoever holds the lock of commits is named after a second, and an interrupt ends the wait. No other user can open the lock.
func TestWaitingForCommitsIsToldAndEnds(t *testing.T) {
	t.Parallel()
	for _, other := range []bool{true, false} {
		holder := newLake(t)
		lock, err := holder.flock(commitsFile)
		must.Succeed(t, err)
		must.Succeed(t, lock.Lock())
		who := "captionlake test (process "
		if !other {
			who = "a process that is no writer of the lake"
			must.Succeed(t, os.RemoveAll(holder.Path(writersDir)))
		}
		ctx, interrupt := context.WithCancel(t.Context())
		var told string
		waiter := Waiter{ctx, func(text string) { told = text; interrupt() }}
		_, err = waiter.Edit(holder.dir, "ingest")
		var hint *HintError
		if !errors.Is(err, context.Canceled) || !errors.As(err, &hint) || !strings.Contains(told, "waiting for "+who) {
			t.Errorf("told %q, and ended with %v", told, err)
		}
		if info, err := os.Stat(holder.Path(commitsFile)); err != nil || info.Mode().Perm() != lockMode {
			t.Errorf("%v %v", info, err)
		}
		must.Succeed(t, lock.Close())
		l, err := Edit(holder.dir, "ingest")
		must.Succeed(t, err)
		must.Succeed(t, l.Close())
	}
}
