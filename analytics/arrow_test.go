package analytics

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/captionlake/captionlake/data/must"
)

// streamArrow runs a query into an arrowSink whose buffers are counted.
func streamArrow(t *testing.T, query string) []byte {
	t.Helper()
	allocator := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer allocator.AssertSize(t, 0)
	e := testEngine(t, engineConfig{})
	if err := e.exec(t.Context(), "create or replace temp table "+resultTable+" as from query("+quote(query)+")"); err != nil {
		t.Fatal(err)
	}
	rows, err := e.count(t.Context(), resultTable)
	must.Succeed(t, err)
	columns, err := e.resultColumns(t.Context(), resultTable)
	must.Succeed(t, err)
	var out bytes.Buffer
	must.Succeed(t, e.stream(t.Context(), resultTable, columns, rows, &arrowSink{out: &out, memory: allocator}))
	return out.Bytes()
}

// TestArrowOutput reads every type back and finds no buffer left.
func TestArrowOutput(t *testing.T) {
	r, err := ipc.NewFileReader(bytes.NewReader(streamArrow(t, everyType)))
	must.Succeed(t, err)
	defer r.Close()
	batch, err := r.RecordBatch(0)
	must.Succeed(t, err)
	want := map[string]string{
		"b": "bool true", "i8": "int8 -5", "i16": "int16 300", "i32": "int32 7", "i64": "int64 9007199254740993", "u8": "uint8 200",
		"u64": "decimal(38, 0) 18446744073709551615", "huge": "decimal(38, 0) 170141183460469231731687303715884105",
		"f32": "float32 0.5", "f64": "float64 90.285", "nan": "float64 NaN", "d": "decimal(10, 2) 12.5", "t": `utf8 <é "q"`,
		"bytes": "binary qgE=", "day": "date32 2026-02-03", "ts": "timestamp[us] 2026-02-03T04:05:06.000007", "tz": "timestamp[us, tz=UTC] 2026-02-03T04:05:06.000007Z",
		"clock": "utf8 01:02:03", "id": "utf8 00000000-0000-0000-0000-000000000001", "texts": `list<item: utf8, nullable> ["a",null,"c"]`,
		"numbers": "list<item: int32, nullable> [1,2]", "doubles": "list<item: float64, nullable> [0.5]", "s": `utf8 {"x":1,"y":["z"]}`,
		"span": "utf8 3 days", "en": "utf8 e", "nested": "utf8 [[1],[]]",
	}
	if batch.NumRows() != 2 || batch.NumCols() != int64(len(want)) {
		t.Fatalf("%d rows, %d columns", batch.NumRows(), batch.NumCols())
	}
	for i, c := range batch.Columns() {
		name := batch.ColumnName(i)
		if got := c.DataType().String() + " " + c.ValueStr(0); got != want[name] {
			t.Errorf("%s: got %s, want %s", name, got, want[name])
		}
		if !c.IsNull(1) {
			t.Errorf("%s: null was lost", name)
		}
	}
}

func TestArrowBatches(t *testing.T) {
	for _, rows := range []string{"0", "10000", "25001"} {
		r, err := ipc.NewFileReader(bytes.NewReader(streamArrow(t, "select range as n, ['a'] as l from range("+rows+")")))
		must.Succeed(t, err)
		total, sum := int64(0), int64(0)
		for i := range r.NumRecords() {
			batch, err := r.RecordBatch(i)
			must.Succeed(t, err)
			total += batch.NumRows()
			for _, v := range batch.Column(0).(*array.Int64).Int64Values() {
				sum += v
			}
		}
		if r.Schema().Field(0).Type.ID() != arrow.INT64 {
			t.Error(r.Schema())
		}
		if want := total * (total - 1) / 2; rows != strconv.FormatInt(total, 10) || sum != want {
			t.Errorf("%s rows: read %d with sum %d, want %d", rows, total, sum, want)
		}
		must.Succeed(t, r.Close())
	}
	allocator := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer allocator.AssertSize(t, 0)
	s := &arrowSink{out: &bytes.Buffer{}, memory: allocator}
	must.Succeed(t, s.begin([]column{newColumn("n", "HUGEINT")}))
	if err := s.row([]any{"text"}); err == nil || err.Error() != "column n: a value of type string where a decimal was promised" {
		t.Errorf("error %v", err)
	}
	if err := s.abort(); err != nil {
		t.Error(err)
	}
}
