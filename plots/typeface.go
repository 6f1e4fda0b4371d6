package plots

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync/atomic"

	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// A Typeface is the type that drawings are set in.
type Typeface struct {
	family   string // as the font file names it
	likeness string // fonts of the same metrics, or of the kind, for SVG on machines that do not have the font
	font     font.Font
	cache    *font.Cache
}

// The Liberation faces come with gonum/plot, so that drawings do not depend on what a machine has installed. Sans has the widths of Arial
// and Helvetica, serif those of Times, mono those of Courier.
var bundled = func() map[string]*Typeface {
	cache := font.NewCache(liberation.Collection())
	face := func(variant font.Variant, family, likeness string) *Typeface {
		return &Typeface{family, likeness, font.Font{Typeface: "Liberation", Variant: variant}, cache}
	}
	return map[string]*Typeface{
		"sans":  face("Sans", "Liberation Sans", "Arimo,Arial,Helvetica,sans-serif"),
		"serif": face("Serif", "Liberation Serif", "Tinos,'Times New Roman',Times,serif"),
		"mono":  face("Mono", "Liberation Mono", "Cousine,'Courier New',Courier,monospace"),
	}
}()

// house is the typeface in use.
var house atomic.Pointer[Typeface]

func init() { house.Store(bundled["sans"]) }

// BundledTypeface returns a typeface that comes with the program: sans, serif or mono.
func BundledTypeface(name string) (*Typeface, bool) {
	t, ok := bundled[name]
	return t, ok
}

// Use sets all drawings of the process in the typeface, as a default font of gonum/plot is for all of its plots, and returns a function that
// sets back. Nothing may be drawn meanwhile.
func (t *Typeface) Use() (restore func()) {
	before := house.Swap(t)
	return func() { house.Store(before) }
}

// SerifWidth is the width of a text in points in the bundled serif face of a size, whatever typeface is in use.
func SerifWidth(s string, points float64) float64 {
	t := bundled["serif"]
	face := t.cache.Lookup(t.font, vg.Points(points))
	return face.Width(clean(s)).Points()
}

// maxFontBytes bounds a font file.
const maxFontBytes = 16 << 20

// fontNames are the names of families that are written into SVG as they are.
var fontNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$`)

// needed are the characters that drawings hold whatever the rows say.
const neededRunes = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_abcdefghijklmnopqrstuvwxyz–…ρτ×−"

// ReadTypeface reads a typeface from the bytes of a TrueType font and, where there is one, its bold face; without it headings are in the
// regular face. Font files are not trusted: every glyph is read once, and what no drawing could show or a PDF must not embed is refused.
func ReadTypeface(regular, bold []byte) (*Typeface, error) {
	t := &Typeface{likeness: "sans-serif", font: font.Font{Typeface: "given"}}
	var faces font.Collection
	for i, b := range [][]byte{regular, bold} {
		if i > 0 && b == nil {
			continue
		}
		face, family, err := readFont(b)
		if err != nil {
			return nil, err
		}
		f := font.Face{Font: t.font, Face: face}
		if i > 0 {
			f.Font.Weight = stdfont.WeightBold
		} else {
			t.family = family
		}
		faces = append(faces, f)
	}
	t.cache = font.NewCache(faces)
	return t, t.tryPDF()
}

// readFont reads one face and the name of its family.
func readFont(b []byte) (face *opentype.Font, family string, err error) {
	defer func() { // the library reads what it needs when it is needed, and some of it panics
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the font is damaged: %v", fault)
		}
	}()
	switch {
	case len(b) > maxFontBytes:
		return nil, "", fmt.Errorf("the font has more than %d MiB", maxFontBytes>>20)
	case len(b) < 12:
		return nil, "", errors.New("the file is no font")
	}
	switch string(b[:4]) {
	case "\x00\x01\x00\x00", "true":
	case "OTTO":
		return nil, "", errors.New("the font has PostScript outlines, which no PDF is made of here; give the TrueType version (.ttf)")
	case "ttcf":
		return nil, "", errors.New("the file is a collection of fonts; give a single one (.ttf)")
	default:
		return nil, "", errors.New("the file is no TrueType font (.ttf)")
	}
	if restricted(b) {
		return nil, "", errors.New("the font's licence forbids to embed it (its OS/2 table says so); give another one")
	}
	if face, err = opentype.Parse(b); err != nil {
		return nil, "", fmt.Errorf("the font is damaged: %w", err)
	}
	var buf sfnt.Buffer
	for g := range face.NumGlyphs() {
		if _, err := face.LoadGlyph(&buf, sfnt.GlyphIndex(g), fixed.I(12), nil); err != nil {
			return nil, "", fmt.Errorf("the font is damaged: glyph %d: %w", g, err)
		}
	}
	for _, r := range neededRunes {
		if g, err := face.GlyphIndex(&buf, r); err != nil || g == 0 {
			return nil, "", fmt.Errorf("the font has no glyph for %q, which drawings need", r)
		}
	}
	if family, err = face.Name(&buf, sfnt.NameIDFamily); err != nil || !fontNames.MatchString(family) {
		return nil, "", fmt.Errorf("the font's family is named %.80q; letters, digits, spaces, dots, dashes and underscores can be written into SVG", family)
	}
	return face, family, nil
}

// restricted reports whether the licence bits of a font's OS/2 table forbid to embed it.
func restricted(b []byte) bool {
	tables := int(binary.BigEndian.Uint16(b[4:]))
	for i := range tables {
		at := 12 + 16*i
		if at+16 > len(b) {
			return false // which the parser refuses
		}
		if string(b[at:at+4]) == "OS/2" {
			offset := uint64(binary.BigEndian.Uint32(b[at+8:])) + 8
			return offset+2 <= uint64(len(b)) && binary.BigEndian.Uint16(b[offset:])&0xf == 2
		}
	}
	return false
}

// tryPDF makes a PDF with all faces, which the PDF library may fail at although the font can be drawn.
func (t *Typeface) tryPDF() (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the font cannot be embedded in a PDF: %v", fault)
		}
	}()
	c := newPDF(200, 200)
	for _, weight := range []stdfont.Weight{stdfont.WeightNormal, stdfont.WeightBold} {
		f := t.font
		f.Weight = weight
		c.FillString(t.cache.Lookup(f, 10), vg.Point{X: 10, Y: 10}, neededRunes)
	}
	_, err = c.WriteTo(io.Discard)
	return err
}
