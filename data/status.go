package data

import (
	"errors"
)

// A TableStatus says how much of a table there is. It is read from the files' footers alone.
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
		names, err := l.Files(t)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			rows, size, err := l.footer(name)
			if err != nil {
				return nil, err
			}
			s.Units++
			s.Rows += rows
			s.Bytes += size
		}
		all = append(all, s)
	}
	return all, nil
}

func (l *Lake) footer(name string) (rows, size int64, err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := openParquet(l, f, name)
	if err != nil {
		return 0, 0, err
	}
	return pf.NumRows(), f.Size(), nil
}

// State digests what a table holds now: the names of its units and the executions that wrote them. It is read from the
// files' footers alone, and changes whenever a unit is written anew.
func (l *Lake) State(table AnyTable) (string, error) {
	names, err := l.Files(table)
	if err != nil {
		return "", err
	}
	var parts []string
	for _, name := range names {
		run, err := l.runOf(name)
		if err != nil {
			return "", err
		}
		parts = append(parts, name, run)
	}
	return Fingerprint(parts...), nil
}

func (l *Lake) runOf(name string) (run string, err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := openParquet(l, f, name)
	if err != nil {
		return "", err
	}
	run, _ = pf.Lookup("captionlake.run_id")
	return run, nil
}
