package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
)

// Each form of chart is at most as high as each page, or says how high it is; a slide is shown
// larger than it is laid out.
func TestPages(t *testing.T) {
	for _, name := range PageNames() {
		on := must.Get(PageOf(name))(t)
		for form, clauses := range charts {
			d, err := drawn(t, clauses, scored(t, strings.Fields(strings.Repeat("captioner ", 30))...), on)
			if err != nil {
				if !errors.Is(err, rows.ErrNone) || !strings.Contains(err.Error(), "in high, and the page of") {
					t.Errorf("%s on %s: %v", form, name, err)
				}
				continue
			}
			if _, high := d.Size(); high > on.height()+1 {
				t.Errorf("%s is %v high on %s, which has %v", form, high, name, on.height())
			}
			svg := must.Get(d.Encode("svg"))(t)
			if want := fmt.Sprintf(`width="%gpt"`, (on.width() * 1.4).Points()); name == "slide" &&
				!bytes.Contains(svg, []byte(want)) {
				t.Errorf("the slide is not %s: %.200s", want, svg)
			}
		}
	}
}

// A chosen captioner has the accent, in the dark a lighter one; without paper nothing is white.
func TestHighlightAndLooks(t *testing.T) {
	for _, c := range []struct {
		on   Page
		want string
		not  string
	}{
		{Page{}, "#FFFFFF", "#B34700"}, {Page{Highlight: []string{"id-1"}}, "#B34700", "#FF934C"},
		{Page{Highlight: []string{"id-1"}, Look: []string{"dark"}}, "#FF934C", "#B34700"},
		{Page{Look: []string{"transparent"}}, "#1A1A1A", "fill:#FFFFFF\""},
	} {
		d := must.Get(drawn(t, charts["rows"], scored(t, "A", "B"), c.on))(t)
		svg := must.Get(d.Encode("svg"))(t)
		if !bytes.Contains(svg, []byte(c.want)) || bytes.Contains(svg, []byte(c.not)) {
			t.Errorf("%v: want %s and not %s", c.on, c.want, c.not)
		}
	}
}

// Under a highlight points and lines have the colours of their keys, and what is chosen the accent
// around it.
func TestHighlightKeepsTheLegend(t *testing.T) {
	for form, clauses := range map[string]string{
		"points": "VISUALISE part AS y, score AS x, captioner_name AS fill\nDRAW point\nSCALE fill FROM ['A', 'B'] TO " +
			"['#505050', '#a0a0a0']",
		"lines": "VISUALISE low AS x, high AS y, captioner_name AS stroke\nDRAW line\nSCALE stroke FROM ['A', 'B'] TO " +
			"['#505050', '#a0a0a0']",
		"radar": charts["radar"] + "\nSCALE stroke FROM ['A', 'B'] TO ['#505050', '#a0a0a0']",
	} {
		colours := map[string]bool{}
		d := must.Get(drawn(t, clauses, scored(t, "A", "B"), Page{Highlight: []string{"id-1"}}))(t)
		for _, m := range regexp.MustCompile(
			`(?:fill|stroke):#([0-9A-F]{6})`).FindAllStringSubmatch(string(must.Get(d.Encode("svg"))(t)), -1) {
			colours[m[1]] = true
		}
		for tone, want := range map[string]bool{"505050": true, "A0A0A0": true, "B34700": true, "A8A8A8": false,
			"D0D0D0": false} {
			expect.Equal(t, colours[tone], want, form, tone)
		}
	}
}

func wellFormed(t *testing.T, b []byte) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(b))
	for {
		_, err := dec.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("the SVG is not well-formed: %v", err)
		}
	}
}

func TestDrawingRefusals(t *testing.T) {
	ok := func() *Drawing { return page("Title", newPlot()) }
	for want, spoil := range map[string]func(*Drawing){
		"144 to 14400 can be drawn":              func(d *Drawing) { d.Page.Width = 100 },
		"measures 360 by 20":                     func(d *Drawing) { d.Height = 20000 },
		"published, measured or simulated":       func(d *Drawing) { d.Page.Kinds = nil },
		`provenance "guessed" is not one of mea`: func(d *Drawing) { d.Page.Kinds = []string{"guessed"} },
	} {
		d := ok()
		spoil(d)
		_, err := d.Encode("svg")
		refused(t, err, want)
	}
	_, err := ok().Encode("gif")
	refused(t, err, `format "gif" is not one of svg, pdf, png`)
}
