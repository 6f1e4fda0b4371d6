package sample

import (
	"image/color"
	"math"
)

// The things that rooms seen from above are built of. A metre is 100 pixels.

// floor fills the frame and draws the walls around it; kind is wood, tiles, concrete or carpet.
func (c *canvas) floor(kind string) {
	switch kind {
	case "wood":
		c.box(0, 0, c.w, c.h, rgb(0xd9b68c))
		for r := 0; r < 18; r++ {
			y := float64(r) * 33
			c.box(0, y, c.w, 1.5, fade(rgb(0x8c6239), 0.35))
			for k := 0; k < 5; k++ {
				c.box(float64((r*97)%190+k*190), y, 1.5, 33, fade(rgb(0x8c6239), 0.3))
			}
		}
	case "tiles":
		c.box(0, 0, c.w, c.h, rgb(0xe6ebee))
		for v := 24.0; v < c.w; v += 60 {
			c.box(v, 0, 2, c.h, rgb(0xd0d8dd))
			c.box(0, v, c.w, 2, rgb(0xd0d8dd))
		}
	default:
		c.box(0, 0, c.w, c.h, rgb(0xc9ccce))
		for i := range 90 {
			c.disc(float64((i*193)%768), float64((i*337)%576), 1.6, fade(black, 0.06))
		}
	}
	wall := rgb(0x4d5662)
	c.box(0, 0, c.w, 22, wall)
	c.box(0, c.h-22, c.w, 22, wall)
	c.box(0, 0, 22, c.h, wall)
	c.box(c.w-22, 0, 22, c.h, wall)
	c.box(22, 22, c.w-44, 6, fade(black, 0.1))
	c.box(22, 22, 6, c.h-44, fade(black, 0.1))
}

// window sets a window into the upper wall.
func (c *canvas) window(x, w float64) {
	c.box(x, 4, w, 14, rgb(0xbfe2f2))
	c.box(x, 10, w, 2, snow)
	c.poly(fade(rgb(0xfff6cf), 0.5), x, 22, x+w, 22, x+w+46, 150, x+26, 150)
}

// top draws the top of a piece of furniture.
func (c *canvas) top(x, y, w, h, r float64, col color.NRGBA) {
	c.shadow(x, y, w, h, r)
	c.rbox(x, y, w, h, r, col)
	c.outline(x+1.5, y+1.5, w-3, h-3, r, 3, darker(col, 0.16))
}

// cup is a cup from above, its handle at the angle in degrees.
func (c *canvas) cup(x, y float64, col color.NRGBA, angle float64) {
	a := angle * math.Pi / 180
	c.disc(x+3, y+5, 22, fade(black, 0.15))
	c.ring(x+20*math.Cos(a), y+20*math.Sin(a), 10, 0, 360, 6, darker(col, 0.15))
	c.disc(x, y, 21, col)
	c.disc(x, y, 15, darker(col, 0.35))
	c.ring(x, y, 18, 190, 270, 2, lighter(col, 0.5))
}

// crate is a cardboard box from above.
func (c *canvas) crate(x, y, w, h float64, col color.NRGBA) {
	c.rbox(x-w/2+4, y-h/2+6, w, h, 4, fade(black, 0.16))
	c.rbox(x-w/2, y-h/2, w, h, 4, col)
	c.outline(x-w/2+1, y-h/2+1, w-2, h-2, 3, 2, darker(col, 0.25))
	c.box(x-w/2+2, y-5, w-4, 10, lighter(col, 0.35))
}

// plant is a potted plant from above.
func (c *canvas) plant(x, y, s float64) {
	c.disc(x+4, y+6, 30*s, fade(black, 0.14))
	c.disc(x, y, 20*s, rgb(0xb5673f))
	for i := range 8 {
		a := float64(i) * math.Pi / 4
		c.disc(x+19*s*math.Cos(a), y+19*s*math.Sin(a), 11*s, mix(rgb(0x3f8a4e), rgb(0x63b06a), float64(i%3)/2))
	}
	c.disc(x, y, 11*s, rgb(0x57a55f))
}

