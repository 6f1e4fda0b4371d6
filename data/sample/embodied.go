package sample

// Nodes of the embodied-AI taxonomy that the questions use (CaptionQA Table 8). The spelling "Spacial" is the taxonomy's own.
const (
	rObject   = "Perception > Object Recognition > Object identification"
	rKind     = "Perception > Object Recognition > Object category"
	rColor    = "Perception > Attribute > Color"
	rMaterial = "Perception > Attribute > Material"
	rState    = "Perception > Attribute > State"
	rPos      = "Perception > Relationships > Positional relationships"
	rInside   = "Perception > Relationships > Containment"
	rAttached = "Perception > Relationships > Attachment"
	rContact  = "Perception > Interaction > Contact"
	rReach    = "Perception > Interaction > Proximity"
	rDistance = "Spatial and Environment Context > Spacial > Distance estimation"
	rView     = "Spatial and Environment Context > Spacial > Perspective"
	rIndoor   = "Spatial and Environment Context > Environmental Description > Indoor vs. outdoor"
	rRoom     = "Spatial and Environment Context > Environmental Description > Room type"
	rSurface  = "Spatial and Environment Context > Environmental Description > Surface properties"
	rNavigate = "Activity and Task Context > Task Identification > Navigation tasks"
	rTask     = "Activity and Task Context > Task Identification > Object manipulation tasks"
	rClean    = "Activity and Task Context > Task Identification > Cleaning tasks"
	rInspect  = "Activity and Task Context > Task Identification > Inspection tasks"
	rDone     = "Activity and Task Context > Implied Actions > Action completed"
	rOutcome  = "Activity and Task Context > Implied Actions > Task outcome"
	rHuman    = "Activity and Task Context > Human-Robot Interaction > Human presence"
	rMotion   = "Scene Dynamics > Motion and Kinematics > Robot motion"
	rMoved    = "Scene Dynamics > Motion and Kinematics > Object motion"
	rOrder    = "Scene Dynamics > Temporal Information > Sequential actions"
	rCamera   = "Sensor and Embodiment Information > Sensor-Specific Features > Camera type"
	rDepth    = "Sensor and Embodiment Information > Sensor-Specific Features > Depth perception"
	rParts    = "Sensor and Embodiment Information > Robot Embodiment > Robot components in frame"
	rTool     = "Sensor and Embodiment Information > Robot Embodiment > Tool attachment"
	rAfford   = "Functional and Semantic Understanding > Affordance Recognition > Affordances of objects"
	rAbsent   = "Functional and Semantic Understanding > Semantic Completeness > Avoidance of hallucination"
)

var (
	rooms   = []string{"kitchen", "workshop", "living room", "warehouse", "laboratory", "hallway", "bathroom", "garage"}
	cameras = []string{"RGB", "depth", "thermal", "infrared", "event"}
)

func embodiedScenes() []scene {
	return []scene{cupScene(), workshopScene(), sweepScene(), warehouseScene(), depthScene(), hallScene()}
}

func embodied(id, title string, n *notes, draw ...func(*canvas)) scene {
	return scene{id: id, domain: EmbodiedAI, title: title, width: 768, height: 576, draw: draw, notes: n}
}

