package sample

import (
	"fmt"
	"image/color"
	"math"
)

func warehouseScene() scene {
	const moved, hue = "purple", "green"
	shelf := []dot{{150, 86, "brown"}, {250, 86, "blue"}, {450, 86, "brown"}, {550, 86, "brown"}}
	first := dot{350, 86, moved}
	frame := func(a arm, held bool, label string) func(*canvas) {
		return func(c *canvas) {
			c.floor("concrete")
			c.box(28, 300, 712, 6, rgb(0xf0c23b))
			c.box(28, 480, 712, 6, rgb(0xf0c23b))
			c.top(90, 34, 540, 106, 4, rgb(0x6f7b88))
			for x := 200.0; x < 630; x += 100 {
				c.box(x-2, 36, 4, 102, rgb(0x545e69))
			}
			for _, b := range shelf {
				c.crate(b.x, b.y, 74, 72, map[bool]color.NRGBA{true: rgb(0xc79a64), false: b.col()}[b.hue == "brown"])
			}
			if !held {
				c.crate(first.x, first.y, 74, 72, first.col())
			}
			c.top(560, 340, 156, 112, 8, rgb(0xb7bfc7))
			c.line(rgb(0x4b545e), 8, 722, 352, 722, 440)
			c.crate(682, 396, 54, 72, rgb(0xc79a64))
			for _, w := range []dot{{570, 334, ""}, {700, 334, ""}, {570, 458, ""}, {700, 458, ""}} {
				c.rbox(w.x-14, w.y-6, 28, 12, 4, rgb(0x23272d))
			}
			c.robotBase(a, true)
			if held {
				x, y := a.tip()
				c.dc.Push()
				c.dc.RotateAbout(math.Atan2(a.hy-a.ey, a.hx-a.ex), x, y)
				c.crate(x+6, y, 66, 66, first.col())
				c.dc.Pop()
			}
			c.robotArm(a)
			c.overlay("CAM 4 · RGB · TOP VIEW", label)
		}
	}
	before := arm{300, 392, 354, 282, 350, 158, 44, hue}
	after := arm{400, 392, 470, 304, 578, 376, 37, hue}
	metres := math.Hypot(after.bx-before.bx, after.by-before.by) / 100
	n := &notes{}
	n.four(say{rRoom, 1, "room", "type", "warehouse", "The room is a {v} with a long shelf."}, "Which room is shown?", but(rooms, "warehouse", "garage")...)
	n.four(say{rTask, 1, "robot", "task", "moving a box from the shelf to a cart", "The robot is {v}."}, "What is the robot's task?", "sweeping the floor", "repairing the shelf", "stacking boxes on the floor", "opening a door")
	n.four(say{rColor, 2, "moved box", "colour", moved, "The box that the robot takes is {v}."}, "What colour is the box that the robot takes?", "blue", "brown", "green", "red")
	n.four(say{rState, 3, "gripper in the first frame", "state", "open", "In the first frame the gripper is {v} and points at the shelf."}, "In which state is the gripper in the first frame?", "closed around a box", "covered by a cloth", "turned to the cart")
	n.four(say{rMoved, 2, "box in the second frame", "place", "above the cart", "In the second frame the gripper holds the box {v}."}, "Where is the moved box in the second frame?", "back on the shelf", "on the floor behind the robot", "at the left wall")
	n.four(say{rObject, 3, "shelf in the second frame", "boxes", word(len(shelf)), "In the second frame {v} boxes are left on the shelf."}, "How many boxes are left on the shelf in the second frame?", near(len(shelf))...)
	n.four(say{rMotion, 3, "robot base", "motion", "to the right", "Between the frames the robot base moves {v}."}, "In which direction does the robot base move between the frames?", "to the left", "upwards to the shelf", "downwards", "in a full circle")
	n.four(say{rDistance, 4, "robot base", "way", fmt.Sprintf("%.0f metre", metres), "By the scale bar the base moves about {v}."}, "How far does the base move by the scale bar?", "3 metres", "5 metres", "10 metres", "7 metres")
	n.four(say{rPos, 3, "cart", "position", "right side", "The cart stands on the {v} of the room."}, "On which part of the room stands the cart?", "left side", "upper edge", "lower left")
	n.four(say{rColor, 4, "floor marking", "colour", "yellow", "Two {v} lines mark the lane on the floor."}, "What colour are the lines that mark the lane on the floor?", "white", "red", "blue", "green")
	n.four(say{rOrder, 3, "actions", "order", "reaches for the box first and carries it afterwards", "The robot {v}."}, "In which order does the robot act?", "carries the box first and reaches for it afterwards", "drives away first and waits afterwards", "lifts the cart first and pushes it afterwards")
	n.yes(say{rContact, 2, "gripper in the second frame", "contact", "touches the box", "In the second frame the gripper {v}."}, "Does the gripper touch the box in the second frame?")
	return embodied("emb_s04", "Robot loads a box onto a cart", n, frame(before, false, "FRAME 1 / 2"), frame(after, true, "FRAME 2 / 2"))
}

