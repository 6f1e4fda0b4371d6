package ask

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// Rows as Arrow have the names, types, values and nulls that DuckDB writes into Parquet, and they
// are the ones that are written here.
func TestArrowEqualsParquet(t *testing.T) {
	lake := sampleLake(t)
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(fileBytes(t, "testdata/arrow.txt")), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		values, want, _ := strings.Cut(line, " => ")
		values, alone := strings.CutPrefix(values, "alone: ")
		for _, some := range []string{"", " limit 0"} {
			query := "select unnest([" + values + ", null]) as \"a \"\"b\"" + some
			got := asked(t, lake, "arrow", query)
			if text := arrowText(t, got); some == "" && text != `a "b `+want {
				t.Errorf("%s => %s\nwant %s", values, text, want)
			}
			seen[strings.Fields(want)[0]] = true
			if alone {
				continue
			}
			must.Write(t, lake.Path("rows.parquet"), asked(t, lake, "parquet", query))
			if parquet := asked(t, lake, "arrow", "from '"+lake.Path("rows.parquet")+"'"); parquet != got {
				t.Errorf("%s:\n Arrow is %s\nParquet is %s", query, arrowText(t, got), arrowText(t, parquet))
			}
		}
	}
	if len(seen) < 25 {
		t.Errorf("there are only %d types", len(seen))
	}
}

// What Arrow does not have is an error that names the column, not other values.
func TestTypesWithoutArrow(t *testing.T) {
	lake := sampleLake(t)
	for query, says := range map[string]string{
		"select 1 as a, union_value(n := 1) as b": "column b: its type has no Arrow type here; cast it in the query",
		"select [{a: 1::variant}] as b":           "column b: ",
		"select map {[1]: 1} as b": "column b: a map whose keys are lists or structures has no Arrow type here; " +
			"cast it in the query",
	} {
		var out strings.Builder
		_, err := Query(t.Context(), lake, query, Options{Format: "arrow"}, &out)
		if err == nil || !strings.HasPrefix(err.Error(), says) || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes; want %s", query, err, out.Len(), says)
		}
	}
}

// Rows come in batches that are bounded by their number and by their bytes, and every buffer is
// given back.
func TestBatches(t *testing.T) {
	checked := memory.NewCheckedAllocator(memory.DefaultAllocator)
	before := memory.DefaultAllocator
	memory.DefaultAllocator = checked
	defer func() { memory.DefaultAllocator = before }()
	lake := sampleLake(t)
	for query, most := range map[string]int64{"select i from range(200000) as t (i)": 1 << 16,
		"select repeat('x', 100000) as x from range(1000)": 256} {
		out := []byte(asked(t, lake, "arrow", query))
		r := must.Get(ipc.NewFileReader(bytes.NewReader(out)))(t)
		rows := int64(0)
		for i := range r.NumRecords() {
			batch := must.Get(r.RecordBatchAt(i))(t)
			rows += batch.NumRows()
			expect.Between(t, batch.NumRows(), 0, most, query)
			batch.Release()
		}
		if r.NumRecords() < 2 || rows != 200000 && rows != 1000 {
			t.Errorf("%s: %d batches of %d rows", query, r.NumRecords(), rows)
		}
		must.Succeed(t, r.Close())
	}
	checked.AssertSize(t, 0)
	for query, want := range map[string]string{
		"from (values (7), (8), (null)) as t (rowid)":           "rowid int32 [7 8 (null)]",
		"select name from (show tables) where name = 'answers'": "name utf8 [\"answers\"]",
	} {
		expect.Equal(t, arrowText(t, asked(t, lake, "arrow", query)), want, query)
	}
	// Limited rows end where they are to end, in order.
	for _, n := range []int64{1, 256, 257, 999} {
		var out bytes.Buffer
		rows := must.Get(Query(t.Context(), lake, "select i from range(1000) as t (i)",
			Options{Format: "arrow", Rows: n}, &out))(t)
		r := must.Get(ipc.NewFileReader(bytes.NewReader(out.Bytes())))(t)
		last := must.Get(r.RecordBatchAt(r.NumRecords() - 1))(t).Column(0)
		if rows != n || last.ValueStr(last.Len()-1) != fmt.Sprint(n-1) {
			t.Errorf("of %d rows the last is %v, %d", n, last, rows)
		}
	}
}

// arrowText is the name, the type and the values of the one column of a file.
func arrowText(t *testing.T, content string) string {
	t.Helper()
	r := must.Get(ipc.NewFileReader(strings.NewReader(content)))(t)
	text := r.Schema().Field(0).Name + " " + r.Schema().Field(0).Type.String()
	for i := range r.NumRecords() {
		text += " " + must.Get(r.RecordBatchAt(i))(t).Column(0).String()
	}
	return text
}

// A column whose type follows an argument has the type of the argument.
func TestTypesFollowArguments(t *testing.T) {
	lake := sampleLake(t)
	var types []string
	err := Read(t.Context(), lake, `select coalesce(1::integer, $1) as "a ""b", [coalesce(true, $2)] as list`,
		[]any{int64(1) << 40, true},
		func(b arrow.RecordBatch) error {
			defer b.Release()
			for _, f := range b.Schema().Fields() {
				types = append(types, f.Name+" "+f.Type.String())
			}
			return nil
		})
	must.Succeed(t, err)
	expect.Equal(t, strings.Join(types, ", "), `a "b int64, list list<item: bool, nullable>`)
}
