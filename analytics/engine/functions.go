package engine

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"slices"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/analytics/statistics"
)

// A sqlFunction is a function of statistics as DuckDB calls it.
type sqlFunction struct{ statistics.Function }

var _ duckdb.ScalarFunc = sqlFunction{}

// Config says that the function takes numbers and gives a number. It gives the same number for the
// same arguments, so Volatile stays false.
func (f sqlFunction) Config() duckdb.ScalarFuncConfig {
	double, err := duckdb.NewTypeInfo(duckdb.TYPE_DOUBLE)
	if err != nil {
		panic(err) // the type exists
	}
	argument := double
	if f.Lists {
		if argument, err = duckdb.NewListInfo(double); err != nil {
			panic(err) // DuckDB has lists of numbers.
		}
	}
	return duckdb.ScalarFuncConfig{ResultTypeInfo: double,
		InputTypeInfos: slices.Repeat([]duckdb.TypeInfo{argument}, f.Arguments)}
}

// Executor computes the number for one row. The number is null if an argument, or a value in a
// list, is null. The numbers of lists are passed one list after the other.
func (f sqlFunction) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowExecutor: func(values []driver.Value) (any, error) {
		x := make([]float64, 0, len(values))
		for _, v := range values {
			list, ok := v.([]any)
			if !ok {
				list = []any{v}
			}
			for _, v := range list {
				number, ok := v.(float64)
				if !ok { // The value is null.
					return nil, nil
				}
				x = append(x, number)
			}
		}
		if y := f.Value(x...); !math.IsNaN(y) { // NaN becomes null.
			return y, nil
		}
		return nil, nil
	}}
}

// addFunctions makes the functions known to the engine.
func (e *Engine) addFunctions(ctx context.Context) error {
	for name, f := range statistics.Functions {
		if err := duckdb.RegisterScalarUDF(e.Conn, name, sqlFunction{f}); err != nil {
			return fmt.Errorf("function %s: %w", name, err)
		}
	}
	return ctx.Err() // RegisterScalarUDF takes no context.
}
