package plots

import (
	"fmt"
	"math"
	"testing"

	"github.com/captionlake/captionlake/data"
)

var domains = data.CaptionQA().DomainNames()

// Colours of own domains stay apart, those of the first eight as far as those of the published ones, and text in them can be read.
func TestOwnDomainsHaveColours(t *testing.T) {
	var names []string
	for i := range len(ownInks) * len(ownTones) {
		names = append(names, fmt.Sprintf("Own %02d", i))
	}
	set := domainsOf(names...)
	for i, a := range set {
		if c := contrast(set.text(a.Name)); i >= len(domainInks) && c < 4.5 {
			t.Errorf("text of domain %d has a contrast of %.2f", i, c)
		}
		for j, b := range set[:i] {
			d := unlike(lab(linear(set.color(a.Name))), lab(linear(set.color(b.Name))))
			if least := map[bool]float64{true: 15, false: 3}[i < 12]; d < least || math.IsNaN(d) {
				t.Errorf("domains %d and %d are %.1f apart", j, i, d)
			}
		}
	}
}
