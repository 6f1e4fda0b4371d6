// Package data is the lake. It has the row types (the schema of record), reads and writes tables,
// commits units of work atomically, and locks units against other processes. It also has the
// journal of work in flight, provenance, and the reference data embedded in the binary.
//
// It must not know of foreign file formats, language models or drawings: every other room imports
// data, and data imports no other room. The Reader that a lake was opened with answers its SQL
// queries.
package data
