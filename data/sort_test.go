package data

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// Rows come in the order of their keys, equal ones in the order in which they were written,
// whatever their keys look like: texts that begin with another one, hold zero bytes or differ late,
// and numbers below zero.
func TestRowsAreSorted(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		texts := []string{"", "a", "a\x00", "a\x00\x00", "ab", "long beginning of a name",
			"long beginning of a name that goes on 1", "long beginning of a name that goes on 2", "é", "\xff"}
		return texts[draw.IntN(len(texts))]
	}
	for range 200 {
		shared := text()
		checkSorted(t, Answers, 50, func(row int) Answer {
			return Answer{Protocol: "p", Reader: shared, Captioner: shared, QuestionID: shared + text() + text(),
				Repeat: int32(draw.IntN(3)) - 1, Options: int32(row)}
		})
		checkSorted(t, Images, 50, func(row int) Image {
			return Image{ImageID: shared, Frame: int32(draw.IntN(9)) - 4, Width: int32(row)}
		})
		checkSorted(t, Captions, 50, func(row int) Caption {
			return Caption{ImageID: text(), Captioner: text(), Prompt: shared, Caption: fmt.Sprint(row)}
		})
	}
}

func checkSorted[T any](t *testing.T, table Table[T], n int, row func(i int) T) {
	t.Helper()
	rows := make([]T, n)
	for i := range rows {
		rows[i] = row(i)
	}
	want := slices.Clone(rows)
	slices.SortStableFunc(want, func(a, b T) int { return byColumns(table, a, b) })
	// The last row of each key.
	kept := want[:0:0]
	for i := range want {
		if i+1 == n || table.Compare(&want[i], &want[i+1]) != 0 {
			kept = append(kept, want[i])
		}
	}
	bare := *table.table
	bare.hasProvenance = false // Rows stay as they are.
	writer := func() *RowWriter[T] {
		w := &RowWriter[T]{&tableWriter{keyCheck: keyCheck{table: &bare}}}
		must.Succeed(t, w.Write(rows...))
		return w
	}
	if err := writer().sort(); (err == nil) != (len(kept) == n) {
		t.Fatalf("%d keys of %d rows: error %v", len(kept), n, err)
	}
	w := writer()
	w.keepLast = true
	must.Succeed(t, w.sort())
	must.Equal(t, len(w.held), len(kept))
	for i, row := range w.held {
		must.Equal[any](t, row, &kept[i], i)
	}
}

// byColumns compares the columns of the key one by one.
func byColumns[T any](table Table[T], a, b T) (c int) {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for _, field := range table.fields {
		if v, w := x.Field(field), y.Field(field); c == 0 && v.Kind() == reflect.String {
			c = strings.Compare(v.String(), w.String())
		} else if c == 0 {
			c = int(v.Int() - w.Int())
		}
	}
	return c
}
