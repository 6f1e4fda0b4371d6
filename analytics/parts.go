package analytics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// A part is one file of a mart: a bucket of a fold, which has the rows of some units, or the whole of another mart. It is made again when
// what it is made of has another digest.
type part struct {
	file   string   // in the lake
	units  []string // of the fold's table, in order; those of a bucket
	number int      // of the bucket
	inputs string   // inputs with their fingerprints, of the fold's table, or the fold that it adds up, that of bucket NAME/NN
	print  string   // digest of all that the rows depend on
}

// The folder of a fold has a bucket for each 500,000 rows of its table, and a power of two of them, so that half of the units stay
// where they were when there are more. More than mostBuckets cost more to open than they save.
const mostBuckets = 64

var bucketRows = int64(500_000) // small in tests

// bucketOf is the bucket of a unit, of so many.
func bucketOf(unit string, buckets int) int {
	n, _ := strconv.ParseUint(data.Fingerprint(unit)[:2], 16, 8) // a digest is hexadecimal
	return int(n) % buckets
}

// bucket are the units of a bucket, in order.
func bucket(units map[string]string, number, buckets int) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(units)), func(unit string) bool { return bucketOf(unit, buckets) != number })
}

// parts are the files that a mart has now, and what they are made of.
func (b *builder) parts(ctx context.Context, e *engine, m Model) ([]part, error) {
	sum := b.meaning(m)
	prints, units, stale := map[string]string{}, map[string]string{}, map[string]string{}
	for _, input := range m.Inputs {
		print, err := b.fingerprint(input)
		if err != nil {
			return nil, fmt.Errorf("input %s: %w", input, err)
		}
		prints[input] = print
	}
	buckets := 1
	var of []string // digests of the buckets of another fold, each of which makes one
	switch {
	case m.ofFold():
		b.mu.Lock()
		of = b.contents[m.Inputs[0]]
		b.mu.Unlock()
		buckets = len(of)
	case m.inBuckets():
		rows, all, err := b.rows(m.Fold)
		if err != nil {
			return nil, err
		}
		for buckets < mostBuckets && buckets < len(rows) && int64(buckets)*bucketRows < all {
			buckets *= 2
		}
	}
	if m.inBuckets() {
		var err error
		if units, err = b.units(m.Fold); err != nil {
			return nil, err
		}
		if slices.Contains(m.Inputs, stalePrefix+m.Fold) {
			if stale, err = b.staleUnits(ctx, e, m.Fold); err != nil {
				return nil, err
			}
		}
	}
	parts := make([]part, buckets)
	for i := range parts {
		p := part{file: martFile(m.Name)}
		if m.inBuckets() {
			p.file, p.units, p.number = bucketFile(m.Name, i), bucket(units, i, buckets), i
			prints[m.Fold] = unitsPrint(m.Fold, units, p.units)
			prints[stalePrefix+m.Fold] = unitsPrint(stalePrefix, stale, p.units)
			if of != nil {
				prints[m.Inputs[0]] = of[i]
			}
		}
		digests := []string{"mart", data.Version, sum}
		var inputs []string
		for _, input := range m.Inputs {
			digests = append(digests, input, prints[input])
			switch {
			case m.inBuckets() && input == m.Fold || of != nil:
				inputs = append(inputs, fmt.Sprintf("%s/%02d=%s", input, i, prints[input]))
			case !m.inBuckets() || input != stalePrefix+m.Fold: // of which only the rows of the bucket's units matter
				inputs = append(inputs, input+"="+prints[input])
			}
		}
		p.inputs = strings.Join(inputs, " ")
		p.print = data.Fingerprint(digests...)
		parts[i] = p
	}
	return parts, nil
}

// unitsPrint digests some units of a table by the digests that they have.
func unitsPrint(table string, digests map[string]string, units []string) string {
	parts := []string{table}
	for _, unit := range units {
		parts = append(parts, unit, digests[unit])
	}
	return data.Fingerprint(parts...)
}

func bucketFile(model string, number int) string {
	return fmt.Sprintf("%s/%s/%02d.parquet", data.MartsFolder, model, number)
}

// MartOf is the mart of a file.
func MartOf(file string) string {
	mart, _, _ := strings.Cut(strings.TrimPrefix(file, data.MartsFolder+"/"), "/")
	return strings.TrimSuffix(mart, ".parquet")
}

