package ingest

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// shardName is how Hugging Face names the files of one table.
var shardName = regexp.MustCompile(`^(.+)-(\d{5})-of-(\d{5})\.parquet$`)

// bankName is the name of a bank's file without the number of the shard and the ending: the split, as it is distributed.
func bankName(s Source) string {
	if m := shardName.FindStringSubmatch(s.base()); m != nil {
		return m[1]
	}
	return strings.TrimSuffix(s.base(), path.Ext(s.base()))
}

// isSplit reports whether a bank's file is one of the four published splits.
func isSplit(s Source) bool { return isDomain(domainName(bankName(s))) }

// bankFamily lists the files that make one bank with s. With --option-order full-bank those are all splits of its folder, in the
// order that the split "all" has them in.
func bankFamily(s Source, o Options) ([]Source, error) {
	rule, err := o.orderRule()
	if err != nil {
		return nil, err
	}
	if rule != captionqa.OrderFullBank || !isSplit(s) {
		return bankShards(s)
	}
	entries, err := fs.ReadDir(s.FS, path.Dir(s.Name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, cause(err))
	}
	var family []Source
	for _, d := range captionqaDomains {
		i := slices.IndexFunc(entries, func(entry fs.DirEntry) bool {
			return path.Ext(entry.Name()) == ".parquet" && domainName(bankName(s.sibling(entry.Name()))) == d.Name
		})
		if i < 0 {
			return nil, data.WithHint(fmt.Errorf("%s: the split %s is needed too: the option orders of the full bank run through all four splits", s.Path, d.Split),
				"put the four splits into one folder, or load the split all, or load this one with --option-order per-split")
		}
		shards, err := bankShards(s.sibling(entries[i].Name()))
		if err != nil {
			return nil, err
		}
		family = append(family, shards...)
	}
	return family, nil
}

// isSplitBesideAll reports whether a file is a split of a bank whose folder holds the split "all" too, which has the same
// questions once more.
func isSplitBesideAll(s Source) (bool, error) {
	if path.Ext(s.base()) != ".parquet" || !isSplit(s) {
		return false, nil
	}
	entries, err := fs.ReadDir(s.FS, path.Dir(s.Name))
	if err != nil {
		return false, fmt.Errorf("%s: %w", s.Path, cause(err))
	}
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		return path.Ext(entry.Name()) == ".parquet" && bankName(s.sibling(entry.Name())) == splitAll
	}), nil
}

// splitAll is the split that holds the others.
const splitAll = "all"

// bankShards lists the shards of the split that a file belongs to, in order.
func bankShards(s Source) ([]Source, error) {
	m := shardName.FindStringSubmatch(path.Base(s.Name))
	if m == nil {
		return []Source{s}, nil
	}
	count, err := strconv.Atoi(m[3])
	if err != nil {
		return nil, err
	}
	var shards []Source
	for i := range count {
		shard := s.sibling(fmt.Sprintf("%s-%05d-of-%s.parquet", m[1], i, m[3]))
		f, err := shard.Open()
		if err != nil {
			return nil, data.WithHint(fmt.Errorf("%s: shard %d of the bank is needed too: %w", s.Path, i+1, err),
				"put all %d shards into one folder: the published option orders run through the whole bank", count)
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
		shards = append(shards, shard)
	}
	return shards, nil
}
