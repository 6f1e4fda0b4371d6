package ask

import (
	"context"
	"time"
)

// within runs a function that asks DuckDB. Once ctx has ended, within waits one more second for the
// function and then returns without it. DuckDB notices no interrupt while it computes a single
// function or finds the columns of a file.
func within(ctx context.Context, ask func() error) error {
	done := make(chan error, 1) // with room for the error, because within may return before ask does
	go func() { done <- ask() }()
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
