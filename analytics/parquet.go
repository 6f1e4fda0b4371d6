package analytics

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A parquetFile is the file of a mart while it is made. Row groups of other files with the same columns are copied into it as they are,
// without reading their pages: rows that are kept cost what copying their bytes costs.
type parquetFile struct {
	file *os.File
	end  int64 // of the row groups, where the footer begins
	meta format.FileMetaData
}

const parquetMagic = "PAR1"

// createParquet begins a file without row groups.
func createParquet(name string) (*parquetFile, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if _, err := f.WriteString(parquetMagic); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &parquetFile{file: f, end: int64(len(parquetMagic))}, nil
}

// openParquet opens a file that DuckDB or seal has written. It is opened for writing too where it is to be sealed.
func openParquet(name string, flag int) (*parquetFile, error) {
	f, err := os.OpenFile(name, flag, 0)
	if err != nil {
		return nil, err
	}
	p := &parquetFile{file: f}
	if err := p.readFooter(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	return p, nil
}

func (p *parquetFile) readFooter() error {
	info, err := p.file.Stat()
	if err != nil {
		return err
	}
	var tail [8]byte
	if _, err := p.file.ReadAt(tail[:], max(info.Size()-8, 0)); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:4]))
	p.end = info.Size() - 8 - length
	if string(tail[4:]) != parquetMagic || p.end < int64(len(parquetMagic)) {
		return errors.New("not a whole Parquet file")
	}
	footer := make([]byte, length)
	if _, err := p.file.ReadAt(footer, p.end); err != nil {
		return err
	}
	return thrift.Unmarshal(new(thrift.CompactProtocol), footer, &p.meta)
}

func (p *parquetFile) close() error { return p.file.Close() }

// extent is where the pages of a row group are.
func extent(g format.RowGroup) (start, end int64) {
	for i, c := range g.Columns {
		from := c.MetaData.DataPageOffset
		if d := c.MetaData.DictionaryPageOffset; d > 0 {
			from = min(from, d)
		}
		if i == 0 || from < start {
			start = from
		}
		end = max(end, from+c.MetaData.TotalCompressedSize)
	}
	return start, end
}

// add copies row groups of another file, from the first up to before the last.
func (p *parquetFile) add(from *parquetFile, first, last int) error {
	if len(p.meta.Schema) == 0 {
		p.meta = from.meta
		p.meta.NumRows, p.meta.RowGroups, p.meta.KeyValueMetadata = 0, nil, nil
	}
	for _, g := range from.meta.RowGroups[first:last] {
		start, end := extent(g)
		if _, err := p.file.Seek(p.end, io.SeekStart); err != nil {
			return err
		}
		if _, err := io.Copy(p.file, io.NewSectionReader(from.file, start, end-start)); err != nil {
			return err
		}
		moved := p.end - start
		move := func(offset *int64) {
			if *offset > 0 {
				*offset += moved
			}
		}
		g.Columns = slices.Clone(g.Columns)
		for i := range g.Columns {
			c := &g.Columns[i]
			move(&c.FileOffset)
			move(&c.MetaData.DataPageOffset)
			move(&c.MetaData.DictionaryPageOffset)
			move(&c.MetaData.IndexPageOffset)
		}
		move(&g.FileOffset)
		g.Ordinal = int16(len(p.meta.RowGroups))
		p.meta.RowGroups = append(p.meta.RowGroups, g)
		p.meta.NumRows += g.NumRows
		p.end += end - start
	}
	return nil
}

// content digests the row groups: equal rows in equal columns, written by one version of the engine, have one digest.
func (p *parquetFile) content() (string, error) {
	h := sha256.New()
	schema, err := thrift.Marshal(new(thrift.CompactProtocol), &format.FileMetaData{Schema: p.meta.Schema})
	if err != nil {
		return "", err
	}
	h.Write(schema)
	if _, err := io.Copy(h, io.NewSectionReader(p.file, 0, p.end)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:32], nil
}

// seal writes the footer with the metadata. It may be called again.
func (p *parquetFile) seal(metadata map[string]string) error {
	p.meta.KeyValueMetadata = nil
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		p.meta.KeyValueMetadata = append(p.meta.KeyValueMetadata, format.KeyValue{Key: key, Value: metadata[key]})
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &p.meta)
	if err != nil {
		return err
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	footer = append(footer, parquetMagic...)
	if err := p.file.Truncate(p.end); err != nil {
		return err
	}
	_, err = p.file.WriteAt(footer, p.end)
	return err
}

// A box holds, of each of some columns, the least and the greatest text among some rows; none of a column that has no texts or about
// which the file does not say it.
type box map[string][2]string

// box is that of the rows of some row groups. blank are columns whose texts are all empty there, which a footer cannot say once it was
// read and written again.
func (p *parquetFile) box(columns, blank []string, first, last int) box {
	b := box{}
	for n, g := range p.meta.RowGroups[first:last] {
		for _, c := range g.Columns {
			name := c.MetaData.PathInSchema[0]
			if !slices.Contains(columns, name) || c.MetaData.Type != format.ByteArray {
				continue
			}
			s := c.MetaData.Statistics
			ends, known := b[name]
			switch {
			case slices.Contains(blank, name):
				b[name] = [2]string{}
			case len(s.MaxValue) == 0 || n > 0 && !known:
				delete(b, name)
			case !known:
				b[name] = [2]string{string(s.MinValue), string(s.MaxValue)}
			default:
				b[name] = [2]string{min(ends[0], string(s.MinValue)), max(ends[1], string(s.MaxValue))}
			}
		}
	}
	return b
}

// blank are the columns of a file that DuckDB has written whose texts are all empty.
func (p *parquetFile) blank(columns []string) (blank []string) {
	for _, name := range columns {
		all := len(p.meta.RowGroups) > 0
		for _, g := range p.meta.RowGroups {
			for _, c := range g.Columns {
				if c.MetaData.PathInSchema[0] == name {
					s := c.MetaData.Statistics
					all = all && c.MetaData.Type == format.ByteArray && s.MinValue != nil && s.MaxValue != nil && len(s.MaxValue) == 0
				}
			}
		}
		if all {
			blank = append(blank, name)
		}
	}
	return blank
}

// meets reports whether a row of one box may agree with one of the other in all of the columns.
func (b box) meets(other box) bool {
	for column, ends := range b {
		if o, ok := other[column]; ok && (ends[1] < o[0] || o[1] < ends[0]) {
			return false
		}
	}
	return true
}

// copyStatement writes rows of a model to a Parquet file: sorted by its key, zstd. Bloom filters would lie outside of the row groups, which are copied as they are.
func copyStatement(m Model, rows, file string) string {
	columns := make([]string, len(m.Columns))
	for i, c := range m.Columns {
		columns[i] = c.Name
	}
	return fmt.Sprintf("copy (select %s from (%s) order by %s) to %s (format parquet, compression zstd, row_group_size 100000, write_bloom_filter false)",
		quoteNames(columns), rows, quoteNames(m.Key), quote(file))
}
