package shape

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/captionlake/captionlake/ingest/file"
)

const (
	parquetExt = ".parquet"
	splitAll   = "all" // the split that contains the other splits
)

// shardName matches Hugging Face's names for the files of one table.
var shardName = regexp.MustCompile(`^(.+)-(\d{5})-of-(\d{5})\.parquet$`)

// BankName is the name of a bank's file without the number of the shard and without the ending. In
// the published bank this is the name of the split.
func BankName(s file.Source) string {
	if m := shardName.FindStringSubmatch(s.Base()); m != nil {
		return m[1]
	}
	return s.Stem()
}

// isSplit reports whether a bank's file is one of the four published splits.
func isSplit(s file.Source) bool { return s.Ext() == parquetExt && IsDomain(DomainName(BankName(s))) }

// ParquetFamily lists the shards of a Parquet file's table, by number. Any other file is its own
// family.
func ParquetFamily(s file.Source, _ Options) (family []file.Source, err error) {
	match := shardName.FindStringSubmatch(s.Base())
	if match == nil {
		return []file.Source{s}, nil
	}
	name, digits := match[1], match[3]
	count, _ := strconv.Atoi(digits) // The pattern allows five digits only.
	for i := range count {
		shard := s.Sibling(fmt.Sprintf("%s-%05d-of-%s.parquet", name, i, digits))
		if !shard.Exists() {
			return nil, s.Refuse("put all "+strconv.Itoa(count)+
				" shards into one folder: the published option orders run through the whole bank",
				"shard %d of the table is needed too: %s is not there", i+1, shard.Base())
		}
		family = append(family, shard)
	}
	return family, nil
}

// HeldBy is the name of the Parquet file in the same folder that also has all rows of a bank's
// file. For a split it is the file of the split "all"; for JSON it is the file of the same name,
// which also has the pictures. It is empty if there is no such file.
func HeldBy(s file.Source) string {
	entries, _ := s.Beside() // An unreadable folder counts as having no other file.
	for _, entry := range entries {
		other := s.Sibling(entry.Name())
		hasAllSplits := isSplit(s) && BankName(other) == splitAll
		isTwin := s.Ext() == ".json" && other.Stem() == s.Stem()
		if other.Ext() == parquetExt && (hasAllSplits || isTwin) {
			return entry.Name()
		}
	}
	return ""
}