// martFiles are the files of each mart that the lake holds, buckets in their order.
func martFiles(lake *data.Lake) (map[string][]string, error) {
	record, err := data.FolderRecord(lake, data.MartsFolder)
	folders := map[string]bool{data.MartsFolder: true}
	for name := range record {
		folders[path.Dir(name)] = true
	}
	marts := map[string][]string{}
	for folder := range folders {
		files, failed := lake.Store().List(folder)
		err = errors.Join(err, failed)
		for _, file := range slices.Sorted(slices.Values(files)) {
			if path.Ext(file) == ".parquet" {
				marts[MartOf(file)] = append(marts[MartOf(file)], file)
			}
		}
	}
	return marts, err
}

// fileMetadata reads what a Parquet file says of itself, and how many rows it has; nothing when there is none, or none that can be read.
func fileMetadata(lake *data.Lake, name string) (metadata map[string]string, rows int64) {
	f, err := lake.Store().Open(name)
	if err != nil {
		return nil, 0
	}
	defer func() { _ = f.Close() }()
	file, err := data.OpenParquet(f, f.Size())
	if err != nil {
		return nil, 0
	}
	metadata = map[string]string{}
	for _, pair := range file.Metadata().KeyValueMetadata {
		metadata[pair.Key] = pair.Value
	}
	return metadata, file.NumRows()
}

// martContent digests the rows of a mart by the digests of its parts; it is empty without any.
func martContent(contents []string) string {
	if len(contents) > 1 {
		return data.Fingerprint(contents...)
	}
	return strings.Join(contents, "")
}

// units are the units of a base table and the digests of their files.
func (b *builder) units(table string) (map[string]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if known, ok := b.unitsOf[table]; ok {
		return known, nil
	}
	t, ok := tableOf(table)
	if !ok {
		return nil, fmt.Errorf("%s is not built", table)
	}
	units, err := b.lake.Units(t)
	if err == nil {
		b.unitsOf[table] = units
	}
	return units, err
}

// rows are the units of a base table with how many rows they have, and how many they are in all.
func (b *builder) rows(table string) (rows map[string]int64, all int64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rows, known := b.rowsOf[table]
	if !known {
		t, _ := tableOf(table)
		if rows, err = data.RowCounts(b.lake, t); err != nil {
			return nil, 0, err
		}
		b.rowsOf[table] = rows
	}
	for _, n := range rows {
		all += n
	}
	return rows, all, nil
}

// showStale makes the view of the rows of a table that do not count, without the macro that names the table.
func (b *builder) showStale(ctx context.Context, e *engine, table string) error {
	b.mu.Lock()
	r := b.marts[stalePrefix+table]
	b.mu.Unlock()
	r.counted = nil
	return b.show(ctx, e, r)
}

// staleUnits digests, for each unit of a table that has any, the rows that do not count.
func (b *builder) staleUnits(ctx context.Context, e *engine, table string) (map[string]string, error) {
	if err := b.showStale(ctx, e, table); err != nil {
		return nil, err
	}
	_, rows, err := e.strings(ctx, fmt.Sprintf(
		"select unit, md5(string_agg(line, chr(10) order by line)) from (select unit, cast(to_json(s) as varchar) as line from %s as s) group by unit",
		quoteName(stalePrefix+table)))
	if err != nil {
		return nil, fmt.Errorf("rows of %s that do not count: %w", table, err)
	}
	digests := map[string]string{}
	for _, row := range rows {
		digests[row[0]] = row[1]
	}
	return digests, nil
}

// narrowed is a base table with the rows of some units alone.
func (b *builder) narrowed(table string, units []string) relation {
	r := b.tables[table]
	r.paths = []string{}
	for _, unit := range units {
		r.paths = append(r.paths, globEscape.Replace(b.folder+b.lake.Place(table+"/"+unit+".parquet")))
	}
	if len(units) == 0 {
		r.glob = ""
	}
	return r
}

// sameBucket is the fold that a fold of it reads, with the rows of one bucket alone.
func (b *builder) sameBucket(m Model, number int) relation {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.marts[m.Inputs[0]]
	r.paths = []string{globEscape.Replace(b.folder + bucketFile(r.name, number))}
	return r
}

// sliceRows is about how many rows of its table a fold of sums adds up at once, which bounds the memory that it takes.
var sliceRows = int64(32_000_000) // small in tests

// slices are a table cut for a fold of sums by the last column of its key, a few of whose values each has all rows of.
func (b *builder) slices(m Model) ([][]relation, error) {
	_, all, err := b.rows(m.Fold)
	if err != nil {
		return nil, err
	}
	slices := make([][]relation, 1+all/sliceRows)
	for i := range slices {
		r := b.tables[m.Fold]
		if len(slices) > 1 {
			r.where = fmt.Sprintf("hash(f.%s) %% %d = %d", quoteName(m.Key[len(m.Key)-1]), len(slices), i)
		}
		slices[i] = []relation{r}
	}
	return slices, nil
}
