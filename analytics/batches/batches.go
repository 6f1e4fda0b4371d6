// Package batches gives the rows of a query as Arrow's record batches. It alone knows which Arrow
// type a type of DuckDB becomes: the type that the same column has in Parquet, as DuckDB writes it.
// The driver's own way to Arrow needs a build tag, and the program builds without one.
package batches

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/duckdb/duckdb-go/v2"
)

// batchBytes bounds the bytes of the values in a batch of Write. To choose the number of rows of a
// batch, Write takes its rows to be as large as the rows of the batch before.
const batchBytes = 16 << 20

// Whole is a count for Write: Write then asks for all rows at once, however much memory that takes.
const Whole = -1

// One is the batch of all rows of a query. The caller must release it.
func One(ctx context.Context, conn *sql.Conn, query string, args ...any) (batch arrow.RecordBatch, err error) {
	err = Each(ctx, conn, 0, query, args, func(b arrow.RecordBatch) error { batch = b; return nil })
	return batch, err
}

// Each hands the rows of a query to a function, a number of rows at a time, or all rows at once if
// the number is 0. The function must release the batch. The last batch may be empty: then the
// columns are known even without rows. The driver holds all rows of the query in memory while Each
// runs, and the connection answers no other query.
func Each(ctx context.Context, conn *sql.Conn, rows int, query string, args []any,
	hand func(arrow.RecordBatch) error) error {
	return conn.Raw(func(raw any) (err error) {
		prepared, err := raw.(driver.ConnPrepareContext).PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, prepared.Close()) }()
		named := make([]driver.NamedValue, len(args))
		for i, arg := range args {
			named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
		}
		result, err := prepared.(driver.StmtQueryContext).QueryContext(ctx, named)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, result.Close()) }()
		typed := prepared
		if len(args) > 0 { // The arguments can change the types that the prepared statement has.
			if typed, err = typesOf(ctx, raw.(driver.ConnPrepareContext), result); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, typed.Close()) }()
		}
		schema, columns, err := describe(typed.(*duckdb.Stmt), result.Columns())
		if err != nil {
			return err
		}
		builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		defer builder.Release()
		values := make([]driver.Value, len(columns))
		for n := 1; ; n++ { // n counts the rows of a batch from 1. It never equals 0, which means all rows.
			err := result.Next(values)
			if errors.Is(err, io.EOF) {
				return hand(builder.NewRecordBatch())
			}
			if err != nil {
				return err
			}
			for i, c := range columns {
				c.append(builder.Field(i), values[i])
			}
			if n == rows {
				n = 0
				if err := hand(builder.NewRecordBatch()); err != nil {
					return err
				}
			}
		}
	})
}

// typesOf prepares a statement that selects nulls with the names and types of a result's columns.
// This statement has no arguments, so DuckDB knows its types. For an enum the driver gives the type
// ENUM, without the enum's values, so the statement has VARCHAR in its place.
func typesOf(ctx context.Context, conn driver.ConnPrepareContext, result driver.Rows) (driver.Stmt, error) {
	var columns []string
	for i, name := range result.Columns() {
		sqlType := result.(driver.RowsColumnTypeDatabaseTypeName).ColumnTypeDatabaseTypeName(i)
		columns = append(columns,
			fmt.Sprintf(`null::%s as "%s"`, strings.ReplaceAll(sqlType, "ENUM", "VARCHAR"),
				strings.ReplaceAll(name, `"`, `""`)))
	}
	return conn.PrepareContext(ctx, "select "+strings.Join(columns, ", "))
}

// describe is the schema of a statement's rows, and for each column how the driver's values become
// values of Arrow.
func describe(statement *duckdb.Stmt, names []string) (*arrow.Schema, []column, error) {
	fields, columns := make([]arrow.Field, len(names)), make([]column, len(names))
	for i, name := range names {
		info, err := statement.ColumnTypeInfo(i)
		if err == nil {
			columns[i], err = columnOf(info)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("column %s: %w; cast it in the query", name, err)
		}
		fields[i] = arrow.Field{Name: name, Type: columns[i].DataType, Nullable: true}
	}
	return arrow.NewSchema(fields, nil), columns, nil
}

// A column is a type of Arrow, with the function that puts a value of the driver into a builder of
// this type. The function does not get nulls.
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

// Write writes the rows of a select from a table as a file of Arrow's IPC format, which ends in a
// footer. count is the number of rows of the table, or Whole. Write reads the rows in pieces, by
// their rowid, because the driver holds all rows of a query in memory. The select must end with the
// table's name, because Write adds a condition, and its columns must have types that Readable
// gives.
func Write(ctx context.Context, conn *sql.Conn, query string, count int64, out io.Writer) (err error) {
	var file *ipc.FileWriter
	size := 1 // bytes of the last batch, plus 1, because Write divides by size
	write := func(b arrow.RecordBatch) (err error) {
		defer b.Release()
		if file == nil {
			if file, err = ipc.NewFileWriter(out, ipc.WithSchema(b.Schema())); err != nil {
				return err
			}
		}
		size = 1
		for _, column := range b.Columns() {
			size += int(column.Data().SizeInBytes())
		}
		return file.Write(b)
	}
	if count <= 0 { // Whole, or no rows: then one empty batch says which columns there are.
		err = Each(ctx, conn, 0, query, nil, write)
	}
	// The first batch has 256 rows, because nothing is known yet of their size.
	for from, n := int64(0), int64(256); err == nil && from < count; {
		err = Each(ctx, conn, 0,
			fmt.Sprintf("%s where rowid >= %d and rowid < %d", query, from, min(from+n, count)), nil, write)
		from += n
		// The next batch has about batchBytes, but at most 2^16 rows and twice the rows of this batch.
		n = max(1, min(2*n, n*batchBytes/int64(size), 1<<16))
	}
	if file != nil {
		err = errors.Join(err, file.Close())
	}
	return err
}
