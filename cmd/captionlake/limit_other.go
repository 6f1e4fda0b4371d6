//go:build !linux

package main

import "github.com/captionlake/captionlake/analytics/engine"

// limitMemory does nothing where the system has no such bound; that of DuckDB holds.
func limitMemory(engine.Options, float64, uint64) (undo func(), err error) {
	return func() {}, nil
}
