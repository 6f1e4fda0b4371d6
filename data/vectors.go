package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/parquet-go/parquet-go"
)

// Vectors streams the embeddings of a model by candidate, their vectors alone. It is Select for rows of thousands of numbers, whose lists are
// copied from the pages of their file as they are rather than read number by number.
func Vectors(l *Lake, model string) iter.Seq2[Embedding, error] {
	return selectBy(l, Embeddings, Where{"model": model}, func(name string) iter.Seq2[Embedding, error] { return scanVectors(l, name) })
}

// A vectorKey is what is read of an embedding besides its vector.
type vectorKey struct {
	CandidateID string `parquet:"candidate_id"`
	Model       string `parquet:"model"`
}

func scanVectors(l *Lake, name string) iter.Seq2[Embedding, error] {
	return func(yield func(Embedding, error) bool) {
		if err := readVectors(l, name, yield); err != nil {
			yield(Embedding{}, err)
		}
	}
}

func readVectors(l *Lake, name string, yield func(Embedding, error) bool) (err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := openParquet(l, f, name)
	if err != nil {
		return err
	}
	lists, err := newFloatLists(pf, "vector")
	if err != nil {
		return fmt.Errorf("%s: %w", l.Path(name), err)
	}
	defer func() { err = errors.Join(err, lists.close()) }()
	for keys, err := range batches[vectorKey](l, name, selectBatch) {
		if err != nil {
			return err
		}
		for _, k := range keys {
			vector, err := guarded(lists.next)
			if err != nil {
				return fmt.Errorf("%s: %w", l.Path(name), err)
			}
			if !yield(Embedding{CandidateID: k.CandidateID, Model: k.Model, Vector: vector}, nil) {
				return nil
			}
		}
	}
	return nil
}

// floatLists reads the lists of a column of single-precision numbers, one after the other.
type floatLists struct {
	groups   []parquet.RowGroup // those that are still to be read
	column   int
	full     byte // definition level of a number, rather than of an empty list
	pages    parquet.Pages
	page     parquet.Page
	numbers  []float32 // of the page that are still to be read, and their levels
	repeats  []byte    // 0 where a list begins
	defining []byte
}

func newFloatLists(pf *parquet.File, column string) (*floatLists, error) {
	leaf, ok := pf.Schema().Lookup(column, "list", "element")
	if !ok || leaf.Node.Type().Kind() != parquet.Float {
		return nil, WithHint(fmt.Errorf("the column %s is no list of numbers", column), damagedFileHint)
	}
	return &floatLists{groups: pf.RowGroups(), column: int(leaf.ColumnIndex), full: byte(leaf.MaxDefinitionLevel)}, nil
}

// next is the next list. It is a copy.
func (f *floatLists) next() ([]float32, error) {
	list := []float32{}
	for begun := false; ; begun = true {
		if len(f.repeats) == 0 {
			if err := f.turn(); begun && errors.Is(err, io.EOF) {
				return list, nil
			} else if err != nil {
				return nil, err
			}
		}
		if begun && f.repeats[0] == 0 {
			return list, nil
		}
		levels := 1 + bytes.IndexByte(f.repeats[1:], 0)
		if levels == 0 {
			levels = len(f.repeats)
		}
		n := bytes.Count(f.defining[:levels], []byte{f.full})
		list = append(list, f.numbers[:n]...)
		f.numbers, f.repeats, f.defining = f.numbers[n:], f.repeats[levels:], f.defining[levels:]
	}
}

// turn goes to the next page that holds something; io.EOF ends them.
func (f *floatLists) turn() (err error) {
	for len(f.repeats) == 0 {
		if f.pages == nil {
			if len(f.groups) == 0 {
				return io.EOF
			}
			f.pages, f.groups = f.groups[0].ColumnChunks()[f.column].Pages(), f.groups[1:]
		}
		f.release()
		if f.page, err = f.pages.ReadPage(); errors.Is(err, io.EOF) {
			err, f.pages = f.pages.Close(), nil
			if err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		values := f.page.Data()
		f.numbers, f.repeats, f.defining = values.Float(), f.page.RepetitionLevels(), f.page.DefinitionLevels()
	}
	return nil
}

func (f *floatLists) release() {
	if f.page != nil {
		parquet.Release(f.page)
		f.page = nil
	}
}

func (f *floatLists) close() error {
	f.release()
	if f.pages == nil {
		return nil
	}
	return f.pages.Close()
}
