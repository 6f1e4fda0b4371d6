package sample

import (
	"image/color"
	"math"
)

func (c *canvas) star(x, y, r float64, col color.NRGBA) {
	var xy []float64
	for i := range 10 {
		k, a := r, math.Pi*(float64(i)/5-0.5)
		if i%2 == 1 {
			k = r * 0.42
		}
		xy = append(xy, x+k*math.Cos(a), y+k*math.Sin(a))
	}
	c.poly(col, xy...)
}

func (c *canvas) mug(x, y float64, col color.NRGBA) {
	c.ground(x+8, y, 98, 15)
	c.ring(x+76, y-78, 36, -85, 85, 17, darker(col, 0.1))
	c.rbox(x-80, y-160, 160, 160, 24, col)
	c.rbox(x+46, y-150, 34, 140, 17, fade(black, 0.05))
	c.rbox(x-64, y-136, 14, 112, 7, lighter(col, 0.4))
	c.oval(x, y-156, 80, 15, darker(col, 0.16))
	c.oval(x, y-154, 70, 11, darker(col, 0.4))
}

func mugCard() card {
	return card{
		id: "ecom_s01", brand: "Lumo", name: "Dawn Mug Set", kind: "a set of mugs", slogan: "Start warm, stay warm",
		price: 18, before: 24, rating: 4.6, reviews: 312, swatches: []string{"orange", "white", "blue", "grey"},
		specs: []spec{
			{eMaterial, "Material", "Ceramic", []string{"Glass", "Enamel", "Porcelain", "Bamboo"}},
			{eCapacity, "Capacity", "350 ml", []string{"250 ml", "300 ml", "450 ml", "500 ml"}},
			{eUsable, "Care", "Dishwasher", nil}, {eSize, "Set", "2 pieces", nil},
		},
		seal: "Lead-free glaze", sealNode: eCert, inBox: "2 mugs and a gift card", inBoxWrong: []string{"4 mugs and a tray", "2 mugs and 2 spoons", "1 mug and a lid", "2 mugs and a teapot"},
		light: rgb(0xf6dcc0), accent: rgb(0xe07f2d),
		draw: func(c *canvas) {
			c.box(0, 430, 720, 130, rgb(0xe6bf96))
			c.box(0, 430, 720, 5, rgb(0xf2d3b0))
			c.ground(566, 472, 92, 13)
			c.rbox(488, 306, 156, 164, 6, rgb(0xc98a58))
			c.box(488, 306, 156, 34, rgb(0xb87946))
			c.box(556, 306, 20, 164, rgb(0xf8efe2))
			c.oval(544, 300, 24, 13, rgb(0xf8efe2))
			c.oval(588, 300, 24, 13, rgb(0xf8efe2))
			c.disc(566, 303, 9, rgb(0xeaddc8))
			c.mug(330, 462, paints["white"])
			c.mug(176, 500, paints["orange"])
			for _, dx := range []float64{-26, 6, 34} {
				c.dc.MoveTo(176+dx, 326)
				c.dc.CubicTo(156+dx, 296, 196+dx, 276, 174+dx, 240)
				c.dc.SetColor(fade(snow, 0.8))
				c.dc.SetLineWidth(5)
				c.dc.Stroke()
			}
		},
		more: func(n *notes) {
			n.four(say{eColor, 2, "front mug", "colour", "orange", "The mug in front is {v}, the one behind it is white."}, "What colour is the mug in front?", "white", "blue", "grey", "green")
			n.yes(say{eBox, 3, "gift box", "presence", "gift box", "A brown {v} with a pale ribbon stands on the right."}, "Is there a gift box beside the mugs?")
		},
	}
}

