package plots

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// affine maps (x, y) to (a x + c y + e, b x + d y + f).
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) times(n affine) affine {
	return affine{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b, m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d, m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f,
	}
}

func (m affine) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(m.a*x + m.c*y + m.e), Y: vg.Length(m.b*x + m.d*y + m.f)}
}

func rotation(r float64) affine {
	sin, cos := math.Sincos(r)
	return affine{a: cos, b: sin, c: -sin, d: cos}
}

func translation(p vg.Point) affine {
	return affine{a: 1, d: 1, e: float64(p.X), f: float64(p.Y)}
}
