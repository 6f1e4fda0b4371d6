package data

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data/expect"
)

// No column has a field id, because catalogs such as Iceberg's give their own: pyiceberg's
// add_files refuses files that number the elements of lists in another order.
func TestColumnsFollowTheirDeclaration(t *testing.T) {
	t.Parallel()
	for _, table := range Tables() {
		row := table.RowType()
		for i, field := range parquet.SchemaOf(reflect.New(row).Interface()).Fields() {
			expect.Equal(t, field.Name(), columnName(row.Field(i)), table.Name())
			if field.ID() != 0 || !field.Leaf() && field.Fields()[0].Fields()[0].ID() != 0 {
				t.Errorf("%s.%s has a field id", table.Name(), field.Name())
			}
		}
	}
}

func TestColumnsAvoidWhatOtherEnginesCannotRead(t *testing.T) {
	t.Parallel()
	for _, table := range Tables() {
		row := table.RowType()
		schema := parquet.SchemaOf(reflect.New(row).Interface())
		for _, path := range schema.Columns() {
			leaf, _ := schema.Lookup(path...)
			// pyarrow cannot read text of a delta encoding as categories.
			if e := leaf.Node.Encoding(); !strings.HasSuffix(strings.Join(path, "."), ".element") &&
				leaf.Node.Type().Kind() == parquet.ByteArray &&
				e != &parquet.RLEDictionary && e != &parquet.Plain {
				t.Errorf("%s.%v is neither dictionary-encoded nor plain", table.Name(), path)
			}
			if leaf.Node.Type().Kind() == parquet.Int96 {
				t.Errorf("%s.%v is INT96", table.Name(), path)
			}
			if strings.HasPrefix(leaf.Node.Type().String(), "INT(") &&
				strings.HasSuffix(leaf.Node.Type().String(), "false)") {
				t.Errorf("%s.%v is unsigned", table.Name(), path)
			}
		}
	}
}

// Compare must look at the columns of the key, in their order, and at nothing else.
func TestCompareFollowsTheKey(t *testing.T) {
	t.Parallel()
	for _, of := range Tables() {
		table := of.stored()
		fields := map[string]int{}
		for i := range table.row.NumField() {
			fields[columnName(table.row.Field(i))] = i
		}
		compare := func(a, b []string) int {
			var texts [2]string
			for i, set := range [][]string{a, b} {
				row := reflect.New(table.row).Elem()
				for _, column := range set {
					setNonZero(row.Field(fields[column]))
				}
				texts[i] = table.sortText(row)
			}
			return strings.Compare(texts[0], texts[1])
		}
		for i, column := range table.key {
			// A later key column that points the other way must not matter.
			expect.Equal(t, compare(table.key[i+1:], table.key[i:i+1]), -1, table.name, column)
		}
		for column := range fields {
			if !slices.Contains(table.key, column) {
				expect.Equal(t, compare(nil, []string{column}), 0, table.name, column)
			}
		}
	}
}

func setNonZero(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(ProvenancePublished) // as good as another text, and the only one that a column of provenance takes
	case reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		setNonZero(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		setNonZero(v.Index(0))
	case reflect.Struct:
		v.Set(reflect.ValueOf(time.Unix(1, 1000).UTC()))
	}
}

// Every row type comes back from Parquet as it went in, with every column set and with none.
func TestRowTypesRoundTrip(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	roundTrip(t, l, Images)
	roundTrip(t, l, Taxonomy)
	roundTrip(t, l, Questions)
	roundTrip(t, l, Candidates)
	roundTrip(t, l, BlindTrials)
	roundTrip(t, l, Embeddings)
	roundTrip(t, l, QuestionGroups)
	roundTrip(t, l, Validations)
	roundTrip(t, l, Routes)
	roundTrip(t, l, Reviews)
	roundTrip(t, l, QualityRatings)
	roundTrip(t, l, Captions)
	roundTrip(t, l, Calls)
	roundTrip(t, l, Answers)
	roundTrip(t, l, Annotations)
	roundTrip(t, l, Judgments)
	roundTrip(t, l, ElementAnswers)
	roundTrip(t, l, Battles)
	roundTrip(t, l, Votes)
	roundTrip(t, l, PublishedFigures)
	roundTrip(t, l, Models)
}

func roundTrip[T any](t *testing.T, l *Lake, table Table[T]) {
	t.Helper()
	var empty, full T
	v := reflect.ValueOf(&full).Elem()
	for i := range v.NumField() {
		setNonZero(v.Field(i))
	}
	// A time's zero value is outside the range of microseconds since 1970 that Parquet's statistics
	// can order.
	setTimes(reflect.ValueOf(&empty).Elem())
	// A row without provenance gets the provenance of its unit.
	if provenance := reflect.ValueOf(&empty).Elem().FieldByName("Provenance"); provenance.IsValid() {
		provenance.SetString(ProvenanceSimulated)
	}
	writeUnit(t, l, Unit{Stage: "round-trip", Name: table.Name(), Provenance: ProvenanceSimulated}, table, full, empty)
	got := allRows(t, l, table)
	if len(got) != 2 || fmt.Sprint(normal(got[0])) != fmt.Sprint(normal(empty)) ||
		fmt.Sprint(normal(got[1])) != fmt.Sprint(normal(full)) {
		t.Errorf("%s: got %+v, want %+v and %+v", table.Name(), got, empty, full)
	}
}

func setTimes(v reflect.Value) {
	for i := range v.NumField() {
		if v.Field(i).Type() == reflect.TypeFor[time.Time]() {
			v.Field(i).Set(reflect.ValueOf(time.Unix(0, 0).UTC()))
		}
	}
}

// normal replaces pointers by the values that they point to, so that rows can be compared by their
// text.
func normal(row any) []any {
	v := reflect.ValueOf(row)
	out := make([]any, v.NumField())
	for i := range out {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer && !f.IsNil() {
			f = f.Elem()
		}
		out[i] = f.Interface()
	}
	return out
}
