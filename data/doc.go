// Package data is the lake: the row types that are its schema of record, the reading and writing of tables, the
// atomic commit of a unit of work, locks that keep several processes from one unit, the journal of work in flight, provenance, and the
// reference data that is embedded in the binary.
//
// It must not know of foreign file formats, of language models or of drawings: every other room imports
// data, and data imports none of them. What it asks in SQL is answered by the Reader that a lake was opened with.
package data
