package main

import "syscall"

// limitMemory bounds the memory that this process may take besides its program: what asks for more gets an error or ends.
func limitMemory(bytes uint64) error {
	return syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: bytes, Max: bytes})
}
