//go:build !linux

package data

// networkOf names the network file system that a folder is on; empty for a local one, and where nothing tells.
func networkOf(string) string { return "" }
