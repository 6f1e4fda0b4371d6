package data

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data/seal"
)

const (
	rowGroupRows    = 100_000   // rows in a row group
	dictionaryBytes = 256 << 10 // bytes of a column's dictionary in a row group; other values are written plainly
	sortRows        = 40_000    // rows sorted in memory at a time
	writtenRows     = 64        // rows passed to the library at a time; the library takes no more at once
	spillPage       = 16 << 10  // bytes of a column that each temporary file has in memory during the merge
)

// A RowWriter writes the rows of one table in one unit. Rows may come in any order, and the writer
// sorts them by the table's key. It sorts a few rows in memory, and many rows through sorted
// temporary files, so that memory does not grow with the unit. Two rows of one key are an error, at
// the latest in Commit, unless KeepLast was called.
type RowWriter[T any] struct{ *tableWriter }

// A tableWriter is a RowWriter without the row type.
type tableWriter struct {
	header *unitHeader
	keyCheck
	held     []any    // pointers to the rows in memory
	spilled  []string // sorted temporary files
	rows     int64
	sum      FileDigest // digest of the file, once the writer is closed
	keepLast bool       // whether the last of several rows with one key counts; otherwise they are an error
	real     bool       // whether any row is not simulated
}

func newTableWriter(h *unitHeader, t *table) *tableWriter {
	return &tableWriter{header: h, keyCheck: keyCheck{table: t, temp: h.lake.Temp(h.stem + "." + t.name),
		final: t.file(h.stem)}}
}

// KeepLast makes a row replace an earlier one of the same key.
func (w *tableWriter) KeepLast() { w.keepLast = true }

// Rows is the number of rows written so far. A row that a later row replaces counts until the
// writer sorts the two rows, at the latest in Commit.
func (w *tableWriter) Rows() int64 { return w.rows }

// simulated reports whether the table has a provenance column and all its rows are simulated.
func (w *tableWriter) simulated() bool { return w.rows > 0 && w.table.hasProvenance && !w.real }

// Write adds rows. It copies the rows, but the contents of their strings and slices must not change
// before Commit. A row without provenance gets the provenance of its unit. A row about a rehearsal
// model gets the provenance simulated.
func (w *RowWriter[T]) Write(rows ...T) error {
	rows = slices.Clone(rows)
	for i := range rows {
		if err := w.add(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// add adds the row that a pointer points to. The caller must not change the row any more.
func (w *tableWriter) add(row any) error {
	if err := w.setProvenance(row); err != nil {
		return err
	}
	w.held = append(w.held, row)
	w.rows++
	if len(w.held) == sortRows {
		return w.spill()
	}
	return nil
}

// sort sorts the rows in memory by key. With keepLast, only the last row of each key stays.
func (w *tableWriter) sort() error {
	type keyed struct {
		key   string
		place int // in the order of writing
		row   any
	}
	rows := make([]keyed, len(w.held))
	for i, row := range w.held {
		rows[i] = keyed{w.table.sortText(reflect.ValueOf(row).Elem()), i, row}
	}
	slices.SortFunc(rows, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), a.place-b.place) })
	w.held = w.held[:0]
	for i, r := range rows {
		if i > 0 && r.key == rows[i-1].key {
			if !w.keepLast {
				return w.twice(w.table.keyText(reflect.ValueOf(r.row).Elem()))
			}
			w.held = w.held[:len(w.held)-1]
			w.rows--
		}
		w.held = append(w.held, r.row)
	}
	return nil
}

// twice is the error of two rows with one key.
func (w *tableWriter) twice(key string) error { return fmt.Errorf("two rows with the key %s", key) }

// spill writes the rows in memory, sorted, to a temporary file.
func (w *tableWriter) spill() error {
	name := w.header.lake.Temp(fmt.Sprintf("%s.%s.%d", w.header.stem, w.table.name, len(w.spilled)))
	file, err := w.header.lake.store.Create(name)
	if err != nil {
		return err
	}
	w.spilled = append(w.spilled, name)
	// Snappy takes less time than zstd, and the file is soon deleted.
	pw := w.table.encode(file, parquet.Compression(&parquet.Snappy), parquet.PageBufferSize(spillPage))
	return errors.Join(w.writeHeld(pw), pw.Close(), file.Close())
}

