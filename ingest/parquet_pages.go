package ingest

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Bounds of a page in memory. Pages of text compress tenfold, of repeated values more, and are small then.
const (
	smallPage = 16 << 20 // decoded bytes that any page may have
	pageRatio = 100      // decoded bytes of a larger one for each that is stored
	maxPage   = 1 << 30
	maxHeader = 1 << 20 // bytes of a page's header, which may hold two values
)

// checkPages looks at every page before the library decodes one: it takes as much memory as the pages claim, and a few bytes may claim
// gigabytes.
func checkPages(file *parquet.File) error {
	for _, group := range file.Metadata().RowGroups {
		for i := range group.Columns {
			column := &group.Columns[i].MetaData
			start := column.DataPageOffset
			if d := column.DictionaryPageOffset; d > 0 {
				start = min(start, d)
			}
			if start < 0 || column.TotalCompressedSize < 0 || start > file.Size()-column.TotalCompressedSize {
				return fmt.Errorf("%w: the column %q is said to lie beyond the end of the file", errDamaged, column.PathInSchema)
			}
			if err := checkChunk(io.NewSectionReader(file, start, column.TotalCompressedSize), column.Codec); err != nil {
				return fmt.Errorf("%w: column %q: %w", errDamaged, column.PathInSchema, err)
			}
		}
	}
	return nil
}

// checkChunk looks at the pages of a column chunk.
func checkChunk(chunk *io.SectionReader, codec format.CompressionCodec) error {
	in := bufio.NewReaderSize(chunk, maxHeader)
	for rest := chunk.Size(); rest > 0; {
		begin, err := in.Peek(int(min(rest, maxHeader)))
		if err != nil {
			return err
		}
		var header format.PageHeader
		read := (&thrift.CompactProtocol{}).NewReaderFromBytes(begin)
		if err := thrift.NewDecoder(read).Decode(&header); err != nil {
			return err
		}
		n, err := in.Discard(read.BytesRead())
		if err != nil {
			return err
		}
		rest -= int64(n)
		stored, decoded := int64(header.CompressedPageSize), int64(header.UncompressedPageSize)
		if stored < 0 || stored > rest {
			return fmt.Errorf("a page claims %d bytes where %d are left", stored, rest)
		}
		if decoded < 0 || decoded > max(smallPage, pageRatio*stored) || decoded > maxPage {
			return fmt.Errorf("a page of %d bytes claims %d when decoded: it is not one that a bank has", stored, decoded)
		}
		page := io.LimitReader(in, stored)
		levels := int64(header.DataPageHeaderV2.V.RepetitionLevelsByteLength) + int64(header.DataPageHeaderV2.V.DefinitionLevelsByteLength)
		if err := checkDecoded(page, codec, levels, decoded); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, page); err != nil {
			return err
		}
		rest -= stored
	}
	return nil
}

var errPageGrows = errors.New("a page is longer than it claims")

// checkDecoded compares what a page claims with what its bytes become. Those of levels lie before the rest and are not compressed.
func checkDecoded(page io.Reader, codec format.CompressionCodec, levels, decoded int64) error {
	var plain io.Reader
	switch codec {
	case format.Uncompressed:
		return nil
	case format.Snappy, format.Gzip, format.Zstd:
	default:
		return fmt.Errorf("it is compressed with %s: write it again with snappy, gzip or zstd", codec)
	}
	if _, err := io.CopyN(io.Discard, page, levels); err != nil {
		return err
	}
	in := bufio.NewReaderSize(page, binary.MaxVarintLen64)
	if _, err := in.Peek(1); errors.Is(err, io.EOF) {
		return nil
	}
	switch codec {
	case format.Snappy: // The length comes first.
		if n, err := binary.ReadUvarint(in); err != nil || n > uint64(decoded) {
			return errors.Join(errPageGrows, err)
		}
		return nil
	case format.Gzip:
		r, err := gzip.NewReader(in)
		if err != nil {
			return err
		}
		plain = r
	default:
		r, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxPage/8))
		if err != nil {
			return err
		}
		defer r.Close()
		plain = r
	}
	if n, err := io.CopyN(io.Discard, plain, decoded+1); n > decoded {
		return errPageGrows
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}
