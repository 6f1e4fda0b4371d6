package plots

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// Each form of chart is at most as high as each page, or says how high it is; a slide is shown larger than it is laid out.
func TestPages(t *testing.T) {
	for _, name := range PageNames() {
		on, err := PageOf(name)
		must.Succeed(t, err)
		for form, clauses := range charts {
			d, err := drawn(t, clauses, scored(t, strings.Fields(strings.Repeat("captioner ", 30))...), on)
			if err != nil {
				if !errors.Is(err, ErrNoRows) || !strings.Contains(err.Error(), "in high, and the page of") {
					t.Errorf("%s on %s: %v", form, name, err)
				}
				continue
			}
			if _, high := d.Size(); high > on.height()+1 {
				t.Errorf("%s is %v high on %s, which has %v", form, high, name, on.height())
			}
			svg, err := d.Encode("svg")
			must.Succeed(t, err)
			if want := fmt.Sprintf(`width="%gpt"`, (on.width() * 1.4).Points()); name == "slide" && !bytes.Contains(svg, []byte(want)) {
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
		d, err := drawn(t, charts["rows"], scored(t, "A", "B"), c.on)
		must.Succeed(t, err)
		svg, err := d.Encode("svg")
		must.Succeed(t, err)
		if !bytes.Contains(svg, []byte(c.want)) || bytes.Contains(svg, []byte(c.not)) {
			t.Errorf("%v: want %s and not %s", c.on, c.want, c.not)
		}
	}
}

// Type that is too small for print is found.
func TestSmallType(t *testing.T) {
	faults := checkLabels([]Label{{Text: "tiny", Size: 5}}, 100, 100)
	if err := errors.Join(faults...); err == nil || !strings.Contains(err.Error(), `"tiny" is set in 5.0 points; 6 are the least`) {
		t.Errorf("faults: %v", faults)
	}
}
