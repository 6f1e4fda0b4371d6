package ask

import (
	"fmt"
	"regexp"

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
