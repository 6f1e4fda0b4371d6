package data

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
)

// A TableStatus gives the size of a table. The size is read from the footers of the table's files.
type TableStatus struct {
	Name  string `json:"name"`
	Units int    `json:"units"` // files, one for each unit of work
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

// Status describes every table of the lake, empty ones included, in the order of Tables.
func (l *Lake) Status() ([]TableStatus, error) {
	var all []TableStatus
	for _, t := range Tables() {
		s := TableStatus{Name: t.Name()}
		err := eachUnit(l, t, func(name string) error {
			footer, err := readFooter(l, name)
			if err == nil {
				s.Units, s.Rows, s.Bytes = s.Units+1, s.Rows+footer.NumRows(), s.Bytes+footer.Size()
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// eachUnit passes the file of each unit of a table to read, as eachFile does.
func eachUnit(l *Lake, table AnyTable, read func(name string) error) error {
	return eachFile(l, func() ([]string, error) { return l.Files(table) }, func(name string) (bool, error) {
		return true, read(name)
	})
}

// Units are the units with rows of a table, with the SHA-256 of their files. Units reads the whole
// of each file.
func (l *Lake) Units(table AnyTable) (map[string]string, error) {
	units := map[string]string{}
	err := eachUnit(l, table, func(name string) error {
		sum, err := DigestOf(l, name)
		if err == nil {
			units[unitOf(name)] = sum.SHA256
		}
		return err
	})
	return units, err
}

// RowCounts are the units with rows of a table, with the row counts in the footers of their files.
func RowCounts(l *Lake, table AnyTable) (map[string]int64, error) {
	rows := map[string]int64{}
	err := eachUnit(l, table, func(name string) error {
		footer, err := readFooter(l, name)
		if err == nil {
			rows[unitOf(name)] = footer.NumRows()
		}
		return err
	})
	return rows, err
}

// State digests the present content of a table: the names of its units and the digests of their
// files. The digest changes whenever a unit is rewritten or a file is damaged.
func (l *Lake) State(table AnyTable) (string, error) {
	units, err := l.Units(table)
	if err != nil {
		return "", err
	}
	var parts []string
	for _, unit := range slices.Sorted(maps.Keys(units)) {
		parts = append(parts, unit, units[unit])
	}
	return Fingerprint(parts...), nil
}

// UnitState is the digest of a unit's file of a table; empty when there is no such file.
func (l *Lake) UnitState(table AnyTable, u Unit) (string, error) {
	sum, err := DigestOf(l, table.Name()+"/"+u.FileStem()+".parquet")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return sum.SHA256, err
}
