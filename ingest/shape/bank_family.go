package shape

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/file"
)

const (
	parquetExt = ".parquet"
	splitAll   = "all" // the split that holds the others
)

// shardName is how Hugging Face names the files of one table.
var shardName = regexp.MustCompile(`^(.+)-(\d{5})-of-(\d{5})\.parquet$`)

// BankName is the name of a bank's file without the number of the shard and the ending: the split,
// as it is distributed.
func BankName(s file.Source) string {
	if m := shardName.FindStringSubmatch(s.Base()); m != nil {
		return m[1]
	}
	return s.Stem()
}

// isSplit reports whether a bank's file is one of the four published splits.
func isSplit(s file.Source) bool { return s.Ext() == parquetExt && IsDomain(DomainName(BankName(s))) }

// ParquetFamily lists the shards of the table that a Parquet file belongs to, in the order of their
// numbers.
func ParquetFamily(s file.Source, _ Options) (family []file.Source, err error) {
	m := shardName.FindStringSubmatch(s.Base())
	if m == nil {
		return []file.Source{s}, nil
	}
	count, _ := strconv.Atoi(m[3]) // five digits
	for i := range count {
		shard := s.Sibling(fmt.Sprintf("%s-%05d-of-%s.parquet", m[1], i, m[3]))
		if !shard.Exists() {
			return nil, data.WithHint(fmt.Errorf("%s: shard %d of the table is needed too: %s is not there", s.Path,
				i+1, shard.Base()),
				"put all %d shards into one folder: the published option orders run through the whole bank", count)
		}
		family = append(family, shard)
	}
	return family, nil
}

// HeldBy names the file of a folder that holds all rows of a bank's file, too: of a split the split
// "all", and of JSON the Parquet file of the same name, which has the pictures; empty where there
// is none.
func HeldBy(s file.Source) string {
	entries, _ := s.Beside() // A folder that cannot be read holds nothing else.
	for _, entry := range entries {
		other := s.Sibling(entry.Name())
		if other.Ext() == parquetExt && (isSplit(s) && BankName(other) == splitAll || s.Ext() == ".json" &&
			other.Stem() == s.Stem()) {
			return entry.Name()
		}
	}
	return ""
}
