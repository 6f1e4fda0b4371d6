package sample

import (
	"fmt"
	"image/color"
)

// Nodes of the e-commerce taxonomy that the questions use (CaptionQA Table 7).
const (
	eCategory = "Product-Level Information > Product Category"
	eColor    = "Product-Level Information > Product Attributes > Color"
	eSize     = "Product-Level Information > Product Attributes > Size"
	eMaterial = "Product-Level Information > Product Attributes > Material"
	eShape    = "Product-Level Information > Product Attributes > Shape"
	eWeight   = "Product-Level Information > Product Attributes > Weight"
	ePeople   = "Contextual and Scene Information > Usage Context > Human interaction"
	eProps    = "Contextual and Scene Information > Completeness of Scene > Supporting objects"
	ePlain    = "Visual Appearance and Presentation > Background > Plain background"
	eStyled   = "Visual Appearance and Presentation > Background > Styled background"
	eFeature  = "Functional Information > Intended Use > Special features"
	eUsable   = "Functional Information > Intended Use > Usability"
	eCapacity = "Functional Information > Performance Characteristics > Capacity"
	eDurable  = "Functional Information > Performance Characteristics > Durability"
	eIncluded = "Packaging and Accessories > Accessories > Listing of included accessories"
	eBrand    = "Brand and Marketing Information > Branding > Visible logo or brand name"
	eSale     = "Brand and Marketing Information > Promotional Elements > Sale indicators"
	eCert     = "Brand and Marketing Information > Promotional Elements > Certifications or labels"
	eAward    = "Brand and Marketing Information > Promotional Elements > Awards and recognitions"
	eName     = "Textual Elements in Image > Embedding Text Recognition > Product name or description"
	ePrice    = "Textual Elements in Image > Embedding Text Recognition > Price tags or discount labels"
	eSlogan   = "Textual Elements in Image > Embedding Text Recognition > Slogans or promotional text"
	eBox      = "Packaging and Accessories > Packaging Description > Box, bag, or wrapper"
)

// spec is a line of a product's data sheet, with the taxonomy node that it belongs to.
type spec struct {
	node, name, value string
	wrong             []string // plausible values that the product does not have
}

// card is the model of a product card. Money is in euros.
type card struct {
	id, brand, name, kind, slogan string
	price, before                 float64
	rating                        float64
	reviews                       int
	swatches                      []string // names of the colours on offer, the shown one first; empty for a product without a choice
	specs                         []spec
	seal                          string // certification or award in the pill at the foot
	sealNode                      string
	inBox                         string
	inBoxWrong                    []string
	light, accent                 color.NRGBA
	draw                          func(*canvas)
	more                          func(*notes) // questions that only this product allows
}

func (k card) off() string { return fmt.Sprintf("−%.0f %%", 100*(1-k.price/k.before)) }

func commerceScenes() []scene {
	cards := []card{mugCard(), bottleCard(), headphoneCard(), lampCard(), backpackCard(), teaCard()}
	var out []scene
	for _, k := range cards {
		out = append(out, scene{id: k.id, domain: ECommerce, title: k.brand + " " + k.name, width: 720, height: 960,
			draw: []func(*canvas){k.paint}, notes: k.notes(cards)})
	}
	return out
}

