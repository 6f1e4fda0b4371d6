package config

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// A Part is a share of a run, by pictures, for one of several lakes that are merged later. The part
// of a picture depends only on its name and the number of parts, so that a part finds the captions
// that an earlier run of the same part asked for. The zero Part is the whole run.
type Part struct {
	Number int // from 1
	Of     int
}

// mostParts bounds the number of parts.
const mostParts = 100_000

// ParsePart reads a part such as 3/16; empty is the whole run.
func ParsePart(text string) (p Part, err error) {
	if text == "" {
		return p, nil
	}
	number, of, _ := strings.Cut(text, "/")
	p.Number, err = strconv.Atoi(number)
	var faultOf error
	p.Of, faultOf = strconv.Atoi(of)
	if err != nil || faultOf != nil || p.Number < 1 || p.Of < p.Number || p.Of > mostParts {
		return Part{}, fmt.Errorf("%q is not a part of a run: write 3/16 for the third of sixteen, up to %d", text,
			mostParts)
	}
	return p, nil
}

// Has reports whether a picture belongs to the part.
func (p Part) Has(picture string) bool {
	if p.Of == 0 {
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(picture)) // It never fails.
	return int(mix(h.Sum64())%uint64(p.Of)) == p.Number-1
}

// mix spreads the bits of a hash, because names that differ only in the last letter have similar
// hashes (the end of MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
