package ask

import (
	"context"
	"time"
)

// within runs a function and waits a second for it after ctx has ended: no interrupt reaches DuckDB while a single
// function computes or while it finds the columns of a file.
func within(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(time.Second):
		return ctx.Err()
	}
}