func bottleCard() card {
	return card{
		id: "ecom_s02", brand: "Fjordline", name: "Trek Bottle", kind: "a drinking bottle", slogan: "Cold at the summit",
		price: 27.2, before: 32, rating: 4.8, reviews: 1045, swatches: []string{"blue", "red", "black"},
		specs: []spec{
			{eCapacity, "Capacity", "750 ml", []string{"500 ml", "600 ml", "900 ml", "1 litre"}},
			{eMaterial, "Material", "Steel", []string{"Glass", "Aluminium", "Plastic", "Titanium"}},
			{eFeature, "Keeps cold", "24 hours", nil}, {eWeight, "Weight", "340 g", nil},
		},
		seal: "BPA-free", sealNode: eCert, inBox: "bottle and carabiner", inBoxWrong: []string{"bottle and brush", "bottle and spare lid", "two bottles", "bottle and sleeve"},
		light: rgb(0xa9d3ea), accent: rgb(0x2d7fb8),
		draw: func(c *canvas) {
			c.poly(rgb(0x8fb4cb), 0, 470, 150, 230, 260, 380, 380, 190, 560, 420, 640, 330, 720, 440, 720, 560, 0, 560)
			c.poly(rgb(0xf4f9fc), 380, 190, 348, 240, 372, 232, 388, 250, 404, 228, 422, 244)
			c.poly(rgb(0xf4f9fc), 150, 230, 128, 265, 146, 258, 160, 272, 178, 268)
			c.oval(200, 590, 460, 150, rgb(0x88b27a))
			c.oval(600, 600, 420, 140, rgb(0x78a56c))
			c.ground(350, 512, 96, 15)
			col := paints["blue"]
			c.ring(350, 112, 26, 180, 360, 10, rgb(0x31373e))
			c.rbox(314, 112, 72, 54, 10, rgb(0x31373e))
			c.rbox(308, 158, 84, 16, 5, rgb(0xc3cad1))
			c.dc.MoveTo(312, 174)
			c.dc.LineTo(388, 174)
			c.dc.QuadraticTo(428, 196, 428, 236)
			c.dc.LineTo(428, 496)
			c.dc.QuadraticTo(428, 512, 412, 512)
			c.dc.LineTo(288, 512)
			c.dc.QuadraticTo(272, 512, 272, 496)
			c.dc.LineTo(272, 236)
			c.dc.QuadraticTo(272, 196, 312, 174)
			c.fill(col)
			c.rbox(292, 226, 18, 262, 9, lighter(col, 0.32))
			c.rbox(398, 226, 30, 270, 14, fade(black, 0.08))
			c.box(272, 474, 156, 10, rgb(0xc3cad1))
			c.poly(snow, 318, 372, 350, 310, 368, 344, 376, 332, 396, 372)
			c.ring(408, 120, 20, 0, 360, 6, rgb(0xe0862f))
			c.line(rgb(0xe0862f), 6, 384, 112, 390, 112)
		},
		more: func(n *notes) {
			n.four(say{eColor, 1, "bottle", "colour", "blue", "The bottle is {v} with a black lid."}, "What colour is the bottle?", "red", "green", "black", "white", "yellow")
			n.three(say{eStyled, 3, "background", "scenery", "mountains", "The background shows {v} with snowy tops and green hills."}, "What does the background show?", "a city skyline", "a kitchen shelf", "a sandy beach")
		},
	}
}

