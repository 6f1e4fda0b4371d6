package plots

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/captionlake/captionlake/data/must"
)

// A font of the user's is measured, named in SVG and embedded in PDF, and drawings are in the house type again afterwards.
func TestTypeface(t *testing.T) {
	labels := func() (svg, pdf string, width float64) {
		d := page("Wider type", newPlot())
		b, err := d.Encode("svg")
		must.Succeed(t, err)
		p, err := d.Encode("pdf")
		must.Succeed(t, err)
		return string(b), string(p), float64(headStyle().Width("Wider type"))
	}
	before, _, sans := labels()
	given, err := ReadTypeface(goregular.TTF, gobold.TTF)
	must.Succeed(t, err)
	restore := given.Use()
	svg, pdf, wide := labels()
	restore()
	if !strings.Contains(svg, "font-family:'Go',sans-serif;") || strings.Contains(svg, "Liberation") {
		t.Errorf("the SVG does not name the font: %.400s", svg)
	}
	if n := strings.Count(pdf, "/FontFile2"); n != 2 {
		t.Errorf("the PDF embeds %d faces, want the regular and the bold one", n)
	}
	if wide == sans {
		t.Error("text is not measured in the font that it is set in")
	}
	if after, _, _ := labels(); after != before {
		t.Error("the house type is not in use again")
	}
	serif, ok := BundledTypeface("serif")
	if !ok {
		t.Fatal("no serif")
	}
	defer serif.Use()()
	if svg, _, _ := labels(); !strings.Contains(svg, "'Liberation Serif',Tinos") {
		t.Error("the SVG is not in the serif face")
	}
}

// Font files come from anywhere.
func TestTypefaceRefusals(t *testing.T) {
	at := bytes.Index(goregular.TTF, []byte("OS/2"))
	offset := binary.BigEndian.Uint32(goregular.TTF[at+8:])
	forbidden := bytes.Clone(goregular.TTF)
	binary.BigEndian.PutUint16(forbidden[offset+8:], 2)
	for want, b := range map[string][]byte{
		"is no font":          []byte("x"),
		"no TrueType font":    []byte("<html>is no font at all</html>"),
		"PostScript outlines": append([]byte("OTTO"), goregular.TTF[4:]...),
		"forbids to embed":    forbidden,
		"is damaged":          goregular.TTF[:len(goregular.TTF)/2],
		"more than 16 MiB":    make([]byte, maxFontBytes+1),
	} {
		if _, err := ReadTypeface(b, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A damaged font is refused or drawn, and ends no program.
func FuzzTypeface(f *testing.F) {
	f.Add(1000, byte(7))
	f.Fuzz(func(t *testing.T, at int, v byte) {
		b := bytes.Clone(goregular.TTF)
		b[(at%len(b)+len(b))%len(b)] ^= v
		if face, err := ReadTypeface(b, nil); err == nil {
			defer face.Use()()
			if _, err := page("Any", newPlot()).Encode("pdf"); err != nil {
				t.Error(err)
			}
		}
	})
}
