package ingest

import (
	"math/bits"
	"strconv"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/picture"
)

// An alike is what is known of the pictures before one: those of equal bytes, and those of equal hashes.
type alike struct {
	bySHA  map[string]data.Image
	byHash map[uint64][]data.Image // the first picture, and the first one of another item
	hashes []uint64                // of byHash, in the order in which they came
}

// add takes a picture in. hash is that of row; ok is false where it has none.
func (a *alike) add(row data.Image) {
	if _, known := a.bySHA[row.SHA256]; !known {
		a.bySHA[row.SHA256] = row
	}
	hash, ok := hashOf(row)
	if !ok {
		return
	}
	known := a.byHash[hash]
	if len(known) == 0 {
		a.hashes = append(a.hashes, hash)
	}
	if len(known) == 0 || len(known) == 1 && known[0].ImageID != row.ImageID {
		a.byHash[hash] = append(known, row)
	}
}

// near finds the picture of another item whose hash is nearest, as long as it is near.
func (a *alike) near(row data.Image) (other data.Image, distance int, found bool) {
	hash, ok := hashOf(row)
	if !ok {
		return other, 0, false
	}
	distance = picture.Near + 1
	for _, h := range a.hashes {
		d := bits.OnesCount64(h ^ hash)
		if d >= distance {
			continue
		}
		for _, known := range a.byHash[h] {
			if known.ImageID != row.ImageID {
				other, distance, found = known, d, true
				break
			}
		}
	}
	return other, distance, found
}

func hashOf(row data.Image) (uint64, bool) {
	hash, err := strconv.ParseUint(row.PHash, 16, 64)
	return hash, err == nil
}

// shownAlike is how many duplicates are named; the mart image_duplicates has them all.
const shownAlike = 5

// noteAlike names the pictures that show what others show, of this folder and of the lake. Frames of one item may look alike,
// as those of a video do, and are not named. Nothing is left out: which of two stays is for people to decide.
func (j *Job) noteAlike(rows []data.Image) error {
	type key struct {
		id    string
		frame int32
	}
	mine := map[key]bool{} // A folder that is loaded again is no duplicate of itself.
	for _, row := range rows {
		mine[key{row.ImageID, row.Frame}] = true
	}
	known := &alike{bySHA: map[string]data.Image{}, byHash: map[uint64][]data.Image{}}
	for row, err := range data.Scan(j.Lake, data.Images) {
		if err != nil {
			return err
		}
		if row.Path != "" && !mine[key{row.ImageID, row.Frame}] {
			known.add(row)
		}
	}
	exact, near := 0, 0
	for _, row := range rows {
		if other, same := known.bySHA[row.SHA256]; same {
			if exact++; exact <= shownAlike {
				j.Note("%s is the same picture as %s", row.Source, other.Source)
			}
		} else if other, distance, found := known.near(row); found {
			if near++; near <= shownAlike {
				j.Note("%s looks like %s (%d of 64 bits of their hashes differ)", row.Source, other.Source, distance)
			}
		}
		known.add(row)
	}
	if exact+near > 0 {
		j.Note("%s: pictures that are the same as another: %d, that look like another: %d; all are loaded. After captionlake analyze, image_duplicates lists them", j.Source.Path, exact, near)
	}
	return nil
}
