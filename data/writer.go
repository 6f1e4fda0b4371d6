package data

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/parquet-go/parquet-go"
)

const (
	rowGroupRows    = 100_000   // rows in a row group
	dictionaryBytes = 256 << 10 // of the distinct values of a column in a row group; beyond that they are written plainly
	chunkRows       = 1 << 10   // rows of a piece of memory: rows never move, and room is taken as they come
	sortRows        = 40_000    // rows sorted in memory at a time
	slowRows        = 15_000    // the same of a writer whose rows come over a long time
	writtenRows     = 64        // rows handed to the library at a time, which takes no more at once
	spillPage       = 16 << 10  // bytes of a column that each temporary file has in memory while they are merged
)

// A RowWriter writes the rows of one table in one unit. Rows may come in any order: they are sorted by the table's
// key, in memory while they are few and through sorted temporary files beyond that, so that memory does not grow with
// the unit. Two rows of one key are an error, of Commit at the latest, unless the writer keeps the last.
type RowWriter[T any] struct {
	tx       *Tx
	table    Table[T]
	temp     string
	buffer   [][]T // pieces of up to chunkRows rows, taken as they are needed
	buffered int   // rows in memory
	runs     []string
	rows     int64
	sum      FileDigest // of the file, once it is closed
	keepLast bool
	most     int // rows sorted in memory at a time
	origins  rowOrigins
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
	w := &RowWriter[T]{tx: tx, table: table, most: sortRows, temp: tx.lake.Temp(tx.stem + "." + table.name), origins: newRowOrigins(table, tx.unit)}
	final := table.name + "/" + tx.stem + ".parquet"
	tx.writers = append(tx.writers, &openTable{
		table: table.name, temp: w.temp, final: final,
		rows: &w.rows, sum: &w.sum, close: w.close, abort: w.abort, large: func() bool { return len(w.runs) > 0 },
		simulated: func() bool { return w.rows > 0 && w.origins.named && !w.origins.real },
		collides:  table.collisions(w.temp, final),
	})
	return w, nil
}

// KeepLast makes a row replace an earlier one of the same key.
func (w *RowWriter[T]) KeepLast() { w.keepLast = true }

// Slowly tells the writer that its rows come over a long time, beside those of others: it keeps fewer of them in memory.
func (w *RowWriter[T]) Slowly() { w.most = slowRows }

// forget gives the memory of the rows back.
func (w *RowWriter[T]) forget() { w.buffer, w.buffered = nil, 0 }

// row is a row in memory.
func (w *RowWriter[T]) row(i int32) *T { return &w.buffer[i/chunkRows][i%chunkRows] }

// Rows is the number of rows written so far. Rows that a later one replaces count until the replacement is found, at the
// latest by Commit.
func (w *RowWriter[T]) Rows() int64 { return w.rows }

// Write adds rows. They are copied; what their strings and slices point to must not change before Commit. A row without provenance
// gets that of its unit, and one about a rehearsal model is simulated.
func (w *RowWriter[T]) Write(rows ...T) error {
	for i := range rows {
		piece, at := w.buffered/chunkRows, w.buffered%chunkRows
		switch {
		case piece < len(w.buffer):
		case piece == 0:
			w.buffer = append(w.buffer, nil) // It grows row by row: most units have few rows.
		default:
			w.buffer = append(w.buffer, make([]T, 0, chunkRows))
		}
		w.buffer[piece] = append(w.buffer[piece][:at], rows[i])
		if err := w.origins.settle(&w.buffer[piece][at]); err != nil {
			return err
		}
		w.buffered++
	}
	w.rows += int64(len(rows))
	if w.buffered >= w.most {
		return w.spill()
	}
	return nil
}

