package config

import (
	"fmt"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// Every picture is in one part, whatever asks about it, and parts are about as large as each other.
func TestPartsDivideThePictures(t *testing.T) {
	const pictures, of = 3200, 16
	sizes := make([]int, of)
	for i := range pictures {
		in := 0
		for n := range of {
			if (Part{n + 1, of}).Has(fmt.Sprintf("nat_%05d", i)) {
				sizes[n]++
				in++
			}
		}
		must.Equal(t, in, 1, i)
	}
	for n, size := range sizes { // 200 ± 14 by chance
		expect.Between(t, size, 140, 260, n+1)
	}
}

func TestParsePart(t *testing.T) {
	for text, want := range map[string]Part{"": {}, "1/1": {1, 1}, "3/16": {3, 16}, "100000/100000": {100000, 100000}} {
		expect.Equal(t, must.Get(ParsePart(text))(t), want, text)
	}
	for _, text := range []string{"0/4", "5/4", "-1/4", "3", "3/", "/4", "a/4", "3/16/2", " 3/16", "1/100001",
		"1/99999999999999999999"} {
		if p, err := ParsePart(text); err == nil {
			t.Errorf("%q is %v", text, p)
		}
	}
}
