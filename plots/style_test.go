package plots

import (
	"image/color"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
)

// sights are how colours are seen with all cones, and without the red, green or blue ones: Machado,
// Oliveira and Fernandes (2009), severity
// 1, on linear light.
var sights = map[string][3][3]float64{
	"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"without red cones": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998}},
	"without green cones": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881}},
	"without blue cones": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602},
		{0.004733, 0.691367, 0.303900}},
}

// seen is a colour in CIE L*a*b* as a sight has it.
func seen(c color.NRGBA, sight [3][3]float64) [3]float64 {
	l := linear(c)
	var out [3]float64
	for i := range 3 {
		for j := range 3 {
			out[i] += sight[i][j] * l[j]
		}
		out[i] = min(max(out[i], 0), 1)
	}
	return lab(out)
}

func linear(c color.NRGBA) [3]float64 {
	f := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return [3]float64{f(c.R), f(c.G), f(c.B)}
}

// lab is CIE L*a*b* under D65.
func lab(l [3]float64) [3]float64 {
	x := (0.4124*l[0] + 0.3576*l[1] + 0.1805*l[2]) / 0.95047
	y := 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
	z := (0.0193*l[0] + 0.1192*l[1] + 0.9505*l[2]) / 1.08883
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	return [3]float64{116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))}
}

func unlike(a, b [3]float64) float64 { return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]) }

// Colours that tell things apart must differ by at least 15 units of CIE 1976 (about 2 can just be
// seen side by side) for people with all cones and without one kind of them, and by 6 in lightness
// alone, which is what a grey print has. White is the witness that the measure works: L* of white
// is 100. Without red or green cones, pure red and a yellow of its lightness are one.
func TestColoursStayApart(t *testing.T) {
	if w := lab(linear(paper)); math.Abs(w[0]-100) > 0.1 {
		t.Fatalf("L* of white is %v, want 100", w[0])
	}
	red, olive := color.NRGBA{0xc8, 0, 0, 0xff}, color.NRGBA{0x60, 0x58, 0, 0xff}
	for name, sight := range sights {
		if d := unlike(seen(red, sight), seen(olive, sight)); (d < 40) != (name == "without green cones" ||
			name == "without red cones") {
			t.Fatalf("red and olive are %.1f apart, %s", d, name)
		}
	}
	var byDomain []color.NRGBA
	for _, d := range domains {
		byDomain = append(byDomain, domainSet(data.CaptionQA().Domains).color(d))
	}
	for what, colors := range map[string][]color.NRGBA{"domains": byDomain, "palette": palette} {
		for i, a := range colors {
			for j, b := range colors[:i] {
				for name, sight := range sights {
					if d := unlike(seen(a, sight), seen(b, sight)); d < 15 {
						t.Errorf("%s %d and %d are %.1f apart %s", what, j, i, d, name)
					}
				}
				if d := math.Abs(lab(linear(a))[0] - lab(linear(b))[0]); d < 6 {
					t.Errorf("%s %d and %d are %.1f apart in grey print", what, j, i, d)
				}
			}
		}
	}
}

// White on black is 21 and white on white 1, by the definition of the ratio: 1.05/0.05 and
// 1.05/1.05.
func TestContrast(t *testing.T) {
	expect.Between(t, contrast(color.NRGBA{A: 255}), 21-1e-9, 21+1e-9)
	expect.Between(t, contrast(paper), 1-1e-9, 1+1e-9)
}

func TestWrap(t *testing.T) {
	sty := textStyle(labelSize, ink, false)
	expect.Equal(t, wrap(sty, "one two three four", sty.Width("one two"), 3), []string{"one two", "three", "four"})
	cut := wrap(sty, "one two three four five six seven", sty.Width("one two"), 2)
	if len(cut) != 2 || !strings.HasSuffix(cut[1], "…") || sty.Width(cut[1]) > sty.Width("one two") {
		t.Errorf("got %q", cut)
	}
	// A name without blanks is broken where it has a hyphen or a slash, and nothing of it is left
	// out.
	const name = "maker/model-8b-instruct"
	expect.Equal(t, wrap(sty, name, sty.Width(name)-6, 3), []string{"maker/model-8b-", "instruct"})
	expect.Equal(t, len(wrap(sty, "abc", 0, 2)), 2, "no room")
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"GPT-5", "a\x00b\n\tc", "日本語", "\xff\xfe", "ρ ≥ 0.95 − ½", "🙂", "<script>&amp;",
		strings.Repeat("x", 500)} {
		f.Add(s)
	}
	sty := textStyle(labelSize, ink, false)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return
		}
		c := clean(s)
		if !utf8.ValidString(c) || strings.ContainsAny(c, "\x00\n\r\t") || strings.Contains(c, "  ") {
			t.Errorf("clean(%q) = %q", s, c)
		}
		expect.Equal(t, clean(c), c, s)
		for _, line := range wrap(sty, s, 60, 5) {
			expect.Between(t, sty.Width(line), 0, 60, s)
		}
	})
}