func headphoneCard() card {
	return card{
		id: "ecom_s03", brand: "Aurio", name: "Quiet 5", kind: "a pair of headphones", slogan: "Hear only what you want",
		price: 119.4, before: 199, rating: 4.3, reviews: 876, swatches: []string{"purple", "black", "white", "pink", "green"},
		specs: []spec{
			{eFeature, "Battery", "40 hours", []string{"12 hours", "24 hours", "30 hours", "60 hours"}},
			{eFeature, "Bluetooth", "5.3", []string{"4.2", "5.0", "5.1", "6.0"}},
			{eUsable, "Charging", "USB-C", nil}, {eWeight, "Weight", "250 g", nil},
		},
		seal: "2-year warranty", sealNode: eCert, inBox: "headphones, case and cable", inBoxWrong: []string{"headphones and charger", "headphones and two cables", "headphones and ear tips", "earbuds and case"},
		light: rgb(0xdcd3ee), accent: rgb(0x7d55ac),
		draw: func(c *canvas) {
			col := paints["purple"]
			c.disc(360, 290, 216, fade(snow, 0.4))
			c.disc(360, 290, 170, fade(snow, 0.4))
			c.ground(360, 508, 190, 14)
			c.ring(360, 284, 150, 188, 352, 30, darker(col, 0.2))
			c.ring(360, 284, 138, 195, 345, 9, lighter(col, 0.45))
			for _, s := range []float64{-1, 1} {
				x := 360 + s*150
				c.rbox(x-8, 250, 16, 76, 8, rgb(0xc6c9d2))
				c.rbox(x-s*26-30, 300, 60, 176, 30, rgb(0x3a3440))
				c.rbox(x+s*8-34, 292, 68, 192, 34, col)
				c.rbox(x+s*14-16, 312, 20, 152, 10, lighter(col, 0.2))
				c.disc(x+s*16, 448, 5, rgb(0x7be0a5))
			}
			c.disc(534, 388, 13, darker(col, 0.35))
		},
		more: func(n *notes) {
			n.three(say{eColor, 1, "headphones", "colour", "purple", "The headphones shown are {v}."}, "What colour are the headphones that are shown?", "black", "white", "red", "blue")
			n.no(say{ePeople, 4, "people", "absence", "nobody", "The headphones stand alone; {v} wears them."}, "Is a model wearing the headphones?")
		},
	}
}

func lampCard() card {
	return card{
		id: "ecom_s04", brand: "Helio", name: "Arc Desk Lamp", kind: "a desk lamp", slogan: "Light where you need it",
		price: 44, before: 55, rating: 3.9, reviews: 158, swatches: []string{"green", "black", "yellow"},
		specs: []spec{
			{eFeature, "Power", "9 W LED", []string{"5 W LED", "12 W LED", "40 W bulb", "7 W LED"}},
			{eFeature, "Brightness", "3 levels", []string{"1 level", "2 levels", "5 levels", "10 levels"}},
			{eSize, "Height", "46 cm", nil}, {eDurable, "Lifetime", "25,000 h", nil},
		},
		seal: "Design Award 2025", sealNode: eAward, inBox: "lamp, adapter and manual", inBoxWrong: []string{"lamp and two bulbs", "lamp and wall mount", "lamp, clamp and cable", "lamp and remote control"},
		light: rgb(0xcfe0d8), accent: rgb(0x3f8a5c),
		draw: func(c *canvas) {
			col := paints["green"]
			c.box(0, 470, 720, 90, rgb(0xb98a60))
			c.box(0, 470, 720, 6, rgb(0xd2a67c))
			c.poly(fade(rgb(0xfff0b0), 0.55), 408, 236, 520, 208, 640, 484, 330, 484)
			c.oval(486, 486, 156, 16, fade(rgb(0xfff3c0), 0.6))
			c.ground(246, 500, 96, 12)
			c.line(rgb(0x55605c), 11, 246, 486, 196, 322)
			c.line(rgb(0x55605c), 11, 196, 322, 402, 174)
			c.disc(196, 322, 15, darker(col, 0.25))
			c.rbox(162, 478, 168, 22, 11, col)
			c.rbox(176, 470, 140, 14, 7, darker(col, 0.15))
			c.poly(col, 372, 168, 440, 146, 528, 206, 404, 244)
			c.poly(lighter(col, 0.25), 384, 172, 404, 165, 424, 236, 407, 242)
			c.disc(404, 160, 18, darker(col, 0.15))
			c.oval(468, 228, 26, 13, rgb(0xfff3c0))
			for i, s := range []color.NRGBA{rgb(0x3d6ea5), rgb(0xd9b24c), rgb(0xb84a3c)} {
				y := 478 - 24*float64(i)
				c.rbox(450+8*float64(i), y-18, 160-14*float64(i), 22, 4, s)
				c.box(460+8*float64(i), y-14, 150-14*float64(i)-8, 3, lighter(s, 0.5))
			}
		},
		more: func(n *notes) {
			n.four(say{eProps, 3, "prop", "kind", "a stack of three books", "The lamp shines on {v}."}, "On what does the lamp shine?", "a laptop with a keyboard", "a vase of flowers", "a cup and a saucer", "a pair of glasses")
			n.three(say{eColor, 2, "lamp", "colour", "green", "The lamp is {v} with a grey arm."}, "What colour is the lamp shade?", "black", "yellow", "white")
		},
	}
}

