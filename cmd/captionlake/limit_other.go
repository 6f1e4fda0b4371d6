//go:build !linux

package main

import "github.com/captionlake/captionlake/analytics/engine"

// limitMemory does nothing where the system has no such limit. The memory limit of DuckDB still
// holds.
func limitMemory(engine.Options, uint64, uint64) (undo func(), err error) {
	return func() {}, nil
}