// depthColour maps a distance from the camera in metres, 1.0 to 3.0, to the colours of a depth image: yellow is near, violet far.
func depthColour(m float64) color.NRGBA {
	stops := []color.NRGBA{rgb(0xfbe23c), rgb(0x7bd152), rgb(0x22a784), rgb(0x2f6b8e), rgb(0x440f55)}
	t := min(max((m-1)/2, 0), 1) * 4
	i := min(int(t), 3)
	return mix(stops[i], stops[i+1], t-float64(i))
}

func depthScene() scene {
	const near0, far = 1.0, 3.0
	draw := func(c *canvas) {
		c.box(0, 0, 768, 576, depthColour(far))
		for i := 0; i < 140; i++ {
			c.box(float64((i*211)%768), float64((i*149)%576), 3, 3, fade(depthColour(2.6), 0.5))
		}
		c.rbox(60, 110, 470, 330, 10, depthColour(2.35))
		c.rbox(66, 116, 458, 318, 8, depthColour(2.2))
		for _, x := range []float64{120, 420} {
			c.rbox(x, 170, 46, 190, 6, depthColour(1.95))
		}
		for i := 0.0; i < 23; i++ {
			c.box(84, 232+2*i, 420, 2.5, depthColour(1.9-0.5*math.Sin(math.Pi*(i+0.5)/23)))
		}
		for _, x := range []float64{176, 394} {
			c.rbox(x, 222, 22, 66, 4, depthColour(1.35))
		}
		c.disc(292, 255, 9, depthColour(1.95))
		for i := 0.0; i < 3; i++ {
			c.disc(140+60*i, 396, 20, depthColour(1.85))
			c.disc(140+60*i, 396, 12, depthColour(1.7))
		}
		c.rbox(356, 384, 96, 36, 6, depthColour(1.9))
		c.rbox(560, 330, 100, 100, 20, depthColour(1.9))
		c.disc(610, 380, 34, depthColour(1.7))
		c.line(depthColour(1.45), 26, 610, 380, 540, 330)
		c.line(depthColour(1.25), 22, 540, 330, 390, 262)
		c.disc(610, 380, 20, depthColour(1.3))
		c.disc(540, 330, 18, depthColour(1.1))
		c.dc.Push()
		c.dc.RotateAbout(math.Atan2(262-330, 390-540), 390, 262)
		c.rbox(386, 240, 14, 44, 4, depthColour(1.15))
		c.rbox(396, 238, 40, 11, 4, depthColour(1.05))
		c.rbox(396, 275, 40, 11, 4, depthColour(1.05))
		c.dc.Pop()
		c.rbox(690, 92, 60, 392, 8, fade(rgb(0x1d2430), 0.72))
		for i := 0.0; i < 300; i++ {
			c.box(700, 136+i, 16, 1.5, depthColour(near0+(far-near0)*i/300))
		}
		c.text("depth", 720, 112, 0.5, 14, bold, snow)
		for i := 0.0; i <= 4; i++ {
			c.text(fmt.Sprintf("%.1f", near0+(far-near0)*i/4), 722, 137+74*i, 0, 13, regular, snow)
		}
		c.text("metres", 720, 466, 0.5, 13, regular, snow)
		c.overlay("CAM 5 · DEPTH · TOP VIEW", "")
	}
	n := &notes{}
	n.four(say{rCamera, 1, "camera", "type", "depth", "The label names a {v} camera."}, "Which type of camera took the picture?", but(cameras, "depth")...)
	n.four(say{rInspect, 1, "robot", "task", "inspecting a pipe", "The robot is {v} on a table."}, "Which task does the robot carry out?", "pouring a drink", "folding a towel", "opening a door", "sweeping the floor")
	n.four(say{rState, 3, "pipe", "damage", "a hole in the middle", "The pipe has {v}."}, "Which damage has the pipe?", "a crack at the left end", "a missing clamp", "a sharp bend", "a dent at the right end")
	n.four(say{rDepth, 2, "colours", "nearest", "yellow", "What is nearest to the camera is shown in {v}."}, "In which colour is shown what is nearest to the camera?", "violet", "dark blue", "green", "black")
	n.four(say{rDepth, 3, "floor", "colour", "dark violet", "The floor is farthest from the camera and shown in {v}."}, "In which colour is the floor shown?", "bright yellow", "light green", "orange", "white")
	n.four(say{rDepth, 4, "colour scale", "far end", "3.0", "The depth scale runs from 1.0 to {v} metres."}, "At how many metres does the depth scale end?", "2.0", "2.5", "4.0", "5.0")
	n.four(say{rPos, 3, "robot base", "position", "to the right of the table", "The robot base stands {v}."}, "Where does the robot base stand?", "to the left of the table", "on top of the table", "above the table in the picture")
	n.four(say{rObject, 3, "round parts", "count", "three", "{v} round parts lie on the table below the pipe."}, "How many round parts lie on the table below the pipe?", near(3)...)
	n.four(say{rParts, 2, "robot", "component", "an arm with a two-finger gripper", "Of the robot one sees the base and {v}."}, "Which component of the robot is seen besides its base?", "a pair of legs", "a head with two eyes", "a suction cup on a rail")
	n.four(say{rReach, 2, "gripper", "place", "close to the pipe", "The open gripper is {v}."}, "Where is the open gripper?", "above the empty floor", "at the colour scale", "behind the robot base")
	n.four(say{rAttached, 4, "pipe", "clamps", "two clamps", "The pipe is held by {v}."}, "By what is the pipe held?", "a single hook", "four ropes", "a vice and a chain", "three magnets")
	n.no(say{rContact, 3, "gripper", "contact", "without touching it", "The gripper hovers above the pipe {v}."}, "Is the pipe grasped by the gripper?")
	return embodied("emb_s05", "Depth picture of a pipe inspection", n, draw)
}

