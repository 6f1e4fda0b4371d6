package arena

import (
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
)

// A Position says which caption of a battle was shown first.
type Position string

// Positions of the captions a and b of a battle. The empty position is that of votes of which it is not known.
const (
	PositionAB Position = "ab"
	PositionBA Position = "ba"
)

// draw is a number that depends on a seed and some names alone: md5 gives the same on every machine and in every engine.
func draw(seed int64, names ...string) uint64 {
	sum := md5.Sum([]byte(strconv.FormatInt(seed, 10) + "\x00" + strings.Join(names, "\x00")))
	return binary.BigEndian.Uint64(sum[:])
}

// OrderOf draws the order in which a battle is shown: under a seed, each of the two with a probability of one half. All judges that
// are models get one order for a battle. More names make a draw of its own, as for each annotator.
func OrderOf(seed int64, battleID string, more ...string) Position {
	if draw(seed, append([]string{battleID}, more...)...)>>63 == 0 {
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

// Winner is the outcome of a battle that was shown in an order: a judgment is about the screen, an outcome about the battle.
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

// BattleID names the battle of two captions of an item. It begins with the item, so that battles of one item are sorted together;
// it is the same whichever caption comes first, and another for another text, so that a vote stays with the texts it was about.
func BattleID(imageID, captionerA, captionA, captionerB, captionB string) string {
	if captionerB < captionerA || captionerB == captionerA && captionB < captionA {
		captionerA, captionA, captionerB, captionB = captionerB, captionB, captionerA, captionA
	}
	sum := md5.Sum([]byte(strings.Join([]string{imageID, captionerA, captionA, captionerB, captionB}, "\x00")))
	return imageID + "/" + hex.EncodeToString(sum[:8])
}
