//go:build !linux

package engine

// LimitMemory does nothing where the system has no such limit. The memory limit of DuckDB still
// holds.
func LimitMemory(Options, uint64, uint64) (undo func(), err error) {
	return func() {}, nil
}
