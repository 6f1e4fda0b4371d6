package sample

import (
	"image/color"
	"math"
)

func kitchenScene() scene {
	apples := []dot{{262, 392, "red"}, {306, 384, "red"}, {284, 366, "green"}}
	tulips := []dot{{-22, 92, "pink"}, {0, 112, "pink"}, {24, 88, "pink"}}
	const mug, cloth, bowl = "blue", "red", "white"
	draw := func(c *canvas) {
		c.sky(0, 0, 768, 380, rgb(0xf3e8d6), rgb(0xe9dac2))
		for y := 220.0; y < 380; y += 32 {
			for x := 0.0; x < 768; x += 48 {
				c.rbox(x+1.5, y+1.5, 45, 29, 3, rgb(0xe3eeec))
			}
		}
		c.shadow(70, 36, 220, 160, 4)
		c.box(70, 36, 220, 160, rgb(0xfdfaf3))
		c.sky(80, 46, 200, 140, rgb(0x8cc6ea), rgb(0xd6eef8))
		c.cloud(140, 96, 0.5, snow)
		c.oval(230, 186, 0, 0, snow)
		c.poly(rgb(0x8dbb73), 80, 186, 80, 160, 150, 146, 220, 160, 280, 150, 280, 186)
		c.box(176, 46, 8, 140, rgb(0xfdfaf3))
		c.box(80, 110, 200, 7, rgb(0xfdfaf3))
		c.box(58, 194, 244, 12, rgb(0xf7f0e2))
		c.shadow(560, 50, 120, 120, 60)
		c.disc(620, 110, 60, rgb(0x4b5a66))
		c.disc(620, 110, 53, rgb(0xfdfbf5))
		for i := 0; i < 12; i++ {
			a := float64(i) * math.Pi / 6
			c.line(ink, 3, 620+44*math.Cos(a), 110+44*math.Sin(a), 620+49*math.Cos(a), 110+49*math.Sin(a))
		}
		c.line(ink, 5, 620, 110, 620-27*math.Cos(math.Pi/6), 110+27*math.Sin(math.Pi/6))
		c.line(ink, 3.5, 620, 110, 620, 72)
		c.disc(620, 110, 4, paints["red"])
		c.sky(0, 380, 768, 196, rgb(0xbf8a58), rgb(0xa87445))
		for _, y := range []float64{416, 462, 516} {
			c.line(fade(rgb(0x7d5330), 0.35), 2, 0, y, 768, y+3)
		}
		c.box(0, 376, 768, 6, rgb(0xd4a473))
		c.poly(paints[cloth], 470, 452, 700, 452, 742, 560, 440, 560)
		c.poly(lighter(paints[cloth], 0.75), 500, 452, 524, 452, 504, 560, 476, 560)
		c.poly(lighter(paints[cloth], 0.75), 640, 452, 664, 452, 702, 560, 674, 560)
		c.ground(284, 462, 104, 14)
		for _, a := range apples {
			c.apple(a.x, a.y, 29, a.col())
		}
		c.banana(336, 398)
		c.dc.MoveTo(190, 402)
		c.dc.CubicTo(200, 474, 368, 474, 378, 402)
		c.dc.ClosePath()
		c.fill(paints[bowl])
		c.dc.MoveTo(300, 456)
		c.dc.CubicTo(340, 450, 374, 432, 378, 402)
		c.dc.LineTo(356, 402)
		c.fill(fade(black, 0.06))
		c.rbox(186, 397, 196, 10, 5, rgb(0xe4dfd2))
		c.rbox(242, 450, 84, 12, 4, rgb(0xe4dfd2))
		c.ground(570, 506, 62, 11)
		c.ring(622, 462, 19, -80, 80, 9, darker(paints[mug], 0.1))
		c.rbox(520, 424, 100, 82, 12, paints[mug])
		c.rbox(530, 430, 10, 66, 5, lighter(paints[mug], 0.3))
		c.oval(570, 426, 50, 10, darker(paints[mug], 0.25))
		c.oval(570, 427, 43, 7, rgb(0x5b3a24))
		for _, dx := range []float64{-20, 4, 26} {
			c.dc.MoveTo(570+dx, 408)
			c.dc.CubicTo(556+dx, 388, 586+dx, 374, 568+dx, 350)
			c.dc.SetColor(fade(snow, 0.75))
			c.dc.SetLineWidth(4)
			c.dc.Stroke()
		}
		c.ground(440, 428, 36, 8)
		for _, t := range tulips {
			c.tulip(440, 360, t.y, t.x, t.col())
		}
		c.poly(rgb(0x9bb7a9), 416, 340, 464, 340, 472, 428, 408, 428)
		c.oval(440, 340, 24, 5, rgb(0x7c9a8c))
		c.oval(440, 428, 32, 5, rgb(0x9bb7a9))
		c.ground(110, 524, 92, 12)
		c.oval(110, 512, 92, 22, rgb(0xf6f2e8))
		c.oval(110, 509, 70, 15, rgb(0xe8e1d1))
		for _, b := range []dot{{82, 492, ""}, {136, 496, ""}} {
			c.rbox(b.x-34, b.y-22, 68, 34, 12, rgb(0xb97b3f))
			c.rbox(b.x-29, b.y-18, 58, 26, 9, rgb(0xf0d5a3))
		}
	}
	n := &notes{}
	n.four(say{nPlace, 1, "scene", "location", "indoors", "The scene is {v}, at a kitchen table."}, "Where does the scene take place?", "in a garden", "on a roof terrace", "in a street café", "on a beach")
	n.four(say{nCount, 2, "apples", "count", word(len(apples)), "{v} apples lie in the bowl."}, "How many apples lie in the bowl?", near(len(apples))...)
	n.four(say{nColor, 3, "odd apple", "colour", apples[2].hue, "Two apples are red, and the one on top is {v}."}, "What colour is the apple on top of the other two?", "red", "orange", "brown", "purple")
	n.four(say{nColor, 2, "mug", "colour", mug, "A {v} mug stands on the table."}, "What colour is the mug?", "white", "green", "yellow", "black", "grey")
	n.four(say{nState, 3, "mug", "content's state", "steaming hot", "The coffee in the mug is {v}."}, "In which state is the coffee in the mug?", "frozen", "spilled over", "topped with whipped cream")
	n.four(say{nInside, 2, "bowl", "content", "apples and a banana", "The bowl holds {v}."}, "What does the bowl hold?", "bread and cheese", "grapes and a pear", "tomatoes and a cucumber", "eggs and a lemon")
	n.four(say{nText, 4, "clock", "time", "8 o'clock", "The wall clock shows {v}."}, "What time does the wall clock show?", "3 o'clock", "6 o'clock", "11 o'clock", "half past four")
	n.four(say{nPos, 3, "vase", "position", "between the bowl and the mug", "The vase with flowers stands {v}."}, "Where does the vase with flowers stand?", "on the window sill", "to the left of the bread", "on the striped cloth", "under the clock on a shelf")
	n.three(say{nCluster, 4, "bread", "arrangement", "side by side on a plate", "Two slices of bread lie {v}."}, "How are the slices of bread arranged?", "stacked in a basket", "scattered over the table", "one in front of each chair")
	n.yes(say{nPresence, 2, "banana", "presence", "banana", "There is a {v} in the bowl."}, "Is there a banana in the bowl?")
	n.no(say{nAbsent, 4, "knife", "absence", "knife", "There is no {v} on the table."}, "Is there a knife on the table?")
	n.yes(say{nNear, 4, "mug", "place", "on the striped cloth", "The mug stands {v}."}, "Does the mug stand on the striped cloth?")
	n.no(say{nTime, 3, "scene", "time of day", "daylight", "The window shows bright {v} and a blue sky."}, "Is it night outside the window?")
	return natural("nat_s04", "Breakfast table", draw, n)
}

