package batches

import (
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"slices"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/duckdb/duckdb-go/v2"
)

// readable are types that the driver or readers of Arrow do not support, and the types that
// Readable makes of them.
var readable = map[string]string{
	"HUGEINT": "DOUBLE", "UHUGEINT": "DOUBLE", // as DuckDB writes them to Parquet; sums of whole numbers are HUGEINT
	"UUID": "VARCHAR", "JSON": "VARCHAR", "BIT": "VARCHAR", "BIGNUM": "VARCHAR", "TIME_NS": "VARCHAR",
}

// typeWords are the words of a SQL type. Names and values in quotes are words of their own. The
// name of a structure's field without quotes stands before the field's type: the word of the name
// ends with a blank, so it is no key of readable.
var typeWords = regexp.MustCompile(`'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+ ?`)

// Readable is the type to which a select casts a column of a type so that its values can be read.
func Readable(sqlType string) string {
	return typeWords.ReplaceAllStringFunc(sqlType, func(word string) string {
		if made := readable[word]; made != "" {
			return made
		}
		return word
	})
}

// timestamp is the column of a type of times. zone is "UTC", or empty for times without a zone.
func timestamp(zone string, unit arrow.TimeUnit) column {
	return of(&arrow.TimestampType{Unit: unit, TimeZone: zone}, (*array.TimestampBuilder).AppendTime)
}

var (
	text = of(arrow.BinaryTypes.String, func(b *array.StringBuilder, v any) {
		s, ok := v.(string)
		if !ok { // The driver has parsed a value of the type JSON, so Marshal cannot fail.
			content, _ := json.Marshal(v)
			s = string(content)
		}
		b.Append(s)
	})
	binary = same[[]byte]()
	clock  = of(arrow.FixedWidthTypes.Time64us, func(b *array.Time64Builder, v time.Time) {
		at := v.UTC()
		b.Append(arrow.Time64(at.Sub(at.Truncate(24 * time.Hour)).Microseconds()))
	})
)

// same is the column of a type whose builder takes the driver's values as they are.
func same[V arrow.NumericType | bool | []byte]() column {
	type builder interface {
		array.Builder
		Append(v V)
	}
	return of(arrow.GetDataType[V](), func(b builder, v V) { b.Append(v) })
}

// appendHuge puts a whole number of 128 bits into a builder, rounded to a float.
func appendHuge(b *array.Float64Builder, v *big.Int) {
	f, _ := v.Float64()
	b.Append(f)
}

// plain are the columns of types that have no parts.
var plain = map[duckdb.Type]column{
	duckdb.TYPE_BOOLEAN:      same[bool](),
	duckdb.TYPE_TINYINT:      same[int8](),
	duckdb.TYPE_SMALLINT:     same[int16](),
	duckdb.TYPE_INTEGER:      same[int32](),
	duckdb.TYPE_BIGINT:       same[int64](),
	duckdb.TYPE_UTINYINT:     same[uint8](),
	duckdb.TYPE_USMALLINT:    same[uint16](),
	duckdb.TYPE_UINTEGER:     same[uint32](),
	duckdb.TYPE_UBIGINT:      same[uint64](),
	duckdb.TYPE_FLOAT:        same[float32](),
	duckdb.TYPE_DOUBLE:       same[float64](),
	duckdb.TYPE_HUGEINT:      of(arrow.PrimitiveTypes.Float64, appendHuge),
	duckdb.TYPE_UHUGEINT:     of(arrow.PrimitiveTypes.Float64, appendHuge),
	duckdb.TYPE_VARCHAR:      text,
	duckdb.TYPE_ENUM:         text,
	duckdb.TYPE_BLOB:         binary,
	duckdb.TYPE_GEOMETRY:     binary,
	duckdb.TYPE_TIME:         clock,
	duckdb.TYPE_TIME_TZ:      clock,
	duckdb.TYPE_TIMESTAMP:    timestamp("", arrow.Microsecond),
	duckdb.TYPE_TIMESTAMP_TZ: timestamp("UTC", arrow.Microsecond),
	duckdb.TYPE_TIMESTAMP_S:  timestamp("", arrow.Microsecond),
	duckdb.TYPE_TIMESTAMP_MS: timestamp("", arrow.Millisecond),
	duckdb.TYPE_TIMESTAMP_NS: timestamp("", arrow.Nanosecond),
	duckdb.TYPE_SQLNULL:      same[int32](), // DuckDB stores a column of NULLs as INTEGER in a table.
	duckdb.TYPE_DATE: of(arrow.FixedWidthTypes.Date32, func(b *array.Date32Builder, v time.Time) {
		b.Append(arrow.Date32(v.Unix() / 86400)) // The driver gives midnights in UTC, so nothing is cut off.
	}),
	duckdb.TYPE_INTERVAL: of(arrow.FixedWidthTypes.MonthDayNanoInterval,
		func(b *array.MonthDayNanoIntervalBuilder, v duckdb.Interval) {
			b.Append(arrow.MonthDayNanoInterval{Months: v.Months, Days: v.Days, Nanoseconds: v.Micros * 1000})
		}),
}

