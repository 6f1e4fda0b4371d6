// Package rows gives the rows of a query as Arrow's record batches. It alone knows which Arrow type a type of DuckDB becomes: the type that
// the same column has in Parquet, as DuckDB writes it. The driver's own way to Arrow needs a build tag, and the program builds without one.
package rows

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/duckdb/duckdb-go/v2"
)

// batchBytes is how many bytes the values of a batch have at most, by what the batches before it had.
const batchBytes = 16 << 20

// Whole has Read ask for all rows at once, whatever memory that takes.
const Whole = -1

// Read gives the rows of a select from a table that has so many rows, by their rowid, because the driver holds all rows of a query in memory.
// The select has no clause after the table's name, and its columns are of types that Readable gives.
func Read(ctx context.Context, conn *sql.Conn, query string, count int64) (array.RecordReader, error) {
	schema, columns, err := describe(ctx, conn, query)
	if err != nil {
		return nil, err
	}
	return array.ReaderFromIter(schema, func(yield func(arrow.RecordBatch, error) bool) {
		if count == Whole {
			batch, _, err := read(ctx, conn, query, schema, columns)
			yield(batch, err)
			return
		}
		for from, n := int64(0), int64(256); from < count; {
			part := fmt.Sprintf("%s where rowid >= %d and rowid < %d", query, from, min(from+n, count))
			batch, bytes, err := read(ctx, conn, part, schema, columns)
			if !yield(batch, err) || err != nil {
				return
			}
			from += n
			n = max(1, min(2*n, n*batchBytes/int64(bytes+1), 1<<16))
		}
	}), nil
}

// describe is the schema of a select, and how the values of its columns get into it.
func describe(ctx context.Context, conn *sql.Conn, query string) (schema *arrow.Schema, columns []column, err error) {
	err = conn.Raw(func(raw any) (err error) {
		prepared, err := raw.(driver.ConnPrepareContext).PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, prepared.Close()) }()
		statement := prepared.(*duckdb.Stmt)
		n, err := statement.ColumnCount()
		fields := make([]arrow.Field, n)
		columns = make([]column, n)
		for i := 0; i < n && err == nil; i++ {
			var info duckdb.TypeInfo
			var named, typed error
			fields[i].Name, named = statement.ColumnName(i)
			if info, typed = statement.ColumnTypeInfo(i); typed == nil {
				columns[i], typed = columnOf(info)
			}
			if typed != nil {
				typed = fmt.Errorf("column %s: %w; cast it in the query", fields[i].Name, typed)
			}
			fields[i].Type, fields[i].Nullable = columns[i].DataType, true
			err = errors.Join(named, typed)
		}
		if err == nil {
			schema = arrow.NewSchema(fields, nil)
		}
		return err
	})
	return schema, columns, err
}

// read is the batch of all rows of a query, and the bytes of its buffers.
func read(ctx context.Context, conn *sql.Conn, query string, schema *arrow.Schema, columns []column) (_ arrow.RecordBatch, bytes int, err error) {
	result, err := conn.QueryContext(ctx, query)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, result.Close()) }()
	buffers := &buffers{Allocator: memory.DefaultAllocator}
	builder := array.NewRecordBuilder(buffers, schema)
	defer builder.Release()
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	for result.Next() {
		if err := result.Scan(targets...); err != nil {
			return nil, 0, err
		}
		for i, c := range columns {
			c.append(builder.Field(i), values[i])
		}
	}
	if err := result.Err(); err != nil {
		return nil, 0, err
	}
	return builder.NewRecordBatch(), buffers.bytes, nil
}

// A column is a type of Arrow and how the driver's values that are not null get into a builder of it.
type column struct {
	arrow.DataType
	put func(array.Builder, any)
}

func (c column) append(b array.Builder, v any) {
	if v == nil {
		b.AppendNull()
		return
	}
	c.put(b, v)
}

// of is the column of a type whose builder takes the driver's values of a Go type.
func of[B array.Builder, V any](t arrow.DataType, put func(B, V)) column {
	return column{t, func(b array.Builder, v any) { put(b.(B), v.(V)) }}
}

// buffers counts the bytes of the buffers that a builder has.
type buffers struct {
	memory.Allocator
	bytes int
}

func (b *buffers) Allocate(size int) []byte {
	b.bytes += size
	return b.Allocator.Allocate(size)
}

func (b *buffers) Reallocate(size int, old []byte) []byte {
	b.bytes += size - len(old)
	return b.Allocator.Reallocate(size, old)
}

// Write writes batches as a file of Arrow's IPC format, which ends in a footer. It releases the reader.
func Write(out io.Writer, batches array.RecordReader) (err error) {
	defer batches.Release()
	file, err := ipc.NewFileWriter(out, ipc.WithSchema(batches.Schema()))
	if err != nil {
		return err
	}
	for batches.Next() {
		if err := file.Write(batches.RecordBatch()); err != nil {
			return err
		}
	}
	return errors.Join(batches.Err(), file.Close())
}
