package data

import (
	"maps"
	"slices"
)

// MartFiles are the recorded files of each mart, the parts of a mart in order.
func MartFiles(lake *Lake) (map[string][]string, error) {
	record, err := MartRecord(lake)
	marts := map[string][]string{}
	for _, file := range slices.Sorted(maps.Keys(record)) {
		marts[RelationOf(file)] = append(marts[RelationOf(file)], file)
	}
	return marts, err
}

// FileMetadata reads the metadata and the number of rows of a Parquet file. It returns nothing for
// a file that is missing or cannot be read.
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
