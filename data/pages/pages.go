// Package pages compresses the pages of Parquet files. It knows nothing of their content.
package pages

import (
	"sync"

	klauspost "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// window is how far back the compression of a page looks, in bytes. A page has about half as many
// bytes. With the library's window of 4 MiB, each encoder would take 8 MiB of memory instead of 1,
// and find nothing more.
const window = 512 << 10

// A Codec compresses pages. All files that share a Codec share its encoders.
type Codec struct {
	zstd.Codec
	encoders sync.Pool
}

// Encode implements compress.Codec.
func (c *Codec) Encode(dst, src []byte) ([]byte, error) {
	e, ok := c.encoders.Get().(*klauspost.Encoder)
	if !ok {
		var err error
		// WithZeroFrames makes a frame of an empty page too, because some decoders need a frame. Frames
		// have no checksums (CRC), as in the library's codec. EncodeAll needs no writer, hence nil.
		e, err = klauspost.NewWriter(nil, klauspost.WithEncoderConcurrency(1),
			klauspost.WithEncoderLevel(klauspost.SpeedFastest),
			klauspost.WithWindowSize(window), klauspost.WithLowerEncoderMem(true), klauspost.WithZeroFrames(true),
			klauspost.WithEncoderCRC(false))
		if err != nil {
			return dst, err
		}
	}
	defer c.encoders.Put(e)
	return e.EncodeAll(src, dst[:0]), nil
}
