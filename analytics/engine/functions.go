package engine

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/analytics/statistics"
)

// A sqlFunction is a function of statistics as DuckDB calls it.
type sqlFunction struct{ statistics.Function }

var _ duckdb.ScalarFunc = sqlFunction{}

// Config says that the function takes and gives numbers and is the same for the same arguments.
func (f sqlFunction) Config() duckdb.ScalarFuncConfig {
	double, err := duckdb.NewTypeInfo(duckdb.TYPE_DOUBLE)
	if err != nil {
		panic(err) // the type exists
	}
	c := duckdb.ScalarFuncConfig{ResultTypeInfo: double}
	for range f.Arguments {
		c.InputTypeInfos = append(c.InputTypeInfos, double)
	}
	return c
}

// Executor computes one row.
func (f sqlFunction) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowExecutor: func(values []driver.Value) (any, error) {
		x := make([]float64, len(values))
		for i, v := range values {
			number, ok := v.(float64)
			if !ok {
				return nil, nil
			}
			x[i] = number
		}
		if y := f.Value(x); !math.IsNaN(y) {
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
	return ctx.Err()
}
