//go:build !linux

package main

// limitMemory does nothing where the system has no such bound; that of DuckDB holds.
func limitMemory(uint64) error { return nil }
