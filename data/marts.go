package data

import (
	"maps"
	"slices"
)

// MartFiles are the recorded files of each mart, by the name of the mart and in the order of their
// names.
func MartFiles(lake *Lake) (map[string][]string, error) {
	record, err := MartRecord(lake)
	marts := map[string][]string{}
	for _, file := range slices.Sorted(maps.Keys(record)) {
		marts[RelationOf(file)] = append(marts[RelationOf(file)], file)
	}
	return marts, err
}

// FileMetadata reads the metadata and the number of rows of a Parquet file. For a file that is
// missing or cannot be read, metadata is nil and rows is 0. The caller decides whether that is an
// error.
func FileMetadata(lake *Lake, name string) (metadata map[string]string, rows int64) {
	file, err := readFooter(lake, name)
	if err != nil {
		return nil, 0
	}
	metadata = map[string]string{}
	for _, pair := range file.Metadata().KeyValueMetadata {
		metadata[pair.Key] = pair.Value
	}
	return metadata, file.NumRows()
}
