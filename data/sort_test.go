package data

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// Rows come in the order of their keys, equal ones in the order in which they were written, whatever their keys look like: texts of which
// one begins with another, that hold zero bytes, that differ late, numbers below zero.
func TestRowsAreSorted(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		texts := []string{"", "a", "a\x00", "a\x00\x00", "ab", "long beginning of a name", "long beginning of a name that goes on 1", "long beginning of a name that goes on 2", "é", "\xff"}
		return texts[draw.IntN(len(texts))]
	}
	for range 200 {
		shared := text()
		checkSorted(t, Answers, 50, func(row int) Answer {
			return Answer{Protocol: "p", Reader: shared, Captioner: shared, QuestionID: shared + text() + text(), Repeat: int32(draw.IntN(3)) - 1, Options: int32(row)}
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
	w := RowWriter[T]{table: table, most: n + 1}
	rows := make([]T, n)
	for i := range rows {
		rows[i] = row(i)
	}
	must.Succeed(t, w.Write(rows...))
	want := slices.Clone(rows)
	slices.SortStableFunc(want, func(a, b T) int { return table.compare(&a, &b) })
	// The last row of each key.
	kept := want[:0:0]
	for i := range want {
		if i+1 == n || table.compare(&want[i], &want[i+1]) != 0 {
			kept = append(kept, want[i])
		}
	}
	if _, err := w.sorted(); (err == nil) != (len(kept) == n) {
		t.Fatalf("%d keys of %d rows: error %v", len(kept), n, err)
	}
	w.keepLast = true
	order, err := w.sorted()
	must.Succeed(t, err)
	if len(order) != len(kept) {
		t.Fatalf("%d rows, want %d", len(order), len(kept))
	}
	for i, position := range order {
		if got, want := fmt.Sprintf("%q", fmt.Sprint(*w.row(position))), fmt.Sprintf("%q", fmt.Sprint(kept[i])); got != want {
			t.Fatalf("row %d is %s, want %s", i, got, want)
		}
	}
}
