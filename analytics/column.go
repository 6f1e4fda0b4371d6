package analytics

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/duckdb/duckdb-go/v2"
)

// kind sorts the types of DuckDB by how their values are written.
type kind int

const (
	kindText kind = iota
	kindBool
	kindInt
	kindHuge
	kindFloat32
	kindFloat64
	kindDecimal
	kindBlob
	kindDate
	kindTimestamp
	kindTimestampTZ
	kindList
	kindJSON // structs, maps and lists of them, as JSON text
)

// A column is a column of a query's result.
type column struct {
	name    string
	sqlType string // as DuckDB describes it
	kind    kind
	width   int32   // digits of a decimal
	scale   int32   // digits after the point of a decimal
	element *column // of a list
}

var kinds = map[string]kind{
	"BOOLEAN": kindBool,
	"TINYINT": kindInt, "SMALLINT": kindInt, "INTEGER": kindInt, "BIGINT": kindInt,
	"UTINYINT": kindInt, "USMALLINT": kindInt, "UINTEGER": kindInt,
	"UBIGINT": kindHuge, "HUGEINT": kindHuge,
	"FLOAT": kindFloat32, "DOUBLE": kindFloat64,
	"VARCHAR": kindText, "BLOB": kindBlob, "DATE": kindDate, "TIMESTAMP": kindTimestamp,
	"TIMESTAMP WITH TIME ZONE": kindTimestampTZ, "JSON": kindJSON,
}

var (
	decimalForm = regexp.MustCompile(`^DECIMAL\((\d+),(\d+)\)$`)
	listForm    = regexp.MustCompile(`^(.*)\[\d*\]$`)
)

// newColumn reads a type as DuckDB's describe names it. Types that have no kind of their own are written as text.
func newColumn(name, sqlType string) column {
	c := column{name: name, sqlType: sqlType}
	if k, ok := kinds[sqlType]; ok {
		c.kind = k
		return c
	}
	if m := decimalForm.FindStringSubmatch(sqlType); m != nil {
		c.kind = kindDecimal
		// The form admits short digits only.
		width, _ := strconv.Atoi(m[1])
		scale, _ := strconv.Atoi(m[2])
		c.width, c.scale = int32(width), int32(scale)
		return c
	}
	if m := listForm.FindStringSubmatch(sqlType); m != nil {
		element := newColumn("element", m[1])
		c.element = &element
		c.kind = kindList
		if element.kind == kindList || element.kind == kindJSON || element.converted() {
			c.kind = kindJSON
		}
		return c
	}
	if strings.HasPrefix(sqlType, "STRUCT(") || strings.HasPrefix(sqlType, "MAP(") {
		c.kind = kindJSON
	}
	return c
}

// converted reports whether DuckDB makes text of the values before they are fetched.
func (c column) converted() bool { return c.kind == kindText && c.sqlType != "VARCHAR" }

// numeric reports whether the column is aligned to the right.
func (c column) numeric() bool {
	return c.kind == kindInt || c.kind == kindHuge || c.kind == kindFloat32 || c.kind == kindFloat64 || c.kind == kindDecimal
}

// expression selects the column from the result table in a form that the writers know.
func (c column) expression() string {
	name := quoteName(c.name)
	switch {
	case c.converted():
		return "cast(" + name + " as varchar)"
	case c.kind == kindJSON:
		return "cast(to_json(" + name + ") as varchar)"
	case c.sqlType == "UBIGINT":
		return "cast(" + name + " as hugeint)"
	}
	return name
}

// plainText writes a value exactly and without decoration, as CSV has it. Null is the caller's matter.
func plainText(c column, v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float32:
		return floatText(float64(v), 32)
	case float64:
		return floatText(v, 64)
	case *big.Int:
		return v.String()
	case duckdb.Decimal:
		return v.String()
	case []byte:
		return fmt.Sprintf("%x", v)
	case time.Time:
		return timeText(c.kind, v)
	case []any:
		text, err := json.Marshal(jsonValue(c, v))
		if err != nil {
			return fmt.Sprint(v)
		}
		return string(text)
	}
	return fmt.Sprint(v)
}

func floatText(x float64, bits int) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e15) {
		return strconv.FormatFloat(x, 'g', -1, bits)
	}
	return strconv.FormatFloat(x, 'f', -1, bits)
}

func timeText(k kind, t time.Time) string {
	switch k {
	case kindDate:
		return t.UTC().Format("2006-01-02")
	case kindTimestamp:
		return t.UTC().Format("2006-01-02T15:04:05.999999")
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999Z")
}

// jsonValue turns a value into one that encoding/json writes as wanted: numbers as numbers, what JSON has no number
// for as text, bytes as hex, times as RFC 3339.
func jsonValue(c column, v any) any {
	switch v := v.(type) {
	case nil, bool, string:
		if text, ok := v.(string); ok && c.kind == kindJSON {
			return json.RawMessage(text)
		}
		return v
	case float32:
		return jsonFloat(float64(v), 32)
	case float64:
		return jsonFloat(v, 64)
	case *big.Int:
		return json.Number(v.String())
	case duckdb.Decimal:
		return json.Number(v.String())
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = jsonValue(*c.element, x)
		}
		return list
	case []byte, time.Time:
		return plainText(c, v)
	}
	return v
}

func jsonFloat(x float64, bits int) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'g', -1, bits)
	}
	return json.Number(floatText(x, bits))
}

// nullText stands for null where people read.
const nullText = "∅"

// displayText writes a value for people, on one line and without control characters: text comes from captions and
// models, and a terminal would obey it.
func displayText(v any) string {
	if v == nil {
		return nullText
	}
	return oneLine(plainText(newColumn("", displayTypes(v)), v))
}

// displayTypes guesses the type of a value whose column is not known.
func displayTypes(v any) string {
	if _, list := v.([]any); list {
		return "VARCHAR[]"
	}
	return "VARCHAR"
}

// oneLine replaces control and formatting characters by visible ones.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '↵'
		case r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return '�'
		}
		return r
	}, text)
}

// shortNumber rounds a number for a terminal: four digits after the point, fewer where they are zero, and four
// significant digits below one.
func shortNumber(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) || x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return floatText(x, 64)
	}
	if a := math.Abs(x); a < 1 || a >= 1e15 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	text := strconv.FormatFloat(x, 'f', 4, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
