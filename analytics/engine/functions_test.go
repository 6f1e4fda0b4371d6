package engine

import (
	"fmt"
	"testing"

	"github.com/captionlake/captionlake/analytics/statistics"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// SQL calls the same functions; null goes in and comes out.
func TestFunctionsInSQL(t *testing.T) {
	e := must.Get(Open(t.Context(), Config{Spill: t.TempDir()}))(t)
	defer e.Close()
	given := []float64{5, 2.5, 260, 15.5}
	low, high := statistics.Functions["share_low"].Value(given...), statistics.Functions["share_high"].Value(given...)
	_, rows, err := e.Strings(t.Context(), `
		select share_low(5, 2.5, 260, 15.5), share_high(5, 2.5, 260, 15.5), round(t_quantile(1), 6), t_quantile(0),
		t_quantile(null),
			share_low(null, 1, 2, 3), share_high(50, 1, 2, 1),
			spearman([3, 1, 2, 5], [30, 20, 10, 40]), kendall([3, 1, 2, 5], [30, 20, 10, 40]), spearman([1, 2], [2, 1]),
			kendall([1, 2, null], [1, 2, 3]), spearman([1, 1, 1], [1, 2, 3])`)
	// Ranks 3 1 2 4 and 3 2 1 4: 1 - 6 * 2 / 60 = 0.8; of six pairs one is reversed: 4 / 6.
	want := fmt.Sprint([][]string{{
		Display(low), Display(high), "12.706205", "∅", "∅", "∅", "∅", "0.8", Display(2.0 / 3), "∅", "∅", "∅",
	}})
	must.Succeed(t, err)
	expect.Equal(t, fmt.Sprint(rows), want)
	_, rows, err = e.Strings(t.Context(), `
		select count(distinct l), count(*) from (
			select md5(string_agg(cast(share_low(5 + i % 7, 2.5, 260, 15.5 + i % 11) as varchar), ',' order by i)) as l
			from range(20000) as r (i) cross join range(2) as s (j) group by j)`)
	must.Succeed(t, err)
	expect.Equal(t, fmt.Sprint(rows), "[[1 2]]")
}
