package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data/text"
)

// floatText writes a number with all its digits. Very small and very large numbers get an exponent.
func floatText(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e15) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// Null stands for null where people read.
const Null = "∅"

// Display writes a value for people, on one line and without control characters: text comes from
// captions and models, and a terminal would obey the control characters in it.
func Display(v any) string {
	switch v := v.(type) {
	case nil:
		return Null
	case float64:
		return floatText(v)
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case []any:
		if written, err := json.Marshal(v); err == nil { // JSON has no NaN; fmt writes a list with NaN.
			return text.Visible(string(written))
		}
	}
	return text.Visible(fmt.Sprint(v))
}

// Readable words a value as people read it: numbers are rounded, and null is visible.
func Readable(v any) string {
	switch v := v.(type) {
	case string: // The forms for people replace control characters themselves: some keep line breaks.
		return v
	case float64:
		return shortNumber(v)
	}
	return Display(v)
}

// shortNumber rounds a number for a terminal. Whole numbers below 1e15 keep all digits. Other
// numbers get four digits after the point, without zeros at the end. Numbers below 1, and numbers
// from 1e15 on, get four significant digits.
func shortNumber(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) || x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return floatText(x)
	}
	if a := math.Abs(x); a < 1 || a >= 1e15 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	digits := strconv.FormatFloat(x, 'f', 4, 64)
	return strings.TrimRight(strings.TrimRight(digits, "0"), ".")
}
