package engine

import (
	"cmp"
	"syscall"

	"github.com/dustin/go-humanize"
)

// LimitMemory limits the memory of the process, because functions of SQL take memory that DuckDB
// does not count. The limit is the memory that DuckDB may use, multiplied by times, plus rest
// bytes. Code that asks for more memory gets an error or ends. undo removes the limit.
func LimitMemory(o Options, times, rest uint64) (undo func(), err error) {
	undo = func() {}
	n, err := humanize.ParseBytes(cmp.Or(o.MemoryLimit, DefaultMemory))
	if err != nil {
		return undo, nil // DuckDB reports a limit that it does not take, and takes shares of the memory, too.
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &before); err != nil {
		return undo, err
	}
	bound := syscall.Rlimit{Cur: min(before.Max, times*n+rest), Max: before.Max}
	undo = func() { _ = syscall.Setrlimit(syscall.RLIMIT_DATA, &before) } // It was so before.
	return undo, syscall.Setrlimit(syscall.RLIMIT_DATA, &bound)
}
