package sample

import (
	"image/color"
	"math"
)

// The things that natural scenes are built of. Each stands on the point x, y unless its comment says otherwise.

func (c *canvas) cloud(x, y, s float64, col color.NRGBA) {
	c.oval(x, y, 62*s, 18*s, col)
	c.disc(x-24*s, y-10*s, 21*s, col)
	c.disc(x+6*s, y-20*s, 27*s, col)
	c.disc(x+32*s, y-8*s, 18*s, col)
}

func (c *canvas) tree(x, y, s float64, leaf color.NRGBA) {
	c.ground(x, y, 46*s, 9*s)
	c.poly(rgb(0x7a5236), x-8*s, y, x-5*s, y-60*s, x+5*s, y-60*s, x+8*s, y)
	c.disc(x-22*s, y-72*s, 27*s, darker(leaf, 0.14))
	c.disc(x+22*s, y-70*s, 26*s, darker(leaf, 0.1))
	c.disc(x, y-98*s, 36*s, leaf)
	c.disc(x-10*s, y-106*s, 17*s, lighter(leaf, 0.14))
}

func (c *canvas) fir(x, y, s float64) {
	c.ground(x, y, 32*s, 7*s)
	c.box(x-5*s, y-16*s, 10*s, 16*s, rgb(0x4d3a30))
	for i := 0.0; i < 3; i++ {
		w, top := (36-8*i)*s, y-(58+30*i)*s
		c.poly(rgb(0x2c5a52), x-w, y-(12+30*i)*s, x, top, x+w, y-(12+30*i)*s)
		c.poly(rgb(0xe6eef6), x-w*0.36, top+17*s, x, top, x+w*0.36, top+17*s, x+w*0.12, top+13*s, x-w*0.1, top+19*s)
	}
}

func (c *canvas) bench(x, y float64, col color.NRGBA) {
	c.ground(x, y, 74, 10)
	for _, dx := range []float64{-52, 46} {
		c.box(x+dx, y-30, 7, 30, rgb(0x4b5058))
		c.box(x+dx, y-62, 6, 34, rgb(0x4b5058))
	}
	for i := 0.0; i < 3; i++ {
		c.rbox(x-64, y-66+13*i, 128, 9, 3, darker(col, 0.06*i))
	}
	c.rbox(x-68, y-32, 136, 11, 4, lighter(col, 0.1))
}

// kite hangs around x, y, with a string to hx, hy when hx is not zero.
func (c *canvas) kite(x, y float64, col color.NRGBA, hx, hy float64) {
	if hx != 0 {
		c.dc.MoveTo(x, y+40)
		c.dc.QuadraticTo((x+hx)/2+26, (y+hy)/2+46, hx, hy)
		c.dc.SetColor(fade(ink, 0.6))
		c.dc.SetLineWidth(1.3)
		c.dc.Stroke()
	}
	c.line(darker(col, 0.2), 2, x, y+40, x-9, y+54, x+4, y+66, x-7, y+80)
	for _, t := range [][2]float64{{-5, 56}, {0, 69}} {
		c.poly(lighter(col, 0.35), x+t[0], y+t[1], x+t[0]-9, y+t[1]-5, x+t[0]-9, y+t[1]+5)
		c.poly(lighter(col, 0.35), x+t[0], y+t[1], x+t[0]+9, y+t[1]-5, x+t[0]+9, y+t[1]+5)
	}
	c.poly(col, x, y-38, x+28, y-4, x, y+40, x-28, y-4)
	c.poly(lighter(col, 0.22), x, y-38, x+28, y-4, x, y-4)
	c.poly(darker(col, 0.12), x, y-4, x, y+40, x-28, y-4)
}

// person stands with feet at x, y, height about 100 s.
func (c *canvas) person(x, y, s float64, shirt, trousers, hair color.NRGBA, lx, ly, rx, ry float64) {
	skin := rgb(0xe9b68e)
	c.ground(x, y, 24*s, 6*s)
	c.line(trousers, 10*s, x-7*s, y-4*s, x-5*s, y-40*s)
	c.line(trousers, 10*s, x+7*s, y-4*s, x+5*s, y-40*s)
	c.line(skin, 7*s, x-12*s, y-66*s, x+lx*s, y+ly*s)
	c.line(skin, 7*s, x+12*s, y-66*s, x+rx*s, y+ry*s)
	c.rbox(x-15*s, y-74*s, 30*s, 40*s, 9*s, shirt)
	c.disc(x, y-88*s, 15*s, skin)
	c.wedge(x, y-90*s, 16*s, 175, 365, hair)
	c.disc(x-5*s, y-85*s, 1.8*s, ink)
	c.disc(x+5*s, y-85*s, 1.8*s, ink)
	c.ring(x, y-83*s, 5*s, 40, 140, 1.3*s, rgb(0x9b5a45))
}

