package plots

import (
	"image/color"
	"slices"

	"github.com/captionlake/captionlake/data"
)

// domainSet are the domains that the figures of a lake show, in their order: first the published
// domains, then the user's own domains by name. A domain has the same colour in all figures.
type domainSet []data.Domain

// domainInks are the colours of the domains by their place in the set. The first four are green,
// blue, vermillion and orange after the Okabe-Ito palette. These four stay apart under colour
// deficiencies and in grey print (the paper's Figure 28 has plain green, blue, red and orange). The
// last eight are for a user's own domains. From the thirteenth domain on, these eight are repeated.
var domainInks = []color.NRGBA{
	{0x00, 0x9e, 0x73, 0xff}, {0x00, 0x50, 0x8a, 0xff}, {0xc4, 0x45, 0x0c, 0xff}, {0xe6, 0x9f, 0x00, 0xff},
	{0xcc, 0x79, 0xa7, 0xff}, {0x33, 0x22, 0x88, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x88, 0x22, 0x55, 0xff},
	{0x99, 0x99, 0x33, 0xff}, {0x5c, 0x3a, 0x1e, 0xff}, {0x9e, 0x8c, 0xd6, 0xff}, {0x3f, 0x3f, 0x3f, 0xff},
}

// place returns the place of a domain, or -1 for other names.
func (s domainSet) place(name string) int {
	return slices.IndexFunc(s, func(d data.Domain) bool { return d.Name == name })
}

// color returns the colour of a domain for areas and lines. Other names, such as names of sums over
// domains, get the ink.
func (s domainSet) color(domain string) color.NRGBA {
	i := s.place(domain)
	if i < 0 {
		return ink
	}
	for i >= len(domainInks) {
		i -= len(domainInks) - 4
	}
	return domainInks[i]
}

// text returns the colour of a domain, dark enough for text on white.
func (s domainSet) text(domain string) color.NRGBA { return readable(s.color(domain)) }
