package plots

import (
	"strings"
	"testing"
)

func TestDecodePicture(t *testing.T) {
	// The first eight bytes of a PNG and a header that claims 100,000 by 100,000 pixels: the size is refused before a pixel is read.
	head := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x86\xa0\x00\x01\x86\xa0\x08\x02\x00\x00\x00"
	crc := "\x55\xf3\x47\x3f"
	_, err := DecodePicture(strings.NewReader(head + crc))
	if err == nil {
		t.Fatal("a picture of ten thousand megapixels is opened")
	}
	if _, err := DecodePicture(strings.NewReader("no picture")); err == nil {
		t.Error("text passes for a picture")
	}
}