func cupScene() scene {
	const cup, other, tray, hue = "red", "yellow", "blue", "orange"
	frame := func(a arm, held bool, label string) func(*canvas) {
		return func(c *canvas) {
			c.floor("tiles")
			c.window(300, 170)
			c.top(560, 28, 180, 110, 4, rgb(0xc9d0d6))
			c.outline(588, 48, 124, 72, 10, 4, rgb(0x8e98a2))
			c.rbox(592, 52, 116, 64, 8, rgb(0xaeb8c1))
			c.disc(650, 84, 7, rgb(0x5b6570))
			c.top(28, 80, 84, 300, 4, rgb(0xe3d5bf))
			for i, k := range []string{"green", "white", "purple"} {
				c.disc(72, 136+88*float64(i), 26, fade(black, 0.1))
				c.disc(70, 132+88*float64(i), 25, paints[k])
				c.disc(70, 132+88*float64(i), 17, lighter(paints[k], 0.35))
			}
			c.robotBase(a, false)
			c.top(300, 210, 380, 210, 14, rgb(0xb98456))
			c.rbox(546, 258, 108, 120, 12, darker(paints[tray], 0.15))
			c.rbox(554, 266, 92, 104, 8, lighter(paints[tray], 0.15))
			c.cup(374, 362, paints[other], 120)
			x, y := 430.0, 274.0
			if held {
				x, y = a.tip()
			}
			c.cup(x, y, paints[cup], -60)
			c.robotArm(a)
			c.overlay("CAM 1 · RGB · TOP VIEW", label)
		}
	}
	before := arm{220, 420, 250, 262, 388, 271, 33, hue}
	after := arm{220, 420, 372, 456, 562, 338, 22, hue}
	n := &notes{}
	n.four(say{rRoom, 1, "room", "type", "kitchen", "The room is a {v} with a sink and a table."}, "Which room is shown?", but(rooms, "kitchen")...)
	n.four(say{rObject, 1, "moved object", "kind", "cup", "Between the frames the robot moves a {v}."}, "Which object does the robot move between the frames?", "plate", "bottle", "spoon", "box")
	n.four(say{rColor, 2, "moved cup", "colour", cup, "The cup that is moved is {v}."}, "What colour is the cup that is moved?", "yellow", "green", "blue", "white")
	n.four(say{rState, 2, "gripper in the first frame", "state", "open", "In the first frame the gripper is {v}, next to the cup."}, "In which state is the gripper in the first frame?", "closed around the cup", "missing", "folded below the table")
	n.four(say{rOutcome, 2, "cup in the second frame", "place", "over the blue tray", "In the second frame the gripper holds the cup {v}."}, "Where is the moved cup in the second frame?", "in the sink", "on the shelf at the left", "on the floor", "at its first place")
	n.four(say{rColor, 3, "other cup", "colour", other, "The cup that stays on the table is {v}."}, "What colour is the cup that stays where it is?", "red", "white", "purple", "green")
	n.four(say{rPos, 3, "sink", "position", "upper right corner", "The sink is in the {v} of the room."}, "In which part of the room is the sink?", "lower left corner", "upper left corner", "centre", "lower right corner")
	n.four(say{rKind, 4, "plates", "count", "three", "{v} plates stand on the shelf at the left wall."}, "How many plates stand on the shelf at the left wall?", near(3)...)
	n.four(say{rSurface, 3, "floor", "material", "light tiles", "The floor is covered with {v}."}, "With what is the floor covered?", "dark carpet", "wooden planks", "grass", "bare concrete")
	n.four(say{rCamera, 4, "camera", "type", "RGB", "The label says that the camera is of the type {v}."}, "Which type of camera does the label name?", but(cameras, "RGB")...)
	n.four(say{rMaterial, 4, "table", "material", "wood", "The table is made of brown {v}."}, "What is the brown table made of?", "glass", "steel", "marble")
	n.no(say{rHuman, 3, "people", "absence", "nobody", "There is {v} else in the room: the robot works alone."}, "Is a person in the room?")
	return embodied("emb_s01", "Robot moves a cup to a tray", n, frame(before, false, "FRAME 1 / 2"), frame(after, true, "FRAME 2 / 2"))
}

