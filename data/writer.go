package data

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// rowGroupRows is the number of rows in a row group, and of rows sorted in memory at a time.
const rowGroupRows = 100_000

// A RowWriter writes the rows of one table in one unit. Rows may come in any order: they are sorted by the table's
// key, in memory while they fit into a row group and through sorted temporary files beyond that, so that memory does
// not grow with the unit. Two rows of one key are an error of Commit.
type RowWriter[T any] struct {
	tx     *Tx
	table  Table[T]
	temp   string
	buffer []T
	runs   []string
	rows   int64
}

// NewRowWriter starts writing a table in a unit. Each table is written at most once in a unit; tx.Commit finishes it.
func NewRowWriter[T any](tx *Tx, table Table[T]) (*RowWriter[T], error) {
	if tx.done {
		return nil, errors.New("the unit has ended")
	}
	for _, w := range tx.writers {
		if w.table == table.name {
			return nil, fmt.Errorf("unit %s writes table %s twice", tx.stem, table.name)
		}
	}
	w := &RowWriter[T]{tx: tx, table: table, temp: journalDir + "/" + tx.stem + "." + table.name + tempSuffix}
	tx.writers = append(tx.writers, &openTable{
		table: table.name, temp: w.temp, final: table.name + "/" + tx.stem + ".parquet",
		rows: &w.rows, close: w.close, abort: w.abort,
		collides: func(temp, final string) error { return collisions(tx.lake, table, temp, final) },
	})
	return w, nil
}

// Rows is the number of rows written so far.
func (w *RowWriter[T]) Rows() int64 { return w.rows }

// Write adds rows. They are copied; what their strings and slices point to must not change before Commit.
func (w *RowWriter[T]) Write(rows ...T) error {
	w.buffer = append(w.buffer, rows...)
	w.rows += int64(len(rows))
	if len(w.buffer) >= rowGroupRows {
		return w.spill()
	}
	return nil
}

// sorted returns the order of the buffered rows by key. Their positions are sorted rather than the rows, which are
// large.
func (w *RowWriter[T]) sorted() []int32 {
	order := make([]int32, len(w.buffer))
	for i := range order {
		order[i] = int32(i)
	}
	byKey := func(a, b int32) int { return w.table.compare(&w.buffer[a], &w.buffer[b]) }
	if !slices.IsSortedFunc(order, byKey) {
		slices.SortStableFunc(order, byKey)
	}
	return order
}

// spill writes the buffered rows, sorted, to a temporary file of their own.
func (w *RowWriter[T]) spill() error {
	order := w.sorted()
	name := fmt.Sprintf("%s/%s.%s.%d%s", journalDir, w.tx.stem, w.table.name, len(w.runs), tempSuffix)
	file, err := w.tx.lake.store.Create(name)
	if err != nil {
		return err
	}
	w.runs = append(w.runs, name)
	pw := parquet.NewGenericWriter[T](file, parquet.Compression(&parquet.Snappy))
	err = w.writeAll(pw, order)
	w.buffer = w.buffer[:0]
	return errors.Join(err, pw.Close(), file.Close())
}

// writeAll writes the buffered rows in the given order, in slices small enough that a column's page buffers stay small.
func (w *RowWriter[T]) writeAll(pw *parquet.GenericWriter[T], order []int32) error {
	chunk := make([]T, 0, 4096)
	for positions := range slices.Chunk(order, cap(chunk)) {
		chunk = chunk[:0]
		for _, i := range positions {
			chunk = append(chunk, w.buffer[i])
		}
		if _, err := pw.Write(chunk); err != nil {
			return err
		}
	}
	return nil
}

// options are the Parquet settings of the lake's files: zstd, row groups of about 100,000 rows, the sorting
// columns declared, the unit's provenance.
func (w *RowWriter[T]) options() []parquet.WriterOption {
	sorting := make([]parquet.SortingColumn, 0, 8)
	for _, column := range w.table.Key() {
		sorting = append(sorting, parquet.Ascending(column))
	}
	options := []parquet.WriterOption{
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.MaxRowsPerRowGroup(rowGroupRows),
		parquet.SortingWriterConfig(parquet.SortingColumns(sorting...)),
		parquet.CreatedBy("captionlake", Version, ""),
	}
	for key, value := range w.tx.metadata() {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	return options
}

// close sorts what is left, writes the table's file and makes it durable.
func (w *RowWriter[T]) close() error {
	file, err := w.tx.lake.store.Create(w.temp)
	if err != nil {
		return err
	}
	pw := parquet.NewGenericWriter[T](file, w.options()...)
	if len(w.runs) == 0 {
		order := w.sorted()
		err = w.checkKeys(order)
		if err == nil {
			err = w.writeAll(pw, order)
		}
	} else {
		if len(w.buffer) > 0 {
			err = w.spill()
		}
		if err == nil {
			err = w.merge(pw)
		}
	}
	w.buffer = nil
	return errors.Join(err, pw.Close(), file.Close(), w.dropRuns())
}

func (w *RowWriter[T]) checkKeys(order []int32) error {
	for i := 1; i < len(order); i++ {
		if row := &w.buffer[order[i]]; w.table.compare(&w.buffer[order[i-1]], row) == 0 {
			return w.twice(*row)
		}
	}
	return nil
}

func (w *RowWriter[T]) twice(row T) error {
	return fmt.Errorf("two rows with the key %s", keyText(w.table, row))
}

func (w *RowWriter[T]) dropRuns() error {
	var errs []error
	for _, name := range w.runs {
		errs = append(errs, w.tx.lake.store.Remove(name))
	}
	w.runs = nil
	return errors.Join(errs...)
}

func (w *RowWriter[T]) abort() {
	w.buffer = nil
	// What cannot be removed now is removed when the lake is next opened for writing.
	_ = w.dropRuns()
	_ = w.tx.lake.store.Remove(w.temp)
}

// merge reads the sorted temporary files side by side and writes their rows in key order.
func (w *RowWriter[T]) merge(pw *parquet.GenericWriter[T]) (err error) {
	sources := make([]iter.Seq2[T, error], len(w.runs))
	for i, name := range w.runs {
		sources[i] = scanFile[T](w.tx.lake, name)
	}
	batch := make([]T, 0, 4096)
	var last T
	first := true
	mergeRows(sources, w.table.compare, func(row T, rowErr error) bool {
		switch {
		case rowErr != nil:
			err = rowErr
		case !first && w.table.compare(&last, &row) == 0:
			err = w.twice(row)
		default:
			first, last = false, row
			batch = append(batch, row)
			if len(batch) == cap(batch) {
				_, err = pw.Write(batch)
				batch = batch[:0]
			}
		}
		return err == nil
	})
	if err == nil {
		_, err = pw.Write(batch)
	}
	return err
}