// columnOf is the column of a type.
func columnOf(info duckdb.TypeInfo) (column, error) {
	switch d := info.Details().(type) {
	case *duckdb.DecimalDetails:
		t := &arrow.Decimal128Type{Precision: int32(d.Width), Scale: int32(d.Scale)}
		return of(t, func(b *array.Decimal128Builder, v duckdb.Decimal) { b.Append(decimal128.FromBigInt(v.Value)) }), nil
	case *duckdb.ListDetails:
		return listOf(d.Child)
	case *duckdb.ArrayDetails:
		return listOf(d.Child)
	case *duckdb.MapDetails:
		// Details are mostly about the parts of a type. Enums and decimals have details, but no parts.
		withoutParts := []duckdb.Type{duckdb.TYPE_ENUM, duckdb.TYPE_DECIMAL}
		if d.Key.Details() != nil && !slices.Contains(withoutParts, d.Key.InternalType()) {
			return column{}, errors.New("a map whose keys are lists or structures has no Arrow type here")
		}
		key, keyErr := columnOf(d.Key)
		value, valueErr := columnOf(d.Value)
		if err := errors.Join(keyErr, valueErr); err != nil {
			return column{}, err
		}
		return of(arrow.MapOf(key.DataType, value.DataType), func(b *array.MapBuilder, v duckdb.OrderedMap) {
			b.Append(true) // true: the map is not null
			values := v.Values()
			for i, k := range v.Keys() {
				key.append(b.KeyBuilder(), k)
				value.append(b.ItemBuilder(), values[i])
			}
		}), nil
	case *duckdb.StructDetails:
		fields, parts := make([]arrow.Field, len(d.Entries)), make([]column, len(d.Entries))
		for i, e := range d.Entries {
			var err error
			if parts[i], err = columnOf(e.Info()); err != nil {
				return column{}, err
			}
			fields[i] = arrow.Field{Name: e.Name(), Type: parts[i].DataType, Nullable: true}
		}
		return of(arrow.StructOf(fields...), func(b *array.StructBuilder, v map[string]any) {
			b.Append(true) // true: the structure is not null
			for i, part := range parts {
				part.append(b.FieldBuilder(i), v[fields[i].Name])
			}
		}), nil
	}
	c, ok := plain[info.InternalType()]
	if !ok {
		return c, errors.New("its type has no Arrow type here")
	}
	return c, nil
}

// listOf is the column of the type of lists of a type.
func listOf(child duckdb.TypeInfo) (column, error) {
	part, err := columnOf(child)
	if err != nil {
		return column{}, err
	}
	return of(arrow.ListOf(part.DataType), func(b *array.ListBuilder, v []any) {
		b.Append(true) // true: the list is not null
		for _, one := range v {
			part.append(b.ValueBuilder(), one)
		}
	}), nil
}