func workshopScene() scene {
	const box, handle, hue = "red", "yellow", "blue"
	bolts := []dot{{470, 250, ""}, {506, 268, ""}, {476, 292, ""}, {512, 310, ""}, {548, 286, ""}}
	a := arm{230, 330, 300, 210, 410, 200, 12, hue}
	draw := func(c *canvas) {
		c.floor("concrete")
		c.top(360, 110, 330, 240, 6, rgb(0xa9763f))
		c.box(364, 330, 322, 4, rgb(0x8c5f30))
		for _, b := range bolts {
			c.disc(b.x+2, b.y+3, 10, fade(black, 0.2))
			c.dc.DrawRegularPolygon(6, b.x, b.y, 10, 0.3)
			c.fill(rgb(0xc3cad1))
			c.disc(b.x, b.y, 5, rgb(0x7f8993))
		}
		c.line(fade(black, 0.15), 13, 605, 150, 605, 236)
		c.line(rgb(0x8d97a1), 12, 602, 146, 602, 232)
		c.ring(602, 140, 14, -50, 230, 9, rgb(0x8d97a1))
		c.ring(602, 246, 11, 0, 360, 8, rgb(0x8d97a1))
		c.line(rgb(0x9b6a3c), 12, 654, 176, 654, 290)
		c.rbox(630, 148, 48, 30, 5, rgb(0x59626c))
		c.top(560, 420, 150, 100, 10, paints[box])
		c.rbox(600, 458, 70, 18, 9, darker(paints[box], 0.4))
		c.box(566, 444, 138, 4, darker(paints[box], 0.25))
		c.top(28, 100, 70, 260, 4, rgb(0x7d8792))
		for i, k := range []string{"green", "orange", "white", "blue"} {
			c.rbox(40, 114+60*float64(i), 46, 46, 5, paints[k])
			c.rbox(40, 114+60*float64(i), 46, 9, 4, darker(paints[k], 0.2))
		}
		c.robotBase(a, true)
		x, y := a.tip()
		c.line(rgb(0xb9c1c9), 7, x, y, x+74, y-7)
		c.poly(rgb(0xb9c1c9), x+70, y-13, x+84, y-8, x+72, y-1)
		c.line(paints[handle], 19, x-10, y, x+26, y-2)
		c.robotArm(a)
		c.overlay("CAM 2 · RGB · TOP VIEW", "")
	}
	n := &notes{}
	n.four(say{rRoom, 1, "room", "type", "workshop", "The room is a {v} with a workbench."}, "Which room is shown?", but(rooms, "workshop", "garage")...)
	n.four(say{rTool, 1, "gripper", "tool", "screwdriver", "The gripper holds a {v}."}, "Which tool does the gripper hold?", "hammer", "wrench", "saw", "paint brush")
	n.four(say{rColor, 3, "tool in the gripper", "handle colour", handle, "The handle of the tool in the gripper is {v}."}, "What colour is the handle of the tool in the gripper?", "red", "green", "blue", "black")
	n.four(say{rObject, 2, "bolts", "count", word(len(bolts)), "{v} bolts lie on the workbench."}, "How many bolts lie on the workbench?", near(len(bolts))...)
	n.four(say{rObject, 3, "free tools", "kinds", "a wrench and a hammer", "On the bench also lie {v}."}, "Which other tools lie on the bench?", "two saws", "a drill and a ruler", "pliers and a file", "a chisel and a clamp")
	n.four(say{rColor, 2, "toolbox", "colour", box, "The toolbox is {v}."}, "What colour is the toolbox?", "blue", "green", "grey", "yellow")
	n.four(say{rPos, 3, "toolbox", "position", "below the workbench on the right", "The toolbox stands on the floor {v} of the picture."}, "Where does the toolbox stand on the floor in the picture?", "at the upper wall", "on the left next to the shelf", "between the robot and the bench")
	n.four(say{rSurface, 4, "floor", "kind", "grey concrete", "The floor is {v}."}, "What is the floor like?", "wooden planks", "white tiles", "green carpet")
	n.four(say{rAfford, 4, "tool in the gripper", "use", "turn a screw", "The tool in the gripper is fit to {v}."}, "What is the tool in the gripper fit to do?", "cut a board", "drive a nail", "measure a length")
	n.four(say{rParts, 3, "robot", "base", "wheels", "The base of the robot has {v} at two sides."}, "What has the robot's base at two sides?", "legs", "tracks", "skids", "rotors")
	n.four(say{rInside, 4, "shelf", "content", "four coloured bins", "The shelf at the left wall holds {v}."}, "What does the shelf at the left wall hold?", "two buckets", "six glass jars", "a row of books", "three cables")
	n.three(say{rView, 3, "camera", "view", "from straight above", "The camera looks at the scene {v}."}, "From where does the camera look at the scene?", "from the side", "from below")
	return embodied("emb_s02", "Robot with a screwdriver at a workbench", n, draw)
}

