package sample

import "image/color"

// Nodes of the natural taxonomy that the questions use (CaptionQA Table 5).
const (
	nPresence = "Object Existence > Object presence"
	nColor    = "Attribute > Color"
	nShape    = "Attribute > Shape"
	nSize     = "Attribute > Size"
	nText     = "Attribute > Textual"
	nMaterial = "Attribute > Material"
	nState    = "Attribute > State"
	nCount    = "Attribute > Count/Quantity"
	nPart     = "Attribute > Part-Whole Relationships"
	nPos      = "Spatial > Relationship > Positional relationships"
	nFacing   = "Spatial > Relationship > Orientation"
	nInside   = "Spatial > Relationship > Containment"
	nNear     = "Spatial > Proximity > Distance between objects"
	nCluster  = "Spatial > Proximity > Clustering"
	nLayout   = "Spatial > Layout > Scene composition"
	nHuman    = "Action and Interaction > Object-Human Interaction > Human activity"
	nFunction = "Action and Interaction > Object-Object Interaction > Functional interaction"
	nMotion   = "Action and Interaction > Temporal State > Indication of motion"
	nEnv      = "Scene-Level Evaluation > Environment/Setting > Environment type"
	nPlace    = "Scene-Level Evaluation > Environment/Setting > Location type"
	nWeather  = "Scene-Level Evaluation > Weather and Lighting > Weather conditions"
	nTime     = "Scene-Level Evaluation > Weather and Lighting > Time of day"
	nReflect  = "Scene-Level Evaluation > Weather and Lighting > Shadows and reflections"
	nAbsent   = "Hallucination > Object Evaluation > Object absence"
	nMistaken = "Hallucination > Scene Evaluation > Scene misinterpretation"
	nImplied  = "Hallucination > Action Evaluation > Implied actions"
)

// dot is a thing at a place, with a colour that has a name.
type dot struct {
	x, y float64
	hue  string
}

func (d dot) col() color.NRGBA { return paints[d.hue] }

func naturalScenes() []scene {
	return []scene{parkScene(), pondScene(), streetScene(), kitchenScene(), beachScene(), winterScene()}
}

func natural(id, title string, draw func(*canvas), n *notes) scene {
	return scene{id: id, domain: Natural, title: title, width: 768, height: 576, draw: []func(*canvas){draw}, notes: n}
}