// paint draws the stage with the product and the sheet with its data below.
func (k card) paint(c *canvas) {
	c.sky(0, 0, 720, 560, k.light, lighter(k.light, 0.55))
	k.draw(c)
	c.rbox(36, 34, c.measure(k.brand, 24, bold)+76, 48, 24, fade(snow, 0.92))
	c.disc(62, 58, 11, k.accent)
	c.disc(67, 54, 5, fade(snow, 0.8))
	c.text(k.brand, 84, 58, 0, 24, bold, ink)
	c.disc(632, 96, 58, fade(black, 0.08))
	c.disc(630, 92, 56, rgb(0xd8433b))
	c.ring(630, 92, 49, 0, 360, 1.5, fade(snow, 0.7))
	c.text(k.off(), 630, 86, 0.5, 26, bold, snow)
	c.text("SALE", 630, 112, 0.5, 14, bold, snow)
	c.shadow(0, 540, 720, 440, 28)
	c.rbox(0, 540, 720, 450, 28, snow)
	c.text(k.name, 44, 586, 0, 34, bold, ink)
	c.text(k.slogan, 44, 624, 0, 18, italic, muted)
	for i := 0.0; i < 5; i++ {
		col := rgb(0xf2b632)
		if i+0.5 > k.rating {
			col = rgb(0xd9dde2)
		}
		c.star(56+27*i, 664, 12, col)
	}
	c.text(fmt.Sprintf("%.1f", k.rating), 190, 664, 0, 18, bold, ink)
	c.text(fmt.Sprintf("(%d reviews)", k.reviews), 224, 664, 0, 17, regular, muted)
	price := euros(k.price)
	c.text(price, 44, 722, 0, 44, bold, rgb(0xc5352d))
	x := 44 + c.measure(price, 44, bold) + 22
	c.text(euros(k.before), x, 727, 0, 22, regular, muted)
	c.line(muted, 2, x-3, 728, x+c.measure(euros(k.before), 22, regular)+3, 728)
	if len(k.swatches) > 0 {
		c.text("Colours", 676, 664, 1, 16, bold, muted)
	}
	for i, s := range k.swatches {
		sx := 658 - 46*float64(len(k.swatches)-1-i)
		if i == 0 {
			c.ring(sx, 716, 20, 0, 360, 2.5, ink)
		}
		c.disc(sx, 716, 15, paints[s])
		c.ring(sx, 716, 15, 0, 360, 1, fade(black, 0.18))
	}
	c.line(rgb(0xe1e5ea), 1.5, 44, 762, 676, 762)
	for i, s := range k.specs {
		sx, sy := 44+346*float64(i%2), 794+38*float64(i/2)
		c.disc(sx+5, sy, 4.5, k.accent)
		c.text(s.name, sx+20, sy, 0, 17, regular, muted)
		c.text(s.value, sx+286, sy, 1, 17, bold, ink)
	}
	c.line(rgb(0xe1e5ea), 1.5, 44, 860, 676, 860)
	w := c.measure(k.seal, 16, bold) + 58
	c.rbox(676-w, 884, w, 44, 22, lighter(k.accent, 0.82))
	c.disc(676-w+24, 906, 11, k.accent)
	c.line(snow, 3, 676-w+19, 906, 676-w+23, 910, 676-w+30, 902)
	c.text(k.seal, 676-w+43, 906, 0, 16, bold, darker(k.accent, 0.35))
	c.text("In the box", 44, 894, 0, 15, bold, muted)
	c.text(capital(k.inBox), 44, 918, 0, 17, regular, ink)
}

func euros(v float64) string { return fmt.Sprintf("€%.2f", v) }

// notes says what the card says. The wrong options of a question are the other cards' values where these are alike.
func (k card) notes(all []card) *notes {
	n := &notes{}
	var brands, names, kinds, slogans, seals, offs []string
	for _, o := range all {
		brands, names, kinds = append(brands, o.brand), append(names, o.name), append(kinds, o.kind)
		slogans, seals, offs = append(slogans, o.slogan), append(seals, o.seal), append(offs, o.off())
	}
	n.four(say{eCategory, 1, "product", "category", k.kind, "The card advertises {v}."}, "Which product does the card advertise?", kinds...)
	n.four(say{eBrand, 1, k.kind, "brand", k.brand, "The brand in the upper left corner is {v}."}, "Which brand name is shown in the upper left corner?", brands...)
	n.four(say{eName, 2, k.kind, "name", k.name, "The product is called {v}."}, "What is the product called?", names...)
	n.four(say{ePrice, 2, k.kind, "price", euros(k.price), "It costs {v} now."}, "What does the product cost now?",
		euros(k.before), euros(k.price+10), euros(k.price-3), euros(k.before+8))
	n.four(say{ePrice, 3, k.kind, "former price", euros(k.before), "The crossed-out former price is {v}."}, "What is the crossed-out former price?",
		euros(k.price), euros(k.before+5), euros(k.before-4), euros(k.before+15))
	n.four(say{eSale, 2, "badge", "discount", k.off(), "A red badge announces a discount of {v}."}, "Which discount does the red badge announce?", append(offs, "−50 %", "−15 %", "−10 %")...)
	n.four(say{eSlogan, 3, k.kind, "slogan", k.slogan, "The slogan reads “{v}”."}, "What is the slogan?", slogans...)
	for _, s := range k.specs[:2] {
		n.four(say{s.node, 3, k.kind, s.name, s.value, "Under “" + s.name + "” the data sheet gives {v}."},
			"What does the data sheet give under “"+s.name+"”?", s.wrong...)
	}
	n.four(say{k.sealNode, 4, "seal", "text", k.seal, "A seal at the foot says “{v}”."}, "What does the seal at the foot say?", seals...)
	n.four(say{eIncluded, 4, "box", "contents", k.inBox, "In the box come {v}."}, "What comes in the box?", k.inBoxWrong...)
	if len(k.swatches) > 0 {
		n.four(say{eColor, 4, k.kind, "colours on offer", word(len(k.swatches)), "It is on offer in {v} colours."}, "How many colours are on offer?", near(len(k.swatches))...)
	}
	k.more(n)
	return n
}