// spill writes the buffered rows, sorted, to a temporary file of their own.
func (w *RowWriter[T]) spill() error {
	order, err := w.sorted()
	if err != nil {
		return err
	}
	name := w.tx.lake.Temp(fmt.Sprintf("%s.%s.%d", w.tx.stem, w.table.name, len(w.runs)))
	file, err := w.tx.lake.store.Create(name)
	if err != nil {
		return err
	}
	w.runs = append(w.runs, name)
	pw := parquet.NewGenericWriter[T](file, parquet.Compression(&parquet.Snappy), parquet.PageBufferSize(spillPage))
	err = w.writeAll(pw, order)
	w.buffered = 0
	return errors.Join(err, pw.Close(), file.Close())
}

// writeAll writes the buffered rows in the given order, in slices that are still in the processor's cache when the library takes
// their columns out of them.
func (w *RowWriter[T]) writeAll(pw *parquet.GenericWriter[T], order []int32) error {
	chunk := make([]T, 0, writtenRows)
	for positions := range slices.Chunk(order, cap(chunk)) {
		chunk = chunk[:0]
		for _, i := range positions {
			chunk = append(chunk, *w.row(i))
		}
		if _, err := pw.Write(chunk); err != nil {
			return err
		}
	}
	return nil
}

// options are the Parquet settings of the lake's files: zstd, row groups of about 100,000 rows, the sorting
// columns declared, the unit's provenance. Pages have their bounds in the column index and not in their headers, which nothing
// reads.
func (w *RowWriter[T]) options() []parquet.WriterOption {
	sorting := make([]parquet.SortingColumn, 0, 8)
	for _, column := range w.table.Key() {
		sorting = append(sorting, parquet.Ascending(column))
	}
	options := []parquet.WriterOption{
		parquet.Compression(&w.tx.compression),
		parquet.MaxRowsPerRowGroup(rowGroupRows),
		parquet.DictionaryMaxBytes(dictionaryBytes),
		parquet.DataPageStatistics(false),
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
	created, err := w.tx.lake.store.Create(w.temp)
	if err != nil {
		return err
	}
	file := newDigester(created)
	if w.table.name == Runs.name {
		file = newDigester(&sealer{WriteCloser: created})
	}
	pw := parquet.NewGenericWriter[T](file, w.options()...)
	if len(w.runs) == 0 {
		var order []int32
		if order, err = w.sorted(); err == nil {
			err = w.writeAll(pw, order)
		}
	} else {
		if w.buffered > 0 {
			err = w.spill()
		}
		w.forget() // The rows are in the temporary files.
		if err == nil {
			err = w.merge(pw)
		}
	}
	w.forget()
	err = errors.Join(err, pw.Close(), file.Close(), w.dropRuns())
	w.sum = file.digest()
	return err
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
	w.forget()
	// What cannot be removed now is removed when the lake is next opened for writing.
	_ = w.dropRuns()
	_ = w.tx.lake.store.Remove(w.temp)
}

// merge reads the sorted temporary files side by side and writes their rows in key order.
func (w *RowWriter[T]) merge(pw *parquet.GenericWriter[T]) (err error) {
	sources := make([]iter.Seq2[T, error], len(w.runs))
	for i, name := range w.runs {
		sources[i] = scanFileBy[T](w.tx.lake, name, selectBatch)
	}
	// The last row of the batch waits for the next row, which may replace it.
	batch := make([]T, 0, 4096)
	mergeRows(sources, w.table.compare, func(row T, rowErr error) bool {
		n := len(batch)
		switch {
		case rowErr != nil:
			err = rowErr
		case n == 0 || w.table.compare(&batch[n-1], &row) != 0:
			if n == cap(batch) {
				_, err = pw.Write(batch[:n-1])
				batch = append(batch[:0], batch[n-1])
			}
			batch = append(batch, row)
		case w.keepLast:
			batch[n-1] = row
			w.rows--
		default:
			err = w.twice(row)
		}
		return err == nil
	})
	if err == nil {
		_, err = pw.Write(batch)
	}
	return err
}