func parkScene() scene {
	kites := []dot{{372, 76, "red"}, {232, 146, "yellow"}, {512, 152, "purple"}}
	trees := []dot{{64, 372, ""}, {140, 354, ""}, {690, 366, ""}, {616, 350, ""}}
	const bench, ball, shirt = "blue", "orange", "red"
	draw := func(c *canvas) {
		c.sky(0, 0, 768, 330, rgb(0x6db7e8), rgb(0xdff1fa))
		c.glow(676, 74, 96, rgb(0xfff2b0), 0.9)
		c.disc(676, 74, 37, rgb(0xffdc5e))
		c.cloud(116, 78, 0.95, snow)
		c.cloud(548, 60, 0.7, fade(snow, 0.9))
		c.oval(150, 372, 330, 104, rgb(0xa9cf8e))
		c.oval(620, 382, 360, 104, rgb(0x99c583))
		c.sky(0, 330, 768, 246, rgb(0x86bf6b), rgb(0x63a456))
		c.dc.MoveTo(340, 576)
		c.dc.CubicTo(340, 470, 480, 420, 436, 330)
		c.dc.LineTo(452, 330)
		c.dc.CubicTo(520, 420, 440, 480, 520, 576)
		c.fill(rgb(0xe9d9b4))
		for _, t := range trees {
			c.tree(t.x, t.y, 1, rgb(0x4c9650))
		}
		hx, hy := 292.0, 362.0
		c.kite(kites[1].x, kites[1].y, kites[1].col(), hx, hy)
		c.kite(kites[0].x, kites[0].y, kites[0].col(), 0, 0)
		c.kite(kites[2].x, kites[2].y, kites[2].col(), 0, 0)
		c.person(320, 470, 1.05, paints[shirt], rgb(0x3b4a66), rgb(0x5a3b26), -27, -102, 26, -46)
		c.bench(160, 506, paints[bench])
		c.ground(288, 536, 22, 6)
		c.disc(288, 518, 20, paints[ball])
		c.ring(288, 518, 20, 200, 340, 2, lighter(paints[ball], 0.5))
		c.ring(280, 518, 12, -70, 70, 2, darker(paints[ball], 0.2))
		c.signpost("LAKE PARK", 630, 500, rgb(0x2f6b4a))
		for _, f := range []dot{{540, 540, "white"}, {566, 552, "white"}, {722, 540, "white"}, {40, 552, "white"}, {86, 560, "white"}} {
			c.line(rgb(0x3f7f42), 2, f.x, f.y+12, f.x, f.y)
			c.disc(f.x, f.y, 5, f.col())
			c.disc(f.x, f.y, 2, paints["yellow"])
		}
	}
	n := &notes{}
	n.four(say{nCount, 1, "kites", "count", word(len(kites)), "{v} kites fly in the sky."}, "How many kites are in the sky?", near(len(kites))...)
	n.four(say{nColor, 2, "bench", "colour", bench, "The bench on the lawn is {v}."}, "What is the colour of the bench?", "green", "brown", "white", "black", "orange")
	n.four(say{nColor, 2, "ball", "colour", ball, "An {v} ball lies on the grass."}, "What is the colour of the ball on the grass?", "blue", "white", "green", "purple", "pink")
	n.four(say{nPos, 3, "ball", "position", "to the right of the bench", "The ball lies {v}."}, "Where does the ball lie in relation to the bench?", "to the left of the bench", "under the bench", "on top of the bench")
	n.four(say{nCount, 3, "trees", "count", word(len(trees)), "{v} round trees stand at the sides of the park."}, "How many trees stand in the park?", near(len(trees))...)
	n.four(say{nText, 2, "sign", "text", "LAKE PARK", "A green sign reads {v}."}, "What does the sign say?", "CITY GARDEN", "PICNIC AREA", "PLAYGROUND", "FOREST TRAIL")
	n.four(say{nWeather, 1, "weather", "kind", "sunny", "The weather is {v} with a few clouds."}, "What is the weather like?", "rainy", "foggy", "snowy", "stormy")
	n.four(say{nHuman, 1, "child", "activity", "flying a kite", "A child in a {shirt} shirt is {v}."}.with("{shirt}", shirt), "What is the child doing?", "riding a bicycle", "sitting on the bench", "kicking a ball", "climbing a tree")
	n.four(say{nPos, 4, "highest kite", "colour", kites[0].hue, "The highest of the kites is {v}."}, "Which colour has the kite that flies highest?", "yellow", "purple", "green", "white")
	n.yes(say{nPresence, 1, "child", "presence", "child", "There is a {v} in the park."}, "Is there a child in the park?")
	n.no(say{nAbsent, 4, "dog", "absence", "dog", "There is no {v} in the picture."}, "Is there a dog in the picture?")
	n.no(say{nState, 4, "bench", "occupancy", "empty", "The bench is {v}."}, "Is somebody sitting on the bench?")
	n.yes(say{nPlace, 2, "scene", "location", "outdoors", "The scene is {v}, on a wide lawn."}, "Is the scene outdoors?")
	return natural("nat_s01", "Kites over a park", draw, n)
}

