package server

import "github.com/zeebo/xxh3"

// draw returns a number from 0 to below 1 that depends only on the parts.
func draw(parts ...string) float64 {
	h := xxh3.New()
	for _, p := range parts {
		h.WriteString(p) // a hash never fails
		h.WriteString("\x00")
	}
	return unit(h.Sum64())
}

// unit maps 64 bits to a number from 0 to below 1.
func unit(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }

// mix spreads 64 bits over all others: the output function of SplitMix64 (Steele, Lea and Flood
// 2014), which is made for consecutive inputs.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