func beachScene() scene {
	stars := []dot{{86, 528, "orange"}, {168, 548, "orange"}, {300, 540, "pink"}, {690, 540, "orange"}}
	gulls := []dot{{250, 108, ""}, {318, 74, ""}, {386, 122, ""}}
	const a, b, flag, bucket = "red", "white", "green", "yellow"
	draw := func(c *canvas) {
		c.sky(0, 0, 768, 260, rgb(0x58b0e6), rgb(0xdff3fb))
		c.glow(110, 76, 90, rgb(0xfff4bb), 0.9)
		c.disc(110, 76, 34, rgb(0xffdf66))
		c.cloud(500, 66, 0.85, snow)
		c.sky(0, 250, 768, 130, rgb(0x2f83b8), rgb(0x7cc9d8))
		for i := 0.0; i < 12; i++ {
			c.rbox(20+float64(int(i*173)%720), 268+float64(int(i*61)%92), 40, 3, 1.5, fade(snow, 0.4))
		}
		c.sailboat(480, 262, 0.4, snow, rgb(0x2b4a78))
		c.dc.MoveTo(0, 576)
		c.dc.LineTo(0, 372)
		c.dc.CubicTo(180, 398, 330, 352, 520, 378)
		c.dc.CubicTo(620, 392, 700, 366, 768, 374)
		c.dc.LineTo(768, 576)
		c.fill(rgb(0xf1dcae))
		c.dc.MoveTo(-9, 371)
		c.dc.CubicTo(180, 398, 330, 352, 520, 378)
		c.dc.CubicTo(620, 392, 700, 366, 777, 374)
		c.dc.SetColor(fade(snow, 0.9))
		c.dc.SetLineWidth(9)
		c.dc.Stroke()
		for _, g := range gulls {
			c.gull(g.x, g.y, 1)
		}
		c.oval(190, 500, 116, 16, fade(black, 0.1))
		c.poly(rgb(0x4a86c5), 100, 470, 254, 470, 280, 508, 84, 508)
		c.poly(rgb(0xeaf2fa), 128, 470, 150, 470, 138, 508, 112, 508)
		c.poly(rgb(0xeaf2fa), 204, 470, 226, 470, 246, 508, 222, 508)
		c.line(rgb(0xe8e3d6), 6, 196, 300, 206, 496)
		c.umbrella(196, 356, 112, paints[a], paints[b])
		c.ground(444, 504, 112, 13)
		sand := rgb(0xd9b274)
		for _, t := range []dot{{368, 0, ""}, {482, 0, ""}} {
			c.box(t.x, 424, 42, 78, sand)
			c.box(t.x+32, 424, 10, 78, darker(sand, 0.1))
			for i := 0.0; i < 3; i++ {
				c.box(t.x+i*16, 412, 10, 14, sand)
			}
		}
		c.box(400, 452, 92, 50, lighter(sand, 0.12))
		c.box(420, 404, 50, 98, lighter(sand, 0.06))
		for i := 0.0; i < 3; i++ {
			c.box(420+i*20, 390, 11, 15, lighter(sand, 0.06))
		}
		c.wedge(445, 490, 15, 180, 360, rgb(0x8a6437))
		c.box(430, 489, 30, 13, rgb(0x8a6437))
		c.line(rgb(0x6b4e33), 4, 445, 392, 445, 338)
		c.poly(paints[flag], 447, 338, 488, 350, 447, 364)
		c.palm(626, 490)
		c.ground(582, 528, 36, 8)
		c.poly(paints[bucket], 552, 476, 612, 476, 602, 528, 562, 528)
		c.poly(fade(snow, 0.25), 558, 476, 572, 476, 574, 528, 567, 528)
		c.rbox(548, 470, 68, 9, 4, darker(paints[bucket], 0.15))
		c.ring(582, 474, 30, 190, 350, 3, rgb(0x8e959b))
		for _, s := range stars {
			c.starfish(s.x, s.y, 17, s.col())
		}
	}
	n := &notes{}
	n.four(say{nCount, 3, "starfish", "count", word(len(stars)), "{v} starfish lie on the sand."}, "How many starfish lie on the sand?", near(len(stars))...)
	n.four(say{nColor, 1, "umbrella", "colours", a + " and " + b, "A {v} beach umbrella stands on the left."}, "Which colours has the beach umbrella?", "blue and white", "yellow and green", "red and yellow", "orange and blue")
	n.four(say{nPos, 2, "towel", "position", "under the umbrella", "A blue striped towel lies {v}."}, "Where does the towel lie?", "beside the palm tree", "in front of the sandcastle", "at the water's edge on the right")
	n.four(say{nPart, 3, "sandcastle", "towers", "three", "The sandcastle has {v} towers."}, "How many towers has the sandcastle?", near(3)...)
	n.four(say{nColor, 3, "flag", "colour", flag, "A {v} flag flies on the middle tower of the sandcastle."}, "What colour is the flag on the sandcastle?", "red", "yellow", "blue", "white", "black")
	n.four(say{nPresence, 2, "plant", "kind", "palm tree", "A {v} grows on the right side of the beach."}, "What grows on the right side of the beach?", "fir tree", "cactus", "rose bush", "reeds")
	n.four(say{nMotion, 4, "gulls", "motion", "flying", "The three gulls are {v} above the sea."}, "What are the three gulls doing?", "swimming", "walking on the sand", "sitting on the umbrella", "eating from the bucket")
	n.four(say{nColor, 3, "bucket", "colour", bucket, "A {v} bucket stands beside the sandcastle."}, "What colour is the bucket beside the sandcastle?", "blue", "red", "green", "pink", "purple")
	n.three(say{nSize, 4, "sailboat", "size", "small and far away", "The sailboat on the horizon looks {v}."}, "How does the sailboat look in the picture?", "large and close to the shore", "stranded on the sand")
	n.yes(say{nPresence, 1, "sandcastle", "presence", "sandcastle", "There is a {v} on the beach."}, "Is there a sandcastle on the beach?")
	n.no(say{nMistaken, 2, "ground", "kind", "sand", "The pale ground is {v}, not snow."}, "Is the pale ground covered with snow?")
	n.yes(say{nWeather, 1, "weather", "sun", "shining", "The sun is {v} in a blue sky."}, "Does the sun shine?")
	n.no(say{nImplied, 4, "people", "absence", "nobody", "There is {v} on the beach or in the water."}, "Is anybody swimming in the sea?")
	return natural("nat_s05", "Beach with a sandcastle", draw, n)
}