func hallScene() scene {
	const mat, shirt, hue = "green", "red", "blue"
	frame := func(a arm, open bool, label string) func(*canvas) {
		return func(c *canvas) {
			c.floor("wood")
			c.box(0, 0, 768, 142, rgb(0x4d5662))
			c.box(0, 434, 768, 142, rgb(0x4d5662))
			c.box(22, 142, 724, 6, fade(black, 0.12))
			c.box(734, 230, 34, 120, rgb(0xd9b68c))
			c.rbox(622, 232, 84, 116, 6, paints[mat])
			c.outline(630, 240, 68, 100, 4, 3, lighter(paints[mat], 0.5))
			door := rgb(0xf3efe6)
			if open {
				c.wedge(740, 230, 120, 90, 180, fade(door, 0.25))
				c.box(622, 224, 120, 11, door)
				c.outline(622, 224, 120, 11, 2, 2, rgb(0xa89f8b))
				c.disc(634, 240, 5, rgb(0xd6a93c))
			} else {
				c.box(738, 230, 11, 120, door)
				c.outline(738, 230, 11, 120, 2, 2, rgb(0xa89f8b))
				c.disc(731, 338, 5, rgb(0xd6a93c))
			}
			c.box(250, 136, 130, 12, rgb(0xf3efe6))
			c.outline(250, 136, 130, 12, 2, 2, rgb(0xa89f8b))
			c.text("ROOM 7", 315, 110, 0.5, 17, bold, snow)
			c.text("LIFT", 120, 466, 0.5, 17, bold, snow)
			c.box(60, 434, 120, 8, rgb(0xaab4be))
			c.box(119, 434, 2, 8, rgb(0x4d5662))
			c.plant(480, 182, 0.85)
			c.plant(560, 182, 0.85)
			c.human(386, 398, -90, paints[shirt])
			c.rbox(230, 402, 130, 32, 6, rgb(0x8b6a4a))
			c.robotBase(a, true)
			c.robotArm(a)
			c.overlay("CAM 6 · RGB · TOP VIEW", label)
		}
	}
	before := arm{150, 290, 214, 262, 262, 290, 30, hue}
	after := arm{500, 290, 566, 262, 616, 274, 30, hue}
	metres := math.Hypot(after.bx-before.bx, after.by-before.by) / 100
	n := &notes{}
	n.four(say{rRoom, 1, "room", "type", "hallway", "The robot is in a {v}."}, "In which kind of room is the robot?", but(rooms, "hallway")...)
	n.four(say{rNavigate, 1, "robot", "task", "driving towards a door", "The robot is {v}."}, "What is the robot doing over the two frames?", "picking up a box", "watering plants", "following the person", "cleaning a window")
	n.four(say{rDone, 2, "door at the right end", "state in the second frame", "open", "In the first frame the door at the right end is closed, in the second it is {v}."}, "In which state is the door at the right end in the second frame?", "closed", "missing", "blocked by a box")
	n.four(say{rMotion, 2, "robot", "direction", "from left to right", "Between the frames the robot moves {v}."}, "In which direction does the robot move between the frames?", "from right to left", "from top to bottom", "round in a circle", "from bottom to top")
	n.four(say{rDistance, 4, "robot", "way", fmt.Sprintf("%.1f metres", metres), "By the scale bar it has moved about {v}."}, "How far has the robot moved by the scale bar?", "0.5 metres", "1.2 metres", "8.0 metres", "12.5 metres")
	n.four(say{rHuman, 2, "person", "position", "at the lower wall", "A person stands {v} of the passage."}, "Where does the person stand?", "on the door mat", "in front of the robot", "between the two plants")
	n.four(say{rColor, 3, "person", "shirt colour", shirt, "The person wears a {v} shirt."}, "What colour is the person's shirt?", "blue", "yellow", "white", "black")
	n.four(say{rColor, 3, "door mat", "colour", mat, "A {v} mat lies before the door at the right end."}, "What colour is the mat before the door?", "red", "brown", "grey", "blue")
	n.four(say{rObject, 3, "plants", "count", "two", "{v} potted plants stand at the upper wall."}, "How many potted plants stand at the upper wall?", near(2)...)
	n.four(say{rPos, 4, "lift", "position", "lower left", "The sign LIFT is at the {v}."}, "At which place is the sign LIFT?", "upper right", "upper left", "lower right")
	n.four(say{rObject, 4, "side door", "sign", "ROOM 7", "The door in the upper wall is labelled {v}."}, "How is the door in the upper wall labelled?", "ROOM 1", "OFFICE", "EXIT", "ROOM 12")
	n.yes(say{rIndoor, 2, "scene", "setting", "indoors", "The scene is {v}, with a wooden floor."}, "Is the robot inside a building?")
	return embodied("emb_s06", "Robot drives down a hallway", n, frame(before, false, "FRAME 1 / 2"), frame(after, true, "FRAME 2 / 2"))
}
