package plots

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func TestDecodePicture(t *testing.T) {
	// The first eight bytes of a PNG and a header that claims 100,000 by 100,000 pixels: the size
	// is refused before a pixel is read.
	head := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x86\xa0\x00\x01\x86\xa0\x08\x02\x00\x00\x00"
	crc := "\x55\xf3\x47\x3f"
	_, err := DecodePicture(strings.NewReader(head + crc))
	if err == nil {
		t.Fatal("a picture of ten thousand megapixels is opened")
	}
	expect.Refusal(DecodePicture(strings.NewReader("no picture")))(t)
}

// A typeface is measured and named in SVG, and drawings are in the house type again afterwards.
func TestTypeface(t *testing.T) {
	labels := func() (svg string, width float64) {
		d := page("Wider type", newPlot())
		b := must.Get(d.Encode("svg"))(t)
		return string(b), float64(titleStyle().Width("Wider type"))
	}
	before, sans := labels()
	restore := UseTypeface("serif")
	svg, serif := labels()
	restore()
	if !strings.Contains(svg, "'Liberation Serif',Tinos") {
		t.Error("the SVG is not in the serif face")
	}
	if serif == sans {
		t.Error("text is not measured in the font that it is set in")
	}
	if after, _ := labels(); after != before {
		t.Error("the house type is not in use again")
	}
}