// writeHeld writes the rows in memory, sorted, and drops them.
func (w *tableWriter) writeHeld(pw encoder) error {
	err := w.sort()
	for rows := range slices.Chunk(w.held, writtenRows) {
		if err == nil {
			err = pw.writePointers(rows)
		}
	}
	w.held = nil
	return err
}

// options are the Parquet settings of the lake's files: zstd, row groups of about 100,000 rows, the
// sorting columns and the unit's provenance. The column index has the bounds of pages. The headers
// of pages have no bounds, since nothing reads bounds there.
func (w *tableWriter) options() []parquet.WriterOption {
	options := []parquet.WriterOption{
		parquet.Compression(&w.header.compression),
		parquet.MaxRowsPerRowGroup(rowGroupRows),
		parquet.DictionaryMaxBytes(dictionaryBytes),
		parquet.DataPageStatistics(false),
		parquet.SortingWriterConfig(parquet.SortingColumns(w.table.sorting()...)),
		parquet.CreatedBy("captionlake", Version, ""), // without the name of a build
	}
	for _, kv := range w.header.metadata() {
		options = append(options, parquet.KeyValueMetadata(kv[0], kv[1]))
	}
	return options
}

// close writes the rows, sorted, to the table's file, makes the file durable and digests it.
func (w *tableWriter) close() error {
	l := w.header.lake
	file, err := l.store.Create(w.temp)
	if err != nil {
		return err
	}
	if w.table == Runs.table { // No other file has the digest of a file of runs.
		file = &seal.Writer{WriteCloser: file}
	}
	pw := w.table.encode(file, w.options()...)
	if len(w.spilled) == 0 {
		err = w.writeHeld(pw)
	} else if err = w.spill(); err == nil { // The rows in memory become the last sorted file.
		err = w.merge(pw)
	}
	if err = errors.Join(err, pw.Close(), file.Close(), w.dropSpilled()); err == nil {
		w.sum, err = DigestOf(l, w.temp)
	}
	return err
}

// dropSpilled removes the sorted temporary files.
func (w *tableWriter) dropSpilled() error {
	var errs []error
	for _, name := range w.spilled {
		errs = append(errs, w.header.lake.store.Remove(name))
	}
	w.spilled = nil
	return errors.Join(errs...)
}

// abort deletes the writer's files.
func (w *tableWriter) abort() {
	w.held = nil
	// If this fails, the next writer removes the files.
	_ = w.dropSpilled()
	_ = w.header.lake.store.Remove(w.temp)
}

// merge reads the sorted temporary files side by side and writes their rows in key order.
func (w *tableWriter) merge(pw encoder) error {
	sources, err := openAll(w.header.lake, w.table, w.spilled, nil) // nil: all rows
	if err != nil {
		return err
	}
	var batch []parquet.Row
	write := func() error {
		_, err := pw.WriteRows(batch)
		batch = batch[:0]
		return err
	}
	err = mergeRows(sources, w.table.order, func(same []*rowSource) (bool, error) {
		if until := w.header.until; until != nil && until.Err() != nil {
			return false, until.Err()
		}
		last := same[len(same)-1].row // same is in the order of w.spilled, so this row was written last.
		if len(same) > 1 && !w.keepLast {
			return false, w.twice(w.table.keyOf(last))
		}
		w.rows -= int64(len(same) - 1)
		if batch = append(batch, last.Clone()); len(batch) < writtenRows {
			return true, nil
		}
		err := write()
		return err == nil, err
	})
	if err == nil {
		err = write()
	}
	return errors.Join(err, closeAll(sources))
}

// setProvenance gives a row without provenance the provenance of its unit, refuses an unknown
// provenance, and marks rows about rehearsal models as simulated. It sets w.real at the first row
// that is not simulated. row points to a row of the table.
func (w *tableWriter) setProvenance(row any) error {
	t := w.table
	if !t.hasProvenance {
		return nil
	}
	fields := reflect.ValueOf(row).Elem()
	given := fields.Field(t.provenance)
	if given.Len() == 0 {
		given.SetString(w.header.unit.Provenance)
	}
	switch given.String() {
	case ProvenanceSimulated:
		return nil
	case ProvenancePublished, ProvenanceMeasured:
	default:
		return fmt.Errorf("table %s: a row has the provenance %q, which is not one of published, measured, simulated",
			t.name, given.String())
	}
	for _, i := range t.models {
		if rehearsalModels()[fields.Field(i).String()] {
			given.SetString(ProvenanceSimulated)
			return nil
		}
	}
	w.real = true
	return nil
}