func (c *canvas) signpost(s string, x, y float64, col color.NRGBA) {
	w := c.measure(s, 17, bold) + 28
	c.ground(x, y, 20, 5)
	c.box(x-4, y-90, 8, 90, rgb(0x7a5236))
	c.rbox(x-w/2, y-104, w, 38, 6, col)
	c.outline(x-w/2+3, y-101, w-6, 32, 4, 1.5, fade(snow, 0.8))
	c.text(s, x, y-85, 0.5, 17, bold, snow)
}

func (c *canvas) duck(x, y float64, col color.NRGBA) {
	c.oval(x, y+8, 31, 5, fade(black, 0.14))
	c.poly(col, x-30, y-14, x-14, y-6, x-14, y+6)
	c.oval(x, y, 25, 12, col)
	c.oval(x-3, y-3, 14, 6, darker(col, 0.18))
	c.disc(x+19, y-16, 10, col)
	c.poly(rgb(0xeb8d2f), x+27, y-19, x+40, y-14, x+27, y-11)
	c.disc(x+22, y-18, 1.8, ink)
}

func (c *canvas) sailboat(x, y, s float64, sail, hull color.NRGBA) {
	c.oval(x, y+10*s, 64*s, 7*s, fade(black, 0.15))
	c.box(x-2*s, y-122*s, 4*s, 112*s, rgb(0x5b4636))
	c.poly(sail, x+5*s, y-118*s, x+58*s, y-24*s, x+5*s, y-24*s)
	c.poly(darker(sail, 0.1), x-6*s, y-104*s, x-40*s, y-24*s, x-6*s, y-24*s)
	c.poly(hull, x-60*s, y-16*s, x+66*s, y-16*s, x+46*s, y+10*s, x-44*s, y+10*s)
	c.box(x-58*s, y-16*s, 122*s, 5*s, lighter(hull, 0.3))
}

// house covers x to x+w and stands on y.
func (c *canvas) house(x, y, w, h float64, wall, roof, door color.NRGBA, windows int) {
	c.box(x, y-h, w, h, wall)
	c.box(x+w-12, y-h, 12, h, fade(black, 0.07))
	c.box(x+w*0.7, y-h-72, 20, 50, darker(roof, 0.3))
	c.poly(roof, x-14, y-h, x+w/2, y-h-78, x+w+14, y-h)
	c.poly(darker(roof, 0.14), x+w/2, y-h-78, x+w+14, y-h, x+w/2, y-h)
	for i := 0; i < windows; i++ {
		wx := x + w*(float64(i)+0.5)/float64(windows) - 19
		c.rbox(wx-4, y-h+20, 46, 50, 3, lighter(wall, 0.55))
		c.box(wx, y-h+24, 38, 42, rgb(0x9fc4d8))
		c.poly(fade(snow, 0.35), wx, y-h+66, wx+24, y-h+24, wx+36, y-h+24, wx+12, y-h+66)
		c.line(lighter(wall, 0.55), 3, wx+19, y-h+24, wx+19, y-h+66)
		c.line(lighter(wall, 0.55), 3, wx, y-h+45, wx+38, y-h+45)
	}
	c.rbox(x+w/2-23, y-78, 46, 78, 3, lighter(wall, 0.5))
	c.rbox(x+w/2-19, y-74, 38, 74, 3, door)
	c.disc(x+w/2+12, y-36, 3, rgb(0xf3d27a))
}

// car faces right, with its wheels on y.
func (c *canvas) car(x, y float64, col color.NRGBA) {
	c.ground(x, y, 78, 9)
	c.dc.MoveTo(x-40, y-40)
	c.dc.CubicTo(x-30, y-74, x-20, y-76, x+4, y-76)
	c.dc.CubicTo(x+24, y-76, x+34, y-58, x+44, y-40)
	c.fill(darker(col, 0.08))
	c.poly(rgb(0xcfe4ee), x-29, y-42, x-20, y-66, x-2, y-68, x-2, y-42)
	c.poly(rgb(0xcfe4ee), x+4, y-42, x+4, y-68, x+17, y-64, x+31, y-42)
	c.rbox(x-72, y-44, 144, 32, 13, col)
	c.rbox(x-66, y-40, 132, 5, 2, lighter(col, 0.25))
	c.rbox(x+60, y-36, 12, 9, 4, rgb(0xfff0b8))
	c.rbox(x-72, y-36, 8, 9, 3, rgb(0x9c2a24))
	for _, dx := range []float64{-42, 42} {
		c.disc(x+dx, y-12, 16, rgb(0x2a2e34))
		c.disc(x+dx, y-12, 8, rgb(0xbfc6cc))
	}
}

