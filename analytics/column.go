package analytics

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/sql"
)

// A column is a column of a query's result.
type column struct {
	name    string
	sqlType string // as DuckDB describes it
}

var (
	numberType = regexp.MustCompile(`^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*)$`)
	brokenType = regexp.MustCompile(`^(FLOAT|DOUBLE|DECIMAL\(.*)$`)
	nestedType = regexp.MustCompile(`^(STRUCT|MAP)\(|\]$`)
)

// numeric reports whether the column is aligned to the right.
func (c column) numeric() bool {
	return numberType.MatchString(c.sqlType) && !nestedType.MatchString(c.sqlType)
}

// expression selects the column as a form has it: lists and structures in CSV are JSON; people read text, and numbers that are rounded.
func (c column) expression(format string) string {
	name := sql.QuoteName(c.name)
	switch {
	case format == "json" && brokenType.MatchString(c.sqlType): // JSON has neither NaN nor infinity
		return fmt.Sprintf("case when isfinite(cast(%s as double)) then %[1]s end as %[1]s", name)
	case format == "arrow":
		return fmt.Sprintf("cast(%s as %s) as %[1]s", name, batches.Readable(c.sqlType))
	case format == "json" || format == "parquet" || format == "csv" && !nestedType.MatchString(c.sqlType):
		return name
	case nestedType.MatchString(c.sqlType):
		return fmt.Sprintf("cast(to_json(%s) as varchar) as %[1]s", name)
	case brokenType.MatchString(c.sqlType):
		return "cast(" + name + " as double)"
	}
	return "cast(" + name + " as varchar)"
}

func floatText(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e15) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// nullText stands for null where people read.
const nullText = "∅"

// displayText writes a value for people, on one line and without control characters: text comes from captions and
// models, and a terminal would obey it.
func displayText(v any) string {
	switch v := v.(type) {
	case nil:
		return nullText
	case float64:
		return floatText(v)
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case []any:
		if text, err := json.Marshal(v); err == nil {
			return OneLine(string(text))
		}
	}
	return OneLine(fmt.Sprint(v))
}

// OneLine makes a text fit to be shown on a terminal: on one line, with control and formatting characters replaced by visible ones.
func OneLine(text string) string {
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
		return floatText(x)
	}
	if a := math.Abs(x); a < 1 || a >= 1e15 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	text := strconv.FormatFloat(x, 'f', 4, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