// human is a person from above who looks in the direction of the angle in degrees.
func (c *canvas) human(x, y, angle float64, shirt color.NRGBA) {
	c.dc.Push()
	c.dc.RotateAbout(angle*math.Pi/180, x, y)
	c.oval(x+4, y+6, 26, 44, fade(black, 0.16))
	c.oval(x+22, y-34, 20, 9, rgb(0xe9b68e))
	c.oval(x+22, y+34, 20, 9, rgb(0xe9b68e))
	c.oval(x, y, 23, 43, shirt)
	c.disc(x+3, y, 19, rgb(0x5a3b26))
	c.oval(x+20, y, 6, 7, rgb(0xe9b68e))
	c.dc.Pop()
}

// arm is the pose of a robot: the base, the elbow, the palm of its gripper, and the half distance of the two fingers.
type arm struct {
	bx, by, ex, ey, hx, hy float64
	grip                   float64
	hue                    string
}

// tip returns the point between the finger tips, where a held object has its centre.
func (a arm) tip() (x, y float64) {
	d := math.Hypot(a.hx-a.ex, a.hy-a.ey)
	return a.hx + 34*(a.hx-a.ex)/d, a.hy + 34*(a.hy-a.ey)/d
}

// robotBase draws the base; it stands below what the arm reaches over.
func (c *canvas) robotBase(a arm, wheels bool) {
	if wheels {
		for _, s := range []float64{-1, 1} {
			c.rbox(a.bx-30, a.by+s*50-9, 60, 18, 6, rgb(0x23272d))
		}
	}
	c.shadow(a.bx-50, a.by-50, 100, 100, 22)
	c.rbox(a.bx-50, a.by-50, 100, 100, 22, rgb(0x5b6672))
	c.outline(a.bx-44, a.by-44, 88, 88, 18, 4, paints[a.hue])
	c.disc(a.bx, a.by, 31, rgb(0x39424c))
}

// robotArm draws the links and the gripper.
func (c *canvas) robotArm(a arm) {
	light, joint := rgb(0xeceff2), rgb(0x39424c)
	c.line(fade(black, 0.14), 24, a.bx+7, a.by+11, a.ex+7, a.ey+11, a.hx+7, a.hy+11)
	c.line(rgb(0xaab3bc), 27, a.bx, a.by, a.ex, a.ey)
	c.line(light, 21, a.bx, a.by, a.ex, a.ey)
	c.line(rgb(0xaab3bc), 21, a.ex, a.ey, a.hx, a.hy)
	c.line(light, 16, a.ex, a.ey, a.hx, a.hy)
	for _, j := range [][3]float64{{a.bx, a.by, 21}, {a.ex, a.ey, 17}, {a.hx, a.hy, 12}} {
		c.disc(j[0], j[1], j[2], joint)
		c.disc(j[0], j[1], j[2]*0.55, paints[a.hue])
	}
	c.dc.Push()
	c.dc.RotateAbout(math.Atan2(a.hy-a.ey, a.hx-a.ex), a.hx, a.hy)
	gap := a.grip
	c.rbox(a.hx+3, a.hy-gap-5, 11, 2*gap+10, 4, joint)
	for _, s := range []float64{-1, 1} {
		c.rbox(a.hx+8, a.hy+s*gap-5, 40, 10, 4, joint)
		c.rbox(a.hx+32, a.hy+s*gap-s*2-3, 15, 6, 3, paints[a.hue])
	}
	c.dc.Pop()
}

// overlay writes what a camera's software adds: the camera's label, the frame's number and a scale bar.
func (c *canvas) overlay(camera, frame string) {
	tag := func(s string, x, ax float64) {
		w := c.measure(s, 14, bold) + 24
		c.rbox(x-ax*w, 512, w, 32, 6, fade(rgb(0x1d2430), 0.78))
		c.text(s, x-ax*w+12, 528, 0, 14, bold, snow)
	}
	tag(camera, 168, 0)
	if frame != "" {
		tag(frame, 734, 1)
	}
	c.rbox(34, 508, 124, 36, 6, fade(rgb(0x1d2430), 0.78))
	c.line(snow, 2.5, 46, 534, 146, 534)
	c.line(snow, 2.5, 46, 529, 46, 539)
	c.line(snow, 2.5, 146, 529, 146, 539)
	c.text("1 m", 96, 521, 0.5, 13, bold, snow)
}
