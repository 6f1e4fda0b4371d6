package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/parquet-go/parquet-go"
)

// everyKind has a column of each kind that the decoder knows, plain and with a dictionary, also where no table has one.
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

// The decoder gives what parquet-go's own reader of rows gives, for every row type of the lake and whatever the file's
// pages and row groups.
func TestDecoderMatchesGenericReader(t *testing.T) {
	matchReaders[everyKind](t)
	matchReaders[Image](t)
	matchReaders[TaxonomyNode](t)
	matchReaders[Question](t)
	matchReaders[Candidate](t)
	matchReaders[BlindTrial](t)
	matchReaders[Embedding](t)
	matchReaders[QuestionGroup](t)
	matchReaders[Validation](t)
	matchReaders[Review](t)
	matchReaders[Caption](t)
	matchReaders[Call](t)
	matchReaders[Answer](t)
	matchReaders[Annotation](t)
	matchReaders[Judgment](t)
	matchReaders[ElementAnswer](t)
	matchReaders[Battle](t)
	matchReaders[Vote](t)
	matchReaders[Published](t)
	matchReaders[Model](t)
	matchReaders[Run](t)
	for _, table := range Tables() {
		if !matched[table.RowType()] {
			t.Errorf("add the row type of %s above", table.Name())
		}
	}
}

var matched = map[reflect.Type]bool{}

func matchReaders[T any](t *testing.T) {
	t.Helper()
	matched[reflect.TypeFor[T]()] = true
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 7))
		rows := randomRows[T](random, []int{0, 1, 300, 1500}[seed])
		pf := openRows(t, random, rows)
		d, ok := newDecoder[T](pf)
		if !ok {
			t.Fatalf("%T: the decoder does not know a column", rows)
		}
		got := readRows(t, d, random)
		compareRows(t, got, readRows(t, clearing[T]{parquet.NewGenericReader[T](pf)}, random))
		compareRows(t, emptyAsNil(got), emptyAsNil(rows))
	}
}

// openRows writes rows to a Parquet file in memory whose pages, row groups and page format are random.
func openRows[T any](t testing.TB, random *rand.Rand, rows []T) *parquet.File {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b,
		parquet.PageBufferSize([]int{200, 1000, 100_000}[random.IntN(3)]),
		parquet.MaxRowsPerRowGroup([]int64{100, 500, 100_000}[random.IntN(3)]),
		parquet.DataPageVersion(1+random.IntN(2)),
		parquet.DictionaryMaxBytes([]int64{0, 100}[random.IntN(2)]),
		parquet.Compression(&parquet.Snappy))
	for len(rows) > 0 {
		n := min(len(rows), 1+random.IntN(300))
		if _, err := w.Write(rows[:n]); err != nil {
			t.Fatal(err)
		}
		rows = rows[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	pf, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()), parquet.SkipPageIndex(true))
	if err != nil {
		t.Fatal(err)
	}
	return pf
}

// readRows reads all rows in batches of one random size, into a slice that still holds the batch before.
func readRows[T any](t testing.TB, r rowReader[T], random *rand.Rand) []T {
	t.Helper()
	batch := randomRows[T](random, []int{1, 13, 128, parallelRows, 2 * parallelRows}[random.IntN(5)])
	var all []T
	for {
		n, err := r.Read(batch)
		all = append(all, batch[:n]...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

func compareRows[T any](t testing.TB, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%T: %d rows, want %d", got, len(got), len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("row %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

// emptyAsNil makes empty lists nil, because Parquet does not tell them apart.
func emptyAsNil[T any](rows []T) []T {
	rows = append([]T(nil), rows...)
	for i := range rows {
		v := reflect.ValueOf(&rows[i]).Elem()
		for f := range v.NumField() {
			if field := v.Field(f); field.Kind() == reflect.Slice && field.Len() == 0 {
				field.SetZero()
			}
		}
	}
	return rows
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
		texts := []string{"", "a", "Natural", "élan 漢字 🙂", "nul\x00byte", "\xff not text", longText, strconv.Itoa(random.Int())}
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

func TestDecoderProjects(t *testing.T) {
	type some struct { // in another order than the table's, with a column that the file does not have
		Provenance    string    `parquet:"provenance,dict"`
		Later         []string  `parquet:"later,list"`
		Probabilities []float64 `parquet:"probabilities,list"`
		ChoiceIndex   *int32    `parquet:"choice_index,optional"`
		Score         float64   `parquet:"score"`
		QuestionID    string    `parquet:"question_id,dict"`
		LaterCount    *int32    `parquet:"later_count,optional"`
	}
	random := rand.New(rand.NewPCG(3, 1))
	rows := randomRows[Answer](random, 3000)
	d, ok := newDecoder[some](openRows(t, random, rows))
	if !ok {
		t.Fatal("the decoder does not take the projection")
	}
	var want []some
	for _, r := range emptyAsNil(rows) {
		want = append(want, some{Provenance: r.Provenance, Probabilities: r.Probabilities, ChoiceIndex: r.ChoiceIndex, Score: r.Score, QuestionID: r.QuestionID})
	}
	compareRows(t, emptyAsNil(readRows(t, d, random)), want)
}

// A column of another shape than declared is read by parquet-go, which converts it.
func TestOtherShapesAreConverted(t *testing.T) {
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
	pf := openRows(t, random, []written{{&name, 3}, {nil, 4}})
	r := newRowReader[declared](pf)
	if _, ok := r.(*decoder[declared]); ok {
		t.Fatal("the decoder takes columns of other types")
	}
	compareRows(t, readRows(t, r, random), []declared{{"a", 3, ""}, {"", 4, ""}})
}

// A row group that says that it has more rows than a column holds is damaged, whatever the column's shape.
func TestColumnsThatEndEarly(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	d, ok := newDecoder[everyKind](openRows(t, random, randomRows[everyKind](random, 10)))
	if !ok {
		t.Fatal("no decoder")
	}
	chunks := d.groups[0].ColumnChunks()
	rows := make([]everyKind, 12)
	for i, c := range d.columns {
		c.open(chunks[d.leaves[i]])
		err := c.read(unsafe.Pointer(unsafe.SliceData(rows)), len(rows))
		if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), columnName(reflect.TypeFor[everyKind]().Field(i))) {
			t.Errorf("column %d: got %v", i, err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

// Page checksums tell damage: a changed byte of any page is an error that names the file, never another value.
func TestDamagedPagesAreErrors(t *testing.T) {
	l := newLake(t)
	var captions []Caption
	for i := range 2000 {
		captions = append(captions, Caption{ImageID: fmt.Sprintf("i%04d", i), Captioner: "m", Prompt: "Long", Caption: fmt.Sprintf("text %d", i*i)})
	}
	if err := commitCaptions(t, l, "one", "f", captions...); err != nil {
		t.Fatal(err)
	}
	names, err := l.Files(Captions)
	if err != nil {
		t.Fatal(err)
	}
	path := l.Path(names[0])
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pf, err := parquet.OpenFile(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range pf.Metadata().RowGroups[0].Columns {
		damaged := bytes.Clone(whole)
		start := c.MetaData.DataPageOffset
		if c.MetaData.DictionaryPageOffset != 0 {
			start = c.MetaData.DictionaryPageOffset
		}
		damaged[start+c.MetaData.TotalCompressedSize-1] ^= 1 // in the column's last page
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range Scan(l, Captions) {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), path) {
			t.Errorf("column %v: got %v", c.MetaData.PathInSchema, last)
		}
	}
}