func backpackCard() card {
	return card{
		id: "ecom_s05", brand: "Northtrail", name: "Daypack 22", kind: "a backpack", slogan: "Carry less, see more",
		price: 58.5, before: 90, rating: 4.7, reviews: 529, swatches: []string{"red", "blue"},
		specs: []spec{
			{eCapacity, "Volume", "22 litres", []string{"15 litres", "18 litres", "28 litres", "35 litres"}},
			{eWeight, "Weight", "640 g", []string{"420 g", "560 g", "780 g", "950 g"}},
			{eFeature, "Fabric", "Waterproof", nil}, {eDurable, "Zips", "Metal", nil},
		},
		seal: "Recycled fabric", sealNode: eCert, inBox: "backpack and rain cover", inBoxWrong: []string{"backpack and bottle", "backpack and hip belt", "backpack and key ring", "two backpacks"},
		light: rgb(0xf3e3cf), accent: rgb(0xc9523f),
		draw: func(c *canvas) {
			col := paints["red"]
			c.ground(360, 510, 170, 15)
			c.ring(360, 130, 36, 180, 360, 13, darker(col, 0.35))
			c.line(darker(col, 0.4), 22, 244, 210, 214, 320, 236, 440)
			c.line(darker(col, 0.4), 22, 476, 210, 506, 320, 484, 440)
			c.dc.MoveTo(240, 498)
			c.dc.LineTo(240, 240)
			c.dc.CubicTo(240, 96, 480, 96, 480, 240)
			c.dc.LineTo(480, 498)
			c.dc.QuadraticTo(480, 512, 462, 512)
			c.dc.LineTo(258, 512)
			c.dc.QuadraticTo(240, 512, 240, 498)
			c.fill(col)
			c.ring(360, 246, 104, 190, 350, 4, darker(col, 0.25))
			c.rbox(268, 342, 184, 152, 22, darker(col, 0.12))
			c.line(rgb(0xd7dade), 4, 284, 372, 436, 372)
			c.rbox(420, 366, 12, 30, 5, rgb(0xd7dade))
			c.rbox(300, 222, 120, 62, 8, snow)
			c.poly(rgb(0x3f5e4c), 316, 270, 336, 238, 348, 256, 358, 244, 376, 270)
			c.disc(396, 246, 8, paints["orange"])
			for _, x := range []float64{276, 428} {
				c.box(x, 296, 16, 46, rgb(0x3b3f46))
				c.rbox(x-5, 324, 26, 22, 4, rgb(0x22262b))
			}
			c.rbox(252, 190, 10, 280, 5, lighter(col, 0.25))
		},
		more: func(n *notes) {
			n.four(say{eColor, 1, "backpack", "colour", "red", "The backpack is {v}."}, "What colour is the backpack?", "blue", "green", "grey", "black", "yellow")
			n.two(say{ePlain, 4, "background", "kind", "plain beige background", "The backpack is shown from the front on a {v}."}, "What is the backpack shown on?", "forest path")
		},
	}
}

