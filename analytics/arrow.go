package analytics

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/duckdb/duckdb-go/v2"
)

// arrowBatch is the number of rows of a record batch.
const arrowBatch = 10_000

// arrowSink writes an Arrow IPC file, which is Feather, too. Integers keep their width, decimals become decimal128, 128-bit integers
// decimal128 with 38 digits; structs, maps and types that Arrow has no like of become text.
type arrowSink struct {
	out     io.Writer
	memory  memory.Allocator
	columns []column
	builder *array.RecordBuilder
	writer  *ipc.FileWriter
	rows    int
}

func (s *arrowSink) begin(columns []column) error {
	s.columns = columns
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{
			Name: c.name, Type: arrowType(c), Nullable: true,
			Metadata: arrow.NewMetadata([]string{"duckdb.type"}, []string{c.sqlType}),
		}
	}
	schema := arrow.NewSchema(fields, nil)
	writer, err := ipc.NewFileWriter(s.out, ipc.WithSchema(schema), ipc.WithAllocator(s.memory))
	if err != nil {
		return err
	}
	s.writer, s.builder = writer, array.NewRecordBuilder(s.memory, schema)
	return nil
}

func (s *arrowSink) row(values []any) error {
	for i, v := range values {
		if err := appendArrow(s.builder.Field(i), v); err != nil {
			return fmt.Errorf("column %s: %w", s.columns[i].name, err)
		}
	}
	s.rows++
	if s.rows%arrowBatch == 0 {
		return s.flush()
	}
	return nil
}

func (s *arrowSink) flush() error {
	batch := s.builder.NewRecordBatch()
	defer batch.Release()
	return s.writer.Write(batch)
}

func (s *arrowSink) end() error {
	var err error
	if s.rows%arrowBatch != 0 || s.rows == 0 {
		err = s.flush()
	}
	return errors.Join(err, s.abort())
}

func (s *arrowSink) abort() error {
	if s.builder == nil {
		return nil
	}
	s.builder.Release()
	s.builder = nil
	return s.writer.Close()
}

var arrowIntegers = map[string]arrow.DataType{
	"TINYINT": arrow.PrimitiveTypes.Int8, "SMALLINT": arrow.PrimitiveTypes.Int16,
	"INTEGER": arrow.PrimitiveTypes.Int32, "BIGINT": arrow.PrimitiveTypes.Int64,
	"UTINYINT": arrow.PrimitiveTypes.Uint8, "USMALLINT": arrow.PrimitiveTypes.Uint16, "UINTEGER": arrow.PrimitiveTypes.Uint32,
}

func arrowType(c column) arrow.DataType {
	switch c.kind {
	case kindBool:
		return arrow.FixedWidthTypes.Boolean
	case kindInt:
		return arrowIntegers[c.sqlType]
	case kindHuge:
		return &arrow.Decimal128Type{Precision: 38, Scale: 0}
	case kindFloat32:
		return arrow.PrimitiveTypes.Float32
	case kindFloat64:
		return arrow.PrimitiveTypes.Float64
	case kindDecimal:
		return &arrow.Decimal128Type{Precision: c.width, Scale: c.scale}
	case kindBlob:
		return arrow.BinaryTypes.Binary
	case kindDate:
		return arrow.FixedWidthTypes.Date32
	case kindTimestamp:
		return &arrow.TimestampType{Unit: arrow.Microsecond}
	case kindTimestampTZ:
		return arrow.FixedWidthTypes.Timestamp_us
	case kindList:
		return arrow.ListOf(arrowType(*c.element))
	}
	return arrow.BinaryTypes.String
}

// appendArrow adds one value to the builder of its column.
func appendArrow(b array.Builder, v any) error {
	if v == nil {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.BooleanBuilder:
		return appendAs(b.Append, v)
	case *array.Int8Builder:
		return appendAs(b.Append, v)
	case *array.Int16Builder:
		return appendAs(b.Append, v)
	case *array.Int32Builder:
		return appendAs(b.Append, v)
	case *array.Int64Builder:
		return appendAs(b.Append, v)
	case *array.Uint8Builder:
		return appendAs(b.Append, v)
	case *array.Uint16Builder:
		return appendAs(b.Append, v)
	case *array.Uint32Builder:
		return appendAs(b.Append, v)
	case *array.Float32Builder:
		return appendAs(b.Append, v)
	case *array.Float64Builder:
		return appendAs(b.Append, v)
	case *array.StringBuilder:
		return appendAs(b.Append, v)
	case *array.BinaryBuilder:
		return appendAs(b.Append, v)
	case *array.Date32Builder:
		return appendAs(func(t time.Time) { b.Append(arrow.Date32FromTime(t.UTC())) }, v)
	case *array.TimestampBuilder:
		return appendAs(func(t time.Time) { b.Append(arrow.Timestamp(t.UnixMicro())) }, v)
	case *array.Decimal128Builder:
		return appendDecimal(b, v)
	case *array.ListBuilder:
		return appendList(b, v)
	}
	return fmt.Errorf("no Arrow form for a value of type %T", v)
}

func appendAs[T any](add func(T), v any) error {
	x, ok := v.(T)
	if !ok {
		return fmt.Errorf("a value of type %T where %T was promised", v, x)
	}
	add(x)
	return nil
}

func appendDecimal(b *array.Decimal128Builder, v any) error {
	var n *big.Int
	switch v := v.(type) {
	case *big.Int:
		n = v
	case duckdb.Decimal:
		n = v.Value
	default:
		return fmt.Errorf("a value of type %T where a decimal was promised", v)
	}
	if n.BitLen() > 126 {
		return fmt.Errorf("%s does not fit into 38 digits", n)
	}
	b.Append(decimal128.FromBigInt(n))
	return nil
}

func appendList(b *array.ListBuilder, v any) error {
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf("a value of type %T where a list was promised", v)
	}
	b.Append(true)
	for _, x := range list {
		if err := appendArrow(b.ValueBuilder(), x); err != nil {
			return err
		}
	}
	return nil
}
