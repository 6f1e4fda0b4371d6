package data

import (
	"sync"

	klauspost "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// pageWindow is how far back the compression of a page looks, in bytes: a page has about half as many. The default of 4 MiB costs each
// encoder 8 MiB, and finds nothing more.
const pageWindow = 512 << 10

// A pageCodec compresses the pages of one unit's files. Its encoders serve all tables of the unit.
type pageCodec struct {
	zstd.Codec
	encoders sync.Pool
}

// Encode implements compress.Codec.
func (c *pageCodec) Encode(dst, src []byte) ([]byte, error) {
	e, ok := c.encoders.Get().(*klauspost.Encoder)
	if !ok {
		var err error
		e, err = klauspost.NewWriter(nil, klauspost.WithEncoderConcurrency(1), klauspost.WithEncoderLevel(klauspost.SpeedFastest),
			klauspost.WithWindowSize(pageWindow), klauspost.WithLowerEncoderMem(true), klauspost.WithZeroFrames(true), klauspost.WithEncoderCRC(false))
		if err != nil {
			return dst, err
		}
	}
	defer c.encoders.Put(e)
	return e.EncodeAll(src, dst[:0]), nil
}