func winterScene() scene {
	firs := []dot{{58, 470, ""}, {136, 448, ""}, {598, 446, ""}, {662, 480, ""}, {728, 452, ""}}
	const scarf, roofSnow, windows, peaks = "red", "snow", 2, 3
	draw := func(c *canvas) {
		c.sky(0, 0, 768, 400, rgb(0x141d40), rgb(0x45588c))
		for i := 0; i < 70; i++ {
			c.disc(float64((i*211)%768), float64((i*127)%250), 0.8+float64(i%3)*0.5, fade(snow, 0.8))
		}
		c.glow(640, 86, 90, rgb(0xf8f0c8), 0.35)
		var moon []float64
		for a := 60.0; a <= 300; a += 6 {
			moon = append(moon, 646+40*math.Cos(a*math.Pi/180), 86+40*math.Sin(a*math.Pi/180))
		}
		for a := 254.0; a >= 106; a -= 4 {
			moon = append(moon, 676+36*math.Cos(a*math.Pi/180), 86+36*math.Sin(a*math.Pi/180))
		}
		c.poly(rgb(0xf8eec2), moon...)
		for i, p := range []dot{{150, 200, ""}, {390, 150, ""}, {620, 220, ""}} {
			base := []float64{170, 210, 180}[i]
			c.poly(rgb(0x5d6c99), p.x-base, 410, p.x, p.y, p.x+base, 410)
			c.poly(rgb(0x4c5a86), p.x, p.y, p.x+base, 410, p.x+20, 410)
			k := 70 / (410 - p.y) * base
			c.poly(rgb(0xeaf0f8), p.x-k, p.y+70, p.x, p.y, p.x+k, p.y+70, p.x+k*0.5, p.y+56, p.x+k*0.15, p.y+80, p.x-k*0.3, p.y+58)
		}
		c.oval(200, 470, 420, 90, rgb(0xc4d2ea))
		c.oval(620, 480, 400, 90, rgb(0xd3deef))
		c.sky(0, 440, 768, 136, rgb(0xdde6f4), rgb(0xbccbe4))
		for _, f := range firs {
			c.fir(f.x, f.y, 1)
		}
		c.ground(320, 470, 120, 12)
		c.box(384, 276, 24, 76, rgb(0x5a4038))
		c.rbox(380, 270, 32, 9, 3, rgb(0xeef3fa))
		for i, r := range []float64{9, 12, 16, 20} {
			c.disc(402+float64(i*i)*5, 256-float64(i)*27, r, fade(rgb(0xc9d1e2), 0.55-0.1*float64(i)))
		}
		c.box(222, 368, 206, 102, rgb(0x7a5138))
		for y := 384.0; y < 470; y += 17 {
			c.line(fade(rgb(0x4e3222), 0.6), 2, 223, y, 427, y)
		}
		c.poly(rgb(0xf3f7fc), 200, 372, 325, 292, 450, 372)
		c.poly(rgb(0x6a4632), 222, 372, 325, 306, 428, 372)
		c.rbox(304, 404, 42, 66, 3, rgb(0x4d3122))
		c.disc(337, 438, 3, rgb(0xe4c46a))
		for i := 0; i < windows; i++ {
			x := []float64{244, 368}[i]
			c.glow(x+20, 416, 40, rgb(0xffd970), 0.5)
			c.rbox(x, 396, 40, 40, 3, rgb(0xffdf85))
			c.line(rgb(0x4d3122), 3, x+20, 397, x+20, 435)
			c.line(rgb(0x4d3122), 3, x+1, 416, x+39, 416)
		}
		c.ground(500, 540, 52, 10)
		c.disc(500, 500, 42, rgb(0xf7f9fd))
		c.disc(500, 436, 31, rgb(0xfbfcfe))
		c.disc(500, 388, 23, snow)
		c.oval(510, 508, 24, 27, fade(rgb(0x9fb0d0), 0.16))
		c.rbox(476, 403, 48, 11, 5, paints[scarf])
		c.poly(paints[scarf], 512, 408, 526, 410, 530, 446, 516, 446)
		c.box(474, 368, 52, 6, rgb(0x262c36))
		c.box(484, 338, 32, 32, rgb(0x262c36))
		c.poly(rgb(0xee8b33), 500, 388, 528, 393, 500, 397)
		for _, b := range []dot{{492, 382, ""}, {508, 382, ""}, {500, 428, ""}, {500, 446, ""}, {500, 484, ""}} {
			c.disc(b.x, b.y, 3, color.NRGBA(ink))
		}
		c.line(rgb(0x5a4033), 4, 471, 432, 436, 408)
		c.line(rgb(0x5a4033), 4, 529, 432, 564, 412)
		c.oval(170, 536, 140, 24, rgb(0x9fbbe0))
		c.oval(170, 534, 128, 19, rgb(0xb6cdec))
		c.line(fade(snow, 0.8), 2, 90, 530, 150, 538)
		c.line(fade(snow, 0.8), 2, 180, 526, 246, 534)
	}
	n := &notes{}
	n.four(say{nTime, 1, "scene", "time of day", "night", "It is {v} in a snowy mountain landscape."}, "Which time of day does the landscape show?", "noon", "sunrise", "late afternoon", "morning")
	n.four(say{nCount, 3, "fir trees", "count", word(len(firs)), "{v} fir trees stand around the cabin."}, "How many fir trees are there?", near(len(firs))...)
	n.four(say{nColor, 2, "scarf", "colour", scarf, "The snowman wears a {v} scarf."}, "What colour is the snowman's scarf?", "blue", "green", "yellow", "purple", "white")
	n.four(say{nShape, 3, "moon", "shape", "crescent", "A {v} moon shines in the upper right."}, "What shape has the moon?", "full disc", "half disc", "thin ring")
	n.four(say{nPos, 2, "snowman", "position", "to the right of the cabin", "A snowman stands {v}."}, "Where does the snowman stand?", "to the left of the cabin", "on the frozen pond", "on the roof of the cabin", "behind the fir trees on the left")
	n.four(say{nMaterial, 3, "cabin", "material", "wood", "The cabin is built of {v}."}, "What is the cabin built of?", "brick", "ice blocks", "concrete", "glass")
	n.four(say{nFunction, 4, "chimney", "activity", "smoke rises", "{v} from the chimney of the cabin."}, "What happens at the chimney of the cabin?", "a bird nests", "icicles hang down", "a flag waves", "a lamp blinks")
	n.four(say{nCount, 4, "mountains", "count", word(peaks), "{v} snow-capped peaks rise in the background."}, "How many peaks rise in the background?", near(peaks)...)
	n.three(say{nColor, 4, "hat", "colour", "black", "The snowman's hat is {v}."}, "What colour is the snowman's hat?", "brown", "red", "grey", "blue")
	n.yes(say{nState, 2, "windows", "state", "lit", "Both windows of the cabin are {v}."}, "Are the windows of the cabin lit?")
	n.yes(say{nState, 4, "pond", "state", "frozen", "The pond in the foreground is {v}."}, "Is the pond in the foreground frozen?")
	n.no(say{nAbsent, 4, "sledge", "absence", "sledge", "There is no {v} in the snow."}, "Is there a sledge in the snow?")
	n.no(say{nWeather, 3, "weather", "snowfall", "no snow is falling", "The sky is clear and full of stars, and {v}."}, "Is snow falling?")
	return natural("nat_s06", "Cabin on a winter night", draw, n)
}
