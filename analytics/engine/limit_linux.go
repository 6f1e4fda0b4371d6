package engine

import (
	"cmp"
	"syscall"

	"github.com/dustin/go-humanize"
)

// LimitMemory limits the memory of the process, because functions of SQL take memory that DuckDB
// does not count. The limit is the memory that DuckDB may use, multiplied by times, plus rest
// bytes. Code that asks for more memory gets an error, or the process ends. undo sets the limit
// that the process had before.
func LimitMemory(o Options, times, rest uint64) (undo func(), err error) {
	undo = func() {}
	n, err := humanize.ParseBytes(cmp.Or(o.MemoryLimit, DefaultMemory))
	if err != nil {
		// The text is a share of the memory, such as 80%, which DuckDB takes, or it is wrong, which
		// DuckDB reports.
		return undo, nil
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &before); err != nil {
		return undo, err
	}
	bound := syscall.Rlimit{Cur: min(before.Max, times*n+rest), Max: before.Max}
	undo = func() { _ = syscall.Setrlimit(syscall.RLIMIT_DATA, &before) } // A limit up to Max is always allowed.
	return undo, syscall.Setrlimit(syscall.RLIMIT_DATA, &bound)
}
