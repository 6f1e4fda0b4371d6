package data

import (
	"fmt"
	"testing"
	"os"
	"reflect"
	"github.com/parquet-go/parquet-go"
)

func BenchmarkTmpRead(b *testing.B) {
	var l *Lake
	var err error
	if _, e := os.Stat("/tmp/benchlake"); e == nil {
		l, err = Open("/tmp/benchlake")
	} else {
		l, err = Create("/tmp/benchlake", "t")
		if err == nil { writeBenchUnits(b, l, 33027) }
	}
	if err != nil { b.Fatal(err) }
	defer l.Close()
	b.ResetTimer()
	for b.Loop() {
		n, score := 0, 0.0
		for batch, err := range Batches(l, Answers) {
			if err != nil { b.Fatal(err) }
			for i := range batch { score += batch[i].Score }
			n += len(batch)
		}
		if n != 96*33027 { b.Fatal(n) }
	}
	report(b, 33027)
}

func TestTmpShape(t *testing.T) {
	for _, table := range Tables() {
		row := table.RowType()
		declared := parquet.SchemaOf(reflect.New(row).Interface())
		for i, p := range declared.Columns() {
			leaf, _ := declared.Lookup(p...)
			c := newColumn(row, row.Field(i), leaf)
			if c == nil { fmt.Println(table.Name(), p, leaf.MaxDefinitionLevel, leaf.MaxRepetitionLevel, leaf.Node.Type()) }
		}
	}
}
