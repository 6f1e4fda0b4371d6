package data

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// everyKind has a column of each kind that row types may have, plain and with a dictionary.
type everyKind struct {
	Text      string    `parquet:"text"`
	TextDict  string    `parquet:"text_dict,dict"`
	TextNull  string    `parquet:"text_null,optional"`
	Bool      bool      `parquet:"bool"`
	Int32     int32     `parquet:"int32"`
	Int64     int64     `parquet:"int64,dict"`
	Float32   float32   `parquet:"float32"`
	Float64   float64   `parquet:"float64,dict"`
	Time      time.Time `parquet:"time,timestamp(microsecond)"`
	Int32P    *int32    `parquet:"int32_p,optional"`
	Float64P  *float64  `parquet:"float64_p,optional,dict"`
	TextP     *string   `parquet:"text_p,optional,dict"`
	BoolP     *bool     `parquet:"bool_p,optional"`
	Texts     []string  `parquet:"texts,list"`
	Int32s    []int32   `parquet:"int32s,list"`
	Float32s  []float32 `parquet:"float32s,list"`
	Float64s  []float64 `parquet:"float64s,list"`
	TextsDict []string  `parquet:"texts_dict,list" parquet-element:",dict"`
}

// Rows come back as they were written, whatever the file's pages and row groups.
func TestRowsComeBack(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 7))
		rows := randomRows[everyKind](random, []int{0, 1, 2, 100, 150, 300}[seed])
		if diff := cmp.Diff(rows, backAndForth[everyKind](t, random, rows), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("other rows come back (-written +read):\n%s", diff)
		}
	}
}

// backAndForth writes rows to a file whose pages, row groups and page format are random, and reads
// them as others.
func backAndForth[R, W any](t testing.TB, random *rand.Rand, rows []W) []R {
	t.Helper()
	l := newLake(t)
	file := must.Get(l.store.Create("answers/some.parquet"))(t)
	w := parquet.NewGenericWriter[W](file,
		parquet.PageBufferSize([]int{200, 1000, 100_000}[random.IntN(3)]),
		parquet.MaxRowsPerRowGroup([]int64{100, 500, 100_000}[random.IntN(3)]),
		parquet.DataPageVersion(1+random.IntN(2)),
		parquet.DictionaryMaxBytes([]int64{0, 100}[random.IntN(2)]),
		parquet.Compression(&parquet.Snappy))
	for len(rows) > 0 {
		n := min(len(rows), 1+random.IntN(300))
		must.Get(w.Write(rows[:n]))(t)
		rows = rows[n:]
	}
	must.Succeed(t, w.Close())
	must.Succeed(t, file.Close())
	return collect(t, ProjectUnit[R](l, Answers, "some"))
}

func randomRows[T any](random *rand.Rand, n int) []T {
	rows := make([]T, n)
	for i := range rows {
		v := reflect.ValueOf(&rows[i]).Elem()
		for f := range v.NumField() {
			randomValue(random, v.Field(f))
		}
	}
	return rows
}

var longText = strings.Repeat("long ", 100)

func randomValue(random *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		texts := []string{"", "a", "Natural", "élan 漢字 🙂", "nul\x00byte", "\xff not text", longText,
			strconv.Itoa(random.Int())}
		v.SetString(texts[random.IntN(len(texts))])
	case reflect.Int32:
		v.SetInt(int64(int32(random.Uint32())))
	case reflect.Int64:
		v.SetInt(int64(random.Uint64() >> random.IntN(64)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(random.IntN(1000)) / 8)
	case reflect.Bool:
		v.SetBool(random.IntN(2) == 0)
	case reflect.Pointer:
		if random.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			randomValue(random, v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), []int{0, 0, 1, 2, 5, 40}[random.IntN(6)], 40))
		for i := range v.Len() {
			randomValue(random, v.Index(i))
		}
	case reflect.Struct:
		v.Set(reflect.ValueOf(time.UnixMicro(random.Int64N(1 << 52)).UTC()))
	}
}

func TestRowsAreProjected(t *testing.T) {
	t.Parallel()
	type origin struct {
		Provenance string `parquet:"provenance,dict"`
	}
	type some struct { // in another order than the table's, with columns that the file does not have
		origin
		Probabilities []float64 `parquet:"probabilities,list"`
		ChoiceIndex   *int32    `parquet:"choice_index,optional"`
		Score         float64   `parquet:"score"`
		QuestionID    string    `parquet:"question_id,dict"`
		LaterCount    *int32    `parquet:"later_count,optional"`
	}
	random := rand.New(rand.NewPCG(3, 1))
	rows := randomRows[Answer](random, 2*readBatch)
	var want []some
	for _, r := range rows {
		want = append(want,
			some{origin: origin{r.Provenance}, Probabilities: r.Probabilities, ChoiceIndex: r.ChoiceIndex,
				Score: r.Score, QuestionID: r.QuestionID})
	}
	if diff := cmp.Diff(want, backAndForth[some](t, random, rows), cmpopts.EquateEmpty(),
		cmp.AllowUnexported(some{})); diff != "" {
		t.Errorf("other rows (-want +got):\n%s", diff)
	}
}

// A column of another shape than declared is converted.
func TestOtherShapesAreConverted(t *testing.T) {
	t.Parallel()
	type written struct {
		Name  *string `parquet:"name,optional"`
		Count int32   `parquet:"count"`
	}
	type declared struct {
		Name  string `parquet:"name"`
		Count int64  `parquet:"count"`
		More  string `parquet:"more"`
	}
	name := "a"
	random := rand.New(rand.NewPCG(5, 5))
	got := backAndForth[declared](t, random, []written{{&name, 3}, {nil, 4}})
	expect.Equal(t, got, []declared{{"a", 3, ""}, {"", 4, ""}})
}