func pondScene() scene {
	ducks := []dot{{150, 440, "white"}, {236, 470, "white"}, {330, 446, "white"}, {250, 526, "brown"}, {392, 510, "white"}}
	boats := []dot{{196, 330, "red"}, {430, 318, "white"}}
	draw := func(c *canvas) {
		c.sky(0, 0, 768, 290, rgb(0x514a86), rgb(0xf9b27a))
		c.glow(560, 282, 150, rgb(0xffd58a), 0.8)
		c.disc(560, 282, 46, rgb(0xffc65c))
		for _, l := range []dot{{190, 88, ""}, {430, 132, ""}, {650, 74, ""}} {
			c.oval(l.x, l.y, 98, 9, fade(rgb(0xffc9a3), 0.5))
			c.oval(l.x+34, l.y+13, 66, 6, fade(rgb(0xffc9a3), 0.4))
		}
		c.oval(120, 300, 260, 58, rgb(0x473d63))
		c.oval(470, 300, 300, 32, rgb(0x574a6e))
		c.sky(0, 288, 768, 288, rgb(0xd89a80), rgb(0x3d4a7a))
		for i := 0.0; i < 9; i++ {
			c.rbox(560-44+i*3.2, 298+i*16, 88-i*6.4, 5, 2.5, fade(rgb(0xffe0a0), 0.75-0.06*i))
		}
		c.sailboat(boats[0].x, boats[0].y, 0.95, boats[0].col(), rgb(0x6b4630))
		c.sailboat(boats[1].x, boats[1].y, 0.68, boats[1].col(), rgb(0x38507c))
		for i := 0.0; i < 7; i++ {
			c.rbox(40+i*100, 392+float64(int(i*37)%120), 54, 3, 1.5, fade(snow, 0.2))
		}
		c.poly(rgb(0x5e4029), 600, 452, 768, 436, 768, 452, 600, 468)
		c.poly(rgb(0x8a6040), 592, 438, 768, 420, 768, 438, 592, 452)
		for i := 0.0; i < 8; i++ {
			c.line(rgb(0x6f4b31), 2, 604+i*22, 437-i*2.3, 604+i*22, 451-i*2)
		}
		for _, x := range []float64{606, 676, 746} {
			c.box(x, 440, 11, 82, rgb(0x4d3523))
		}
		for _, d := range ducks {
			c.duck(d.x, d.y, d.col())
		}
		for i := 0.0; i < 9; i++ {
			x, h := 14+i*11, 110+float64(int(i*53)%50)
			c.line(rgb(0x3e5240), 3.5, x, 576, x+6, 576-h)
			if int(i)%3 != 1 {
				c.rbox(x+2, 576-h-24, 9, 32, 4.5, rgb(0x6a4529))
			}
		}
	}
	n := &notes{}
	n.four(say{nCount, 2, "ducks", "count", word(len(ducks)), "{v} ducks swim on the pond."}, "How many ducks swim on the pond?", near(len(ducks))...)
	n.four(say{nCount, 1, "sailboats", "count", word(len(boats)), "{v} sailboats glide over the water."}, "How many sailboats are on the water?", near(len(boats))...)
	n.four(say{nColor, 2, "nearer sailboat", "sail colour", boats[0].hue, "The larger, nearer sailboat on the left has a {v} sail."}, "What colour is the sail of the larger boat on the left?", "blue", "white", "yellow", "green", "black")
	n.four(say{nTime, 1, "scene", "time of day", "dusk", "The scene shows {v}, with a low sun."}, "Which time of day is shown?", "noon", "deep night", "mid-morning", "early afternoon")
	n.four(say{nPos, 3, "jetty", "position", "on the right side", "A jetty reaches into the pond {v}."}, "Where does the jetty reach into the pond?", "on the left side", "in the middle of the far shore", "at the bottom centre")
	n.four(say{nMaterial, 4, "jetty", "material", "wood", "The jetty is made of {v}."}, "What is the jetty made of?", "concrete", "steel", "stone", "plastic")
	n.four(say{nColor, 4, "odd duck", "colour", "brown", "One duck is {v}; all the other ducks are white."}, "All ducks but one are white. What colour is the remaining one?", "black", "grey", "yellow", "green")
	n.four(say{nReflect, 3, "water", "reflection", "the sun", "The water mirrors the light of {v} in a golden stripe."}, "What is reflected in the water as a golden stripe?", "a street lamp", "the moon", "a campfire", "a lighthouse")
	n.three(say{nLayout, 4, "reeds", "position", "lower left", "Reeds with brown heads grow in the {v} corner."}, "In which corner do the reeds grow?", "lower right", "upper left", "upper right")
	n.yes(say{nPresence, 2, "jetty", "presence", "jetty", "There is a {v} at the pond."}, "Is there a jetty at the pond?")
	n.no(say{nAbsent, 4, "bridge", "absence", "bridge", "There is no {v} over the water."}, "Is there a bridge over the water?")
	n.no(say{nImplied, 4, "people", "absence", "nobody", "There is {v} on the jetty or in the boats."}, "Is a person standing on the jetty?")
	n.yes(say{nEnv, 2, "scene", "environment", "natural", "The setting is a {v} one, with water, reeds and hills."}, "Is the setting natural rather than urban?")
	return natural("nat_s02", "Pond at dusk", draw, n)
}

