package main

import (
	"cmp"
	"fmt"
	"strings"
	"syscall"

	"github.com/captionlake/captionlake/analytics/engine"
)

// limitMemory limits the memory of the process, because functions of SQL take memory that DuckDB
// does not count. The limit is the memory that DuckDB may use, multiplied by times, plus rest
// bytes. Code that asks for more memory gets an error or ends. undo removes the limit.
func limitMemory(o engine.Options, times float64, rest uint64) (undo func(), err error) {
	undo = func() {}
	var n float64
	var unit string
	sizes := map[string]float64{"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}
	if _, err := fmt.Sscanf(cmp.Or(o.MemoryLimit, engine.DefaultMemory), "%f%s", &n, &unit); err != nil || sizes[strings.ToLower(unit)] == 0 {
		return undo, nil // DuckDB reports a limit that it does not take, and takes shares of the memory, too.
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &before); err != nil {
		return undo, err
	}
	bound := syscall.Rlimit{Cur: min(before.Max, uint64(times*n*sizes[strings.ToLower(unit)])+rest), Max: before.Max}
	undo = func() { _ = syscall.Setrlimit(syscall.RLIMIT_DATA, &before) } // It was so before.
	return undo, syscall.Setrlimit(syscall.RLIMIT_DATA, &bound)
}
