package server

import "github.com/zeebo/xxh3"

// draw returns a number from 0 to below 1 that depends only on the parts.
func draw(parts ...string) float64 {
	h := xxh3.New()
	for _, p := range parts {
		h.WriteString(p) // a hash never fails
		h.WriteString("\x00")
	}
	return float64(h.Sum64()>>11) / (1 << 53) // A float64 holds 53 bits exactly.
}