func sweepScene() scene {
	const rug, sofa, hue, shirt = "blue", "green", "purple", "orange"
	crumbs := []dot{{500, 330, ""}, {524, 352, ""}, {540, 322, ""}, {560, 346, ""}, {516, 380, ""}, {552, 374, ""}, {578, 318, ""}, {580, 372, ""}}
	a := arm{300, 400, 352, 300, 430, 336, 11, hue}
	draw := func(c *canvas) {
		c.floor("wood")
		c.window(460, 180)
		c.rbox(210, 150, 330, 190, 10, lighter(paints[rug], 0.2))
		c.outline(222, 162, 306, 166, 8, 4, lighter(paints[rug], 0.6))
		c.shadow(230, 40, 290, 100, 20)
		c.rbox(230, 40, 290, 100, 20, darker(paints[sofa], 0.12))
		c.rbox(252, 66, 120, 68, 14, lighter(paints[sofa], 0.12))
		c.rbox(378, 66, 120, 68, 14, lighter(paints[sofa], 0.12))
		c.rbox(262, 52, 52, 34, 10, paints["yellow"])
		c.top(300, 196, 150, 90, 40, rgb(0x8b6a4a))
		c.cup(346, 236, paints["white"], 30)
		c.rbox(384, 222, 44, 32, 3, rgb(0xf4f0e4))
		c.box(405, 222, 2, 32, rgb(0xc9c2ae))
		c.plant(80, 120, 1.25)
		c.top(30, 300, 60, 180, 4, rgb(0x6a4f3a))
		for i := range 9 {
			c.rbox(38, 312+18*float64(i), 40, 13, 2, paints[hues[(i*3)%len(hues)]])
		}
		c.human(666, 250, 150, paints[shirt])
		c.robotBase(a, true)
		for _, p := range crumbs {
			c.disc(p.x, p.y, 4.5, rgb(0x6b4423))
			c.disc(p.x+7, p.y+5, 2.6, rgb(0x8b5e35))
		}
		x, y := a.tip()
		c.dc.Push()
		c.dc.RotateAbout(0.43, x, y)
		c.rbox(x-6, y-7, 34, 14, 5, rgb(0xc99a5b))
		c.rbox(x+24, y-34, 12, 68, 4, rgb(0x6e5038))
		c.rbox(x+36, y-34, 16, 68, 3, rgb(0xe8cf8e))
		for i := 0.0; i < 8; i++ {
			c.line(rgb(0xc0a35f), 1.2, x+37, y-29+i*8.3, x+51, y-29+i*8.3)
		}
		c.dc.Pop()
		c.robotArm(a)
		c.overlay("CAM 3 · RGB · TOP VIEW", "")
	}
	n := &notes{}
	n.four(say{rRoom, 1, "room", "type", "living room", "The room is a {v} with a sofa and a rug."}, "Which room is shown?", but(rooms, "living room")...)
	n.four(say{rClean, 1, "robot", "task", "sweeping up crumbs", "The robot is {v} with a brush."}, "Which task does the robot carry out?", "watering the plant", "serving drinks", "painting a wall", "carrying a box")
	n.four(say{rTool, 2, "gripper", "tool", "brush", "The gripper holds a {v}."}, "What does the gripper hold?", "cup", "book", "sponge", "bottle")
	n.four(say{rHuman, 2, "person", "position", "on the right", "A person stands {v} side of the room."}, "Where does the person stand?", "on the sofa", "in front of the bookshelf", "in the upper left corner")
	n.four(say{rColor, 3, "person", "shirt colour", shirt, "The person wears an {v} shirt."}, "What colour is the person's shirt?", "green", "white", "blue", "black")
	n.four(say{rColor, 2, "sofa", "colour", sofa, "The sofa is {v}."}, "What colour is the sofa?", "red", "grey", "blue", "brown")
	n.four(say{rColor, 3, "rug", "colour", rug, "The rug is {v} with a pale border."}, "What colour is the rug?", "red", "green", "yellow", "purple")
	n.four(say{rObject, 3, "coffee table", "things on it", "a cup and an open book", "On the coffee table are {v}."}, "What is on the coffee table?", "two bottles", "a laptop", "a bowl of fruit", "a vase and a candle")
	n.four(say{rPos, 4, "plant", "position", "upper left corner", "A potted plant stands in the {v}."}, "In which part of the room stands the potted plant?", "lower right corner", "upper right corner", "centre", "lower left corner")
	n.four(say{rSurface, 3, "floor", "material", "wooden planks", "The floor is made of {v}."}, "What is the floor made of?", "white tiles", "bare concrete", "cork sheets", "stone slabs")
	n.four(say{rColor, 4, "cushion", "colour", "yellow", "A {v} cushion lies on the sofa."}, "What colour is the cushion on the sofa?", "white", "red", "blue", "pink")
	n.no(say{rAbsent, 4, "cat", "absence", "cat", "There is no {v} in the room."}, "Is there a cat in the room?")
	return embodied("emb_s03", "Robot sweeps crumbs in a living room", n, draw)
}
