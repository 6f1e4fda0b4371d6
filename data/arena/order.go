package arena

import (
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
)

// A Position says which caption of a battle was shown first.
type Position string

// Positions of the captions a and b of a battle. Votes with an unknown order have the empty
// position.
const (
	PositionAB Position = "ab"
	PositionBA Position = "ba"
)

// draw is a random number that depends only on a seed and names. MD5 gives the same number on every
// machine and in every engine.
func draw(seed int64, names ...string) uint64 {
	sum := md5.Sum([]byte(strconv.FormatInt(seed, 10) + "\x00" + strings.Join(names, "\x00")))
	return binary.BigEndian.Uint64(sum[:])
}

// OrderOf draws the order in which a battle is shown: each order has the probability one half.
// Without more, all judges get the same order for a battle. Models are asked in this order. With
// more, the draw also depends on these names, such as the name of an annotator.
func OrderOf(seed int64, battleID string, more ...string) Position {
	highestBit := draw(seed, append([]string{battleID}, more...)...) >> 63
	if highestBit == 0 {
		return PositionAB
	}
	return PositionBA
}

// Other is the reverse of a position.
func (p Position) Other() Position {
	if p == PositionAB {
		return PositionBA
	}
	return PositionAB
}

// Shown gives the two texts of a battle in the order in which they are shown.
func (p Position) Shown(a, b string) (first, second string) {
	if p == PositionBA {
		return b, a
	}
	return a, b
}

// Winner is the outcome of a battle for a judgment. A judgment is about the first and the second
// caption shown, an outcome about the captions a and b. The position must be known, because Winner
// takes an empty position for PositionBA.
func (p Position) Winner(j Judgment) string {
	switch j {
	case Tie:
		return WinnerTie
	case First, Second:
		if (j == First) == (p == PositionAB) {
			return WinnerA
		}
		return WinnerB
	}
	return WinnerUnparsed
}

// A Pair is the two captions of a battle.
type Pair struct {
	Benchmark  string
	ImageID    string
	CaptionerA string
	CaptionA   string
	CaptionerB string
	CaptionB   string
	Repetition int // number of the same pair before this one in a list: 0 for the first
}

// ID names a battle. The ID begins with the item, so that battles of one item sort together. It
// does not depend on which caption is a and which is b. Another text of a caption gives another ID,
// so that a vote stays with the texts that it is about.
func (p Pair) ID() string {
	if cmp.Or(cmp.Compare(p.CaptionerB, p.CaptionerA), cmp.Compare(p.CaptionB, p.CaptionA)) < 0 {
		p.CaptionerA, p.CaptionA, p.CaptionerB, p.CaptionB = p.CaptionerB, p.CaptionB, p.CaptionerA, p.CaptionA
	}
	parts := []string{p.Benchmark, p.ImageID, p.CaptionerA, p.CaptionA, p.CaptionerB, p.CaptionB,
		strconv.Itoa(p.Repetition)}
	sum := md5.Sum([]byte(strings.Join(parts, "\x00")))
	return p.ImageID + "/" + hex.EncodeToString(sum[:8])
}
