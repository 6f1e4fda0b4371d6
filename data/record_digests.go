package data

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// Record reads the files of the units that have no digests whole, and records the digests of those without a fault. It
// returns the units that now have them. The lake must be open for writing.
func (l *Lake) Record() (recorded []string, err error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	c := &Check{}
	if err := l.checkTables(c, compareSize); err != nil {
		return nil, err
	}
	for _, stem := range c.Unproven {
		done, err := l.recordUnit(stem)
		if err != nil {
			return recorded, err
		}
		if done {
			recorded = append(recorded, stem)
		}
	}
	return recorded, nil
}

func (l *Lake) recordUnit(stem string) (bool, error) {
	release, err := l.Hold(stem)
	if err != nil {
		return false, err
	}
	defer release()
	runs, err := l.unitRuns(stem)
	if err != nil {
		return false, err
	}
	for i := range runs {
		run := &runs[i]
		current, err := l.wroteFilesByRunID(*run)
		if err != nil {
			return false, err
		}
		if !current {
			continue
		}
		first := int32(1)
		run.Execution = &first
		for _, table := range run.Tables {
			name := table + "/" + stem + ".parquet"
			if err := l.readPages(name); err != nil {
				return false, err
			}
			sum, err := l.digestOf(name, true)
			if err != nil {
				return false, err
			}
			run.TableBytes, run.TableSHA256 = append(run.TableBytes, sum.Bytes), append(run.TableSHA256, sum.SHA256)
		}
		m, err := writeRuns(&Tx{lake: l, unit: Unit{Stage: run.Stage, Provenance: run.Provenance, Source: run.Source}, stem: stem, started: run.StartedAt}, runs)
		if err != nil {
			return false, err
		}
		return true, l.commit(stem, commitRecord{Moves: []move{m}}, func() error { return nil })
	}
	return false, nil // The unit's files are of no execution, which is a fault.
}

// readPages reads every page of a Parquet file, which compares the pages with their checksums.
func (l *Lake) readPages(name string) (err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := openParquet(l, f, name)
	if err != nil {
		return err
	}
	defer asDamage(&err)
	for _, group := range pf.RowGroups() {
		for _, chunk := range group.ColumnChunks() {
			pages := chunk.Pages()
			for err == nil {
				var page parquet.Page
				if page, err = pages.ReadPage(); err == nil {
					parquet.Release(page)
				}
			}
			if closed := pages.Close(); !errors.Is(err, io.EOF) || closed != nil {
				return WithHint(fmt.Errorf("%s: %w", l.Path(name), errors.Join(err, closed)), damagedFileHint)
			}
			err = nil
		}
	}
	return nil
}
