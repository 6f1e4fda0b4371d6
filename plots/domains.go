package plots

import (
	"image/color"
	"slices"

	"github.com/captionlake/captionlake/data"
)

// domainSet is the domains that figures of one lake show, in their order: the published ones, then the user's own by name. A domain
// has the same colour in all of them.
type domainSet []data.Domain

// domainsOf are the published domains and the user's own among the names found.
func domainsOf(found ...string) domainSet { return data.CaptionQA().WithOwn(found) }

// domainInks are the colours of the domains by their place in the set, for areas and for text on white. The first four are green, blue,
// vermillion and orange after the Okabe-Ito palette, which stay apart under colour deficiencies and in grey print (the paper's Figure 28
// has plain green, blue, red and orange). From the thirteenth domain on the colours of own domains come again.
var domainInks = []struct{ area, text color.NRGBA }{
	{color.NRGBA{0x00, 0x9e, 0x73, 0xff}, color.NRGBA{0x00, 0x6e, 0x50, 0xff}},
	{color.NRGBA{0x00, 0x50, 0x8a, 0xff}, color.NRGBA{0x00, 0x50, 0x8a, 0xff}},
	{color.NRGBA{0xc4, 0x45, 0x0c, 0xff}, color.NRGBA{0xc4, 0x45, 0x0c, 0xff}},
	{color.NRGBA{0xe6, 0x9f, 0x00, 0xff}, color.NRGBA{0x8f, 0x61, 0x00, 0xff}},
}

// ownInks are the colours of a user's own domains for areas; text is as dark as it takes to be read.
var ownInks = []color.NRGBA{
	{0xcc, 0x79, 0xa7, 0xff}, {0x33, 0x22, 0x88, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x88, 0x22, 0x55, 0xff},
	{0x99, 0x99, 0x33, 0xff}, {0x5c, 0x3a, 0x1e, 0xff}, {0x9e, 0x8c, 0xd6, 0xff}, {0x3f, 0x3f, 0x3f, 0xff},
}

// color is the colour of a domain for areas and lines. Other names, such as those of sums over domains, get the ink.
func (s domainSet) color(domain string) color.NRGBA {
	i := slices.IndexFunc(s, func(d data.Domain) bool { return d.Name == domain })
	if i < 0 {
		return ink
	}
	if i < len(domainInks) {
		return domainInks[i].area
	}
	return ownInks[(i-len(domainInks))%len(ownInks)]
}

// bar is color for bars and what shares a legend with them: other names are grey, as an interval could not be seen on the ink.
func (s domainSet) bar(domain string) color.NRGBA {
	if c := s.color(domain); c != ink {
		return c
	}
	return frameInk
}

// text is color dark enough for text on white.
func (s domainSet) text(domain string) color.NRGBA {
	if i := slices.IndexFunc(s, func(d data.Domain) bool { return d.Name == domain }); i >= 0 && i < len(domainInks) {
		return domainInks[i].text
	}
	return readable(s.color(domain))
}
