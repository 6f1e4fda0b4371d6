package llm

import (
	"context"
	"sync"
)

type drainKey struct{}

// WithDrain returns a context for the calls of a run, and a function that drains it: calls in flight are finished and
// return their replies, while calls that wait for their turn or for another attempt end with ClassDrained. Ending the
// parent drops the calls in flight too. The function may be called more than once and from any goroutine.
func WithDrain(parent context.Context) (ctx context.Context, drain func()) {
	signal := make(chan struct{})
	var once sync.Once
	return context.WithValue(parent, drainKey{}, signal), func() { once.Do(func() { close(signal) }) }
}

// drained returns the signal of a context made by WithDrain, nil (which never fires) for others.
func drained(ctx context.Context) <-chan struct{} {
	signal, _ := ctx.Value(drainKey{}).(chan struct{})
	return signal
}
