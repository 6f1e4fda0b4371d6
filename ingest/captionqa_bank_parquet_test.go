package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// bankParquet is the bank of testdata/bank_parquet.txtar.
func bankParquet(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bank.parquet")
	parquetOf(t, path, example(t, "bank_parquet", "bank.sql"))
	return must.Read(t, path)
}

// The same bank in other dress: other field order, required fields, two-level lists, categories as
// lists, more columns, more row groups.
func TestBankParquetOtherWriters(t *testing.T) {
	t.Parallel()
	type image struct {
		Bytes []byte  `parquet:"bytes,optional"`
		Path  *string `parquet:"path,optional"`
	}
	type question struct {
		Category []string `parquet:"category"`
		Answer   string   `parquet:"answer,dict"`
		Extra    int64    `parquet:"extra"`
		Choices  []string `parquet:"choices"`
		Question string   `parquet:"question"`
	}
	type row struct {
		Questions []question `parquet:"questions"`
		Split     string     `parquet:"split"`
		Images    []image    `parquet:"images"`
		ID        string     `parquet:"id"`
	}
	given := bankParquet(t)
	rows := must.Get(parquet.Read[struct {
		ID     string  `parquet:"id"`
		Images []image `parquet:"images,list"`
	}](bytes.NewReader(given), int64(len(given))))(t)
	questions := map[string][]question{
		"nat_001": {{Category: []string{"Attribute - Color", "ignored"}, Answer: "Grey",
			Choices: []string{"Grey", "Black", "White"}, Question: "What colour is the cat?"},
			{Answer: "No", Choices: []string{"Yes", "No"}, Question: "Is it day?"}},
		"emb_001": {{Category: []string{"Perception - Object"}, Answer: "D",
			Choices: []string{"Cup", "Pen", "Box", "Can"}, Question: "What is held?"}},
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.MaxRowsPerRowGroup(2))
	for _, r := range rows {
		must.Get(w.Write([]row{{questions[r.ID], "all", r.Images, r.ID}}))(t)
	}
	must.Succeed(t, w.Close())
	want, got := laketest.New(t), laketest.New(t)
	mustLoad(t, want, textSource(t, "bank.parquet", string(given)), Options{})
	mustLoad(t, got, textSource(t, "bank.parquet", b.String()), Options{})
	expect.Equal(t, fmt.Sprint(laketest.All(t, got, data.Questions)), fmt.Sprint(laketest.All(t, want, data.Questions)))
	expect.Equal(t, fmt.Sprint(laketest.All(t, got, data.Images)), fmt.Sprint(laketest.All(t, want, data.Images)))
}

// Whatever byte of the file is flipped and wherever it is cut: it is refused with a message that
// names it, and the lake stays as it was, or it has as many rows as before.
func TestBankParquetDamaged(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	good := bankParquet(t)
	witness := laketest.New(t)
	mustLoad(t, witness, textSource(t, "bank.parquet", string(good)), Options{})
	want := fmt.Sprint(len(laketest.All(t, witness, data.Questions)), len(laketest.All(t, witness, data.Images)))

	fresh := func() (*data.Lake, map[string]string) {
		l := laketest.New(t)
		mustLoad(t, l, textSource(t, "captions.json", example(t, "captions", "captions.json")),
			Options{Captioner: "gpt-5", Prompt: "Simple"})
		return l, lakeFiles(t, l)
	}
	l, before := fresh()
	for _, size := range []int{4, 100, len(good) / 2, len(good) - 1} {
		mustRefuse(t, l, textSource(t, "bank.parquet", string(good[:size])), Options{})
	}
	refused, same := 0, 0
	for i := 0; i < len(good); i += 211 {
		bad := slices.Clone(good)
		bad[i] ^= 0x55
		target := l
		s := textSource(t, "bank.parquet", string(bad))
		_, err := load(t.Context(), target, s, Options{Format: "captionqa-bank-parquet"})
		if err != nil {
			refused++
			expect.Contains(t, err.Error(), "bank.parquet")
			must.Equal(t, before, lakeFiles(t, l), i)
			continue
		}
		same++
		expect.Equal(t, fmt.Sprint(len(laketest.All(t, l, data.Questions)),
			len(laketest.All(t, l, data.Images))), want, i, len(good))
		l, before = fresh()
	}
	t.Logf("%d flips refused, %d taken", refused, same)
	if refused == 0 {
		t.Error("no flip was refused")
	}
	var faults *Faults
	if _, err := load(t.Context(), l, textSource(t, "bank.parquet", "PAR1 nonsense PAR1"),
		Options{}); !errors.As(err, &faults) {
		t.Errorf("got %v, want faults", err)
	}
}
