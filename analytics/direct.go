package analytics

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// exec carries out statements whose rows nobody reads. The driver would prepare each of them first, and DuckDB plans a statement that reads
// Parquet files again when it is carried out, because the files may have changed since it was prepared. Planning is much of what a small
// model takes, so DuckDB gets the text itself.
func (e *engine) exec(ctx context.Context, query string) error {
	return e.conn.Raw(func(conn any) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		handle, err := handleOf(conn)
		if err != nil {
			return err
		}
		done, interrupted := make(chan struct{}), make(chan struct{})
		stop := context.AfterFunc(ctx, func() {
			defer close(interrupted)
			for { // A statement that begins just now forgets that it was interrupted.
				mapping.Interrupt(handle)
				select {
				case <-done:
					return
				case <-time.After(100 * time.Millisecond):
				}
			}
		})
		var result mapping.Result
		state := mapping.Query(handle, query, &result)
		close(done)
		if !stop() {
			<-interrupted
		}
		defer mapping.DestroyResult(&result)
		if state != mapping.StateError {
			return nil
		}
		message, _, _ := strings.Cut(mapping.ResultError(&result), "\n\nPossible solutions:") // These are settings that nobody can reach.
		return errors.Join(ctx.Err(), &duckdb.Error{Type: duckdb.ErrorType(mapping.ResultErrorType(&result)), Msg: message})
	})
}

// outOfMemory reports whether a statement needed more memory than DuckDB may use, beyond what it could spill.
func outOfMemory(err error) bool {
	var failed *duckdb.Error
	return errors.As(err, &failed) && failed.Type == duckdb.ErrorTypeOutOfMemory
}

// handleOf is DuckDB's own connection, which the driver keeps in a field of its connection without a method that tells it.
func handleOf(conn any) (mapping.Connection, error) {
	if c, ok := conn.(*duckdb.Conn); ok {
		field := reflect.ValueOf(c).Elem().FieldByName("conn")
		if field.IsValid() && field.Type() == reflect.TypeFor[mapping.Connection]() {
			return mapping.Connection{Ptr: field.FieldByName("Ptr").UnsafePointer()}, nil
		}
	}
	return mapping.Connection{}, errors.New("the DuckDB driver has another connection than the one that this program was written for")
}