func streetScene() scene {
	houses := []dot{{34, 0, "yellow"}, {286, 0, "blue"}, {538, 0, "pink"}}
	doors := []string{"red", "white", "green"}
	cars := []dot{{168, 520, "red"}, {604, 508, "grey"}}
	const umbrella, number = "purple", "12"
	draw := func(c *canvas) {
		c.sky(0, 0, 768, 420, rgb(0x77838f), rgb(0xb9c3ca))
		for _, l := range []dot{{120, 86, ""}, {390, 80, ""}, {650, 92, ""}} {
			c.cloud(l.x, l.y, 1.5, rgb(0x66727e))
		}
		c.box(0, 392, 768, 36, rgb(0xaeb3b4))
		c.box(0, 424, 768, 8, rgb(0x8b9194))
		c.sky(0, 432, 768, 144, rgb(0x5d656d), rgb(0x474e56))
		for i := 0.0; i < 7; i++ {
			c.rbox(20+i*116, 544, 62, 6, 3, rgb(0xd9dcdc))
		}
		for i, h := range houses {
			c.house(h.x, 396, 196, 190, lighter(h.col(), 0.2), []color.NRGBA{rgb(0x9a4a3c), rgb(0x4c5561), rgb(0x7d4b3a)}[i], paints[doors[i]], 2)
		}
		c.rbox(houses[1].x+126, 330, 34, 24, 3, snow)
		c.text(number, houses[1].x+143, 342, 0.5, 17, bold, ink)
		c.box(502, 236, 7, 166, rgb(0x2f363d))
		c.line(rgb(0x2f363d), 6, 505, 238, 520, 226, 528, 232)
		c.glow(530, 244, 46, rgb(0xfff0b0), 0.7)
		c.rbox(520, 232, 20, 18, 5, rgb(0xffe9a0))
		for _, p := range []dot{{380, 500, ""}, {470, 462, ""}, {60, 470, ""}} {
			c.oval(p.x, p.y, 56, 9, rgb(0x8796a3))
			c.oval(p.x-8, p.y-1, 30, 4, rgb(0xa4b2bd))
		}
		c.car(cars[1].x, cars[1].y, cars[1].col())
		c.car(cars[0].x, cars[0].y, cars[0].col())
		c.person(266, 428, 0.95, rgb(0xe0b23c), rgb(0x39424f), rgb(0x3a2a20), -14, -40, 12, -92)
		c.line(rgb(0x444a51), 3, 278, 340, 278, 290)
		c.umbrella(278, 306, 50, paints[umbrella], darker(paints[umbrella], 0.14))
		for i := 0; i < 110; i++ {
			x, y := float64((i*197)%790), float64((i*331)%560)
			c.line(fade(rgb(0xe6eef4), 0.5), 1.4, x, y, x-5, y+17)
		}
	}
	n := &notes{}
	n.four(say{nWeather, 1, "weather", "kind", "rainy", "It is a {v} day on a street in town."}, "What is the weather like on the street?", "sunny", "snowy", "foggy", "windy and dry")
	n.four(say{nCount, 1, "houses", "count", word(len(houses)), "{v} houses stand along the street."}, "How many houses stand along the street?", near(len(houses))...)
	n.four(say{nColor, 2, "middle house", "wall colour", houses[1].hue, "The house in the middle has {v} walls."}, "What colour are the walls of the house in the middle?", "yellow", "pink", "white", "green", "red")
	n.four(say{nText, 4, "middle house", "number", number, "The plate beside the middle door shows the number {v}."}, "Which number is on the plate beside the middle door?", "21", "17", "8", "2", "72")
	n.four(say{nColor, 3, "umbrella", "colour", umbrella, "The pedestrian holds a {v} umbrella."}, "What colour is the pedestrian's umbrella?", "red", "black", "yellow", "green", "blue")
	n.four(say{nColor, 3, "door of the left house", "colour", doors[0], "The left house has a {v} door."}, "What colour is the door of the left house?", "white", "green", "blue", "brown", "black")
	n.four(say{nPos, 3, "street lamp", "position", "between the middle and the right house", "A lit street lamp stands {v}."}, "Where does the street lamp stand?", "between the left and the middle house", "at the left edge of the picture", "in front of the left house", "at the right edge of the picture")
	n.four(say{nColor, 2, "left car", "colour", cars[0].hue, "The car at the left is {v}."}, "What colour is the car at the left?", "grey", "blue", "white", "green", "yellow")
	n.four(say{nFacing, 4, "cars", "direction", "right", "Both cars face {v}."}, "Which way do both cars face?", "left", "towards the viewer", "away from the viewer")
	n.yes(say{nState, 4, "street lamp", "state", "lit", "The street lamp is {v}."}, "Is the street lamp switched on?")
	n.yes(say{nReflect, 3, "road", "puddles", "puddles", "There are {v} on the road."}, "Are there puddles on the road?")
	n.no(say{nAbsent, 4, "bicycle", "absence", "bicycle", "There is no {v} in the street."}, "Is there a bicycle in the street?")
	n.no(say{nMistaken, 4, "road", "snow", "wet but free of snow", "The road is {v}."}, "Is the road covered with snow?")
	return natural("nat_s03", "Rainy street", draw, n)
}