func (c *canvas) umbrella(x, y, r float64, a, b color.NRGBA) {
	for i := 0.0; i < 6; i++ {
		col := a
		if int(i)%2 == 1 {
			col = b
		}
		x0, x1 := x-r+2*r*i/6, x-r+2*r*(i+1)/6
		c.dc.MoveTo(x, y-r*0.72)
		c.dc.QuadraticTo(x+(x0-x)*0.95, y-r*0.55, x0, y)
		c.dc.QuadraticTo((x0+x1)/2, y-r*0.12, x1, y)
		c.dc.QuadraticTo(x+(x1-x)*0.95, y-r*0.55, x, y-r*0.72)
		c.fill(col)
	}
	c.line(rgb(0x555b62), 3, x, y-r*0.72, x, y-r*0.8)
}

func (c *canvas) gull(x, y, s float64) {
	c.dc.MoveTo(x-22*s, y-6*s)
	c.dc.QuadraticTo(x-10*s, y-14*s, x, y)
	c.dc.QuadraticTo(x+10*s, y-14*s, x+22*s, y-6*s)
	c.dc.SetColor(rgb(0x46525e))
	c.dc.SetLineWidth(3 * s)
	c.dc.SetLineCapRound()
	c.dc.Stroke()
}

func (c *canvas) starfish(x, y, r float64, col color.NRGBA) {
	c.oval(x, y+5, r*0.9, r*0.5, fade(black, 0.1))
	var xy []float64
	for i := 0; i < 10; i++ {
		k, a := r, math.Pi*(float64(i)/5-0.5)
		if i%2 == 1 {
			k = r * 0.45
		}
		xy = append(xy, x+k*math.Cos(a), y+0.85*k*math.Sin(a))
	}
	c.poly(col, xy...)
	c.dc.ClearPath()
	c.line(col, r*0.22, append(xy, xy[0], xy[1])...)
	c.disc(x, y, r*0.16, lighter(col, 0.35))
}

func (c *canvas) palm(x, y float64) {
	c.ground(x, y, 40, 8)
	for i := 0.0; i < 22; i++ {
		t := i / 22
		c.rbox(x-11+4*t+46*t*t, y-11-10.4*i, 20-7*t, 12, 3, mix(rgb(0x8a6543), rgb(0xa98058), math.Mod(i, 2)))
	}
	tx, ty := x+46.0, y-236.0
	for _, a := range []float64{-160, -120, -62, -22, 14, 165} {
		s, q := math.Sin(a*math.Pi/180), math.Cos(a*math.Pi/180)
		ex, ey := tx+88*q, ty+64*s+34
		c.dc.MoveTo(tx, ty)
		c.dc.QuadraticTo(tx+52*q, ty+84*s-34, ex, ey)
		c.dc.QuadraticTo(tx+42*q, ty+60*s+6, tx, ty+9)
		c.fill(mix(rgb(0x3f8a4e), rgb(0x5fae5f), (q+1)/2))
	}
	c.disc(tx-6, ty+10, 8, rgb(0x6e4a2e))
	c.disc(tx+8, ty+12, 8, rgb(0x7d5636))
}

// apple lies with its centre at x, y.
func (c *canvas) apple(x, y, r float64, col color.NRGBA) {
	c.disc(x-r*0.22, y, r*0.85, col)
	c.disc(x+r*0.22, y, r*0.85, col)
	c.disc(x+r*0.15, y+r*0.08, r*0.8, darker(col, 0.05))
	c.oval(x-r*0.4, y-r*0.3, r*0.18, r*0.28, fade(snow, 0.5))
	c.line(rgb(0x5d4029), 2.5, x, y-r*0.7, x+r*0.15, y-r*1.2)
	c.dc.MoveTo(x+r*0.12, y-r*1.05)
	c.dc.QuadraticTo(x+r*0.5, y-r*1.6, x+r*0.9, y-r*1.2)
	c.dc.QuadraticTo(x+r*0.5, y-r*0.9, x+r*0.12, y-r*1.05)
	c.fill(rgb(0x5a9b4f))
}

func (c *canvas) banana(x, y float64) {
	c.dc.MoveTo(x-52, y-22)
	c.dc.QuadraticTo(x-30, y+30, x+40, y+6)
	c.dc.QuadraticTo(x+52, y+2, x+48, y-10)
	c.dc.QuadraticTo(x-10, y+6, x-44, y-28)
	c.dc.ClosePath()
	c.fill(paints["yellow"])
	c.line(rgb(0xd9a72c), 2.5, x-46, y-19, x-25, y+6, x+8, y+8, x+42, y-2)
	c.line(rgb(0x6b4b2c), 5, x-50, y-26, x-46, y-23)
}

func (c *canvas) tulip(x, y, h, lean float64, col color.NRGBA) {
	c.line(rgb(0x4f8f4f), 4, x, y, x+lean, y-h)
	tx, ty := x+lean, y-h
	c.poly(col, tx-13, ty-26, tx-6, ty-14, tx, ty-30, tx+6, ty-14, tx+13, ty-26, tx+13, ty-4, tx, ty+6, tx-13, ty-4)
	c.oval(tx, ty-4, 13, 11, col)
	c.poly(lighter(col, 0.2), tx-5, ty-10, tx, ty-30, tx+5, ty-10)
}