func teaCard() card {
	return card{
		id: "ecom_s06", brand: "Verdana", name: "Mint and Lemon Tea", kind: "a box of tea", slogan: "A garden in every cup",
		price: 3.43, before: 4.9, rating: 4.5, reviews: 64,
		specs: []spec{
			{eSize, "Contents", "20 tea bags", []string{"10 tea bags", "25 tea bags", "40 tea bags", "50 tea bags"}},
			{eUsable, "Brewing", "6 minutes", []string{"2 minutes", "4 minutes", "8 minutes", "10 minutes"}},
			{eWeight, "Net weight", "36 g", nil}, {eFeature, "Caffeine", "None", nil},
		},
		seal: "Certified organic", sealNode: eCert, inBox: "20 bags and a recipe card", inBoxWrong: []string{"20 bags and a honey stick", "loose leaves and a strainer", "12 bags and a sample", "20 bags and a small cup"},
		light: rgb(0xe3edc9), accent: rgb(0x5b8f3e),
		draw: func(c *canvas) {
			c.box(0, 456, 720, 104, rgb(0xd9c9a5))
			c.ground(318, 498, 176, 15)
			c.poly(rgb(0x3c6b35), 430, 156, 486, 132, 486, 470, 430, 496)
			c.poly(rgb(0x7fb061), 176, 156, 232, 132, 486, 132, 430, 156)
			c.box(176, 156, 254, 340, rgb(0x558f47))
			c.rbox(198, 184, 210, 284, 12, rgb(0xf6f3e2))
			c.text("VERDANA", 303, 212, 0.5, 24, bold, rgb(0x3c6b35))
			c.text("Mint & Lemon", 303, 244, 0.5, 20, italic, rgb(0x6d7a4c))
			c.disc(330, 330, 54, rgb(0xf4d04a))
			c.disc(330, 330, 45, rgb(0xfbe88f))
			for i := range 8 {
				a := float64(i) * math.Pi / 4
				c.line(rgb(0xf4d04a), 4, 330, 330, 330+44*math.Cos(a), 330+44*math.Sin(a))
			}
			for _, l := range []struct{ x, y, dx, dy float64 }{{272, 392, -46, -66}, {272, 392, 26, -84}, {272, 392, -56, 2}} {
				c.dc.MoveTo(l.x, l.y)
				c.dc.QuadraticTo(l.x+l.dx*0.3-l.dy*0.4, l.y+l.dy*0.5+l.dx*0.3, l.x+l.dx, l.y+l.dy)
				c.dc.QuadraticTo(l.x+l.dx*0.7+l.dy*0.3, l.y+l.dy*0.5-l.dx*0.3, l.x, l.y)
				c.fill(rgb(0x4f9a55))
				c.line(rgb(0x3a7a42), 2, l.x, l.y, l.x+l.dx*0.85, l.y+l.dy*0.85)
			}
			c.text("20 bags", 303, 444, 0.5, 18, bold, rgb(0x3c6b35))
			c.ground(570, 506, 76, 11)
			c.ring(640, 452, 22, -80, 80, 9, rgb(0xe4e0d4))
			c.dc.MoveTo(504, 414)
			c.dc.LineTo(640, 414)
			c.dc.CubicTo(640, 480, 610, 506, 572, 506)
			c.dc.CubicTo(534, 506, 504, 480, 504, 414)
			c.fill(rgb(0xfaf8f1))
			c.oval(572, 414, 68, 13, rgb(0xe6e2d6))
			c.oval(572, 416, 58, 9, rgb(0xc8b13f))
			c.line(rgb(0xf3efe2), 2.5, 540, 414, 530, 452)
			c.rbox(518, 450, 24, 28, 3, rgb(0x6da159))
		},
		more: func(n *notes) {
			n.four(say{eProps, 3, "prop", "kind", "a white cup of tea", "Beside the box stands {v}."}, "What stands beside the box?", "a glass jug", "a bowl of sugar", "a bunch of flowers", "a steel kettle")
			n.no(say{eShape, 4, "box", "shape", "rectangular", "The box is {v}."}, "Is the package round?")
		},
	}
}
