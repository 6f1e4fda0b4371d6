package server

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	json "github.com/go-json-experiment/json/v1"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/sample"
)

// Scene is the rehearsal models' knowledge of a picture.
type Scene struct {
	ImageID  string
	Facts    []sample.Fact
	Imagined bool // nothing is known of the picture: the facts are another picture's
}

// World is the pictures that the rehearsal models know, by the SHA-256 of their files. A frame of a
// known item represents the whole item. A nil World knows nothing.
type World struct {
	scenes map[string]*Scene
	// known pictures that represent unknown ones; empty if models say nothing about unknown
	// pictures
	standIns []*Scene
	values   map[string][]string // values seen of an attribute, sorted: the possible mistakes
}

// LakeWorld is the rehearsal models' knowledge of a lake's pictures: the facts in its images.
func LakeWorld(l *data.Lake) (*World, error) {
	var images []data.Image
	for image, err := range data.Select(l, data.Images, nil) {
		if err != nil {
			return nil, err
		}
		images = append(images, image)
	}
	return NewWorld(images)
}

// NewWorld makes a world of image rows. It skips rows without facts or without a digest. Facts that
// are not JSON of the sample set's form are an error.
func NewWorld(rows []data.Image) (*World, error) {
	w := &World{scenes: map[string]*Scene{}, values: map[string][]string{}}
	for _, row := range rows {
		if row.Facts == "" || row.SHA256 == "" {
			continue
		}
		var facts []sample.Fact
		if err := json.Unmarshal([]byte(row.Facts), &facts); err != nil {
			return nil, fmt.Errorf("facts of image %s are not of the sample set's form: %w", row.ImageID, err)
		}
		w.learn(row.SHA256, &Scene{ImageID: row.ImageID, Facts: facts})
	}
	return w, nil
}

// learn adds what is known of a picture.
func (w *World) learn(digest string, s *Scene) {
	w.scenes[digest] = s
	for _, f := range s.Facts {
		values := w.values[f.Attribute]
		if at, known := slices.BinarySearch(values, f.Value); !known {
			w.values[f.Attribute] = slices.Insert(values, at, f.Value)
		}
	}
}

// SampleWorld returns the world of the sample set. It is made once per process.
var SampleWorld = sync.OnceValues(func() (*World, error) {
	images, err := sample.Images()
	if err != nil {
		return nil, err
	}
	var all []data.Image
	for _, m := range images {
		rows, err := m.Rows()
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return NewWorld(all)
})

// Imagine adds the pictures of the sample set. For every unknown picture, rehearsal models then use
// a picture of the set, drawn by the digest of the unknown picture: the replies are made up, and
// the same each time.
func (w *World) Imagine() error {
	known, err := SampleWorld()
	if err != nil {
		return err
	}
	for _, digest := range slices.Sorted(maps.Keys(known.scenes)) {
		w.standIns = append(w.standIns, known.scenes[digest])
		if w.scenes[digest] == nil { // A picture of the set is known in any lake.
			w.learn(digest, known.scenes[digest])
		}
	}
	return nil
}

// scene returns the scene of the first known picture of a request. If w knows none of the pictures,
// scene returns the scene that represents the first picture; nil if no scene represents it.
func (w *World) scene(digests []string) *Scene {
	if w == nil {
		return nil
	}
	for _, d := range digests {
		if s, ok := w.scenes[d]; ok {
			return s
		}
	}
	if len(w.standIns) > 0 && len(digests) > 0 {
		s := *w.standIns[int(draw("stands for", digests[0])*float64(len(w.standIns)))]
		s.ImageID, s.Imagined = digests[0], true
		return &s
	}
	return nil
}

// others returns the other values of a fact's attribute, in a fixed order.
func (w *World) others(f sample.Fact) []string {
	var out []string
	for _, v := range w.values[f.Attribute] {
		if !strings.EqualFold(v, f.Value) {
			out = append(out, v)
		}
	}
	return out
}

// perceive returns the facts that a model sees on an occasion, such as "caption"; each occasion has
// its own draws. keep gives the chance that the model finds a fact, wrong the chance that it gets a
// found fact wrong. A wrong fact has another value of the same attribute. If the fact has no value,
// or no other value is known, the fact is dropped instead.
func (w *World) perceive(s *Scene, model, occasion string, keep func(sample.Fact) float64,
	wrong float64) []sample.Fact {
	var seen []sample.Fact
	for _, f := range s.Facts {
		if draw(model, occasion, s.ImageID, f.Text, "keep") >= keep(f) {
			continue
		}
		if draw(model, occasion, s.ImageID, f.Text, "wrong") < wrong {
			others := w.others(f)
			if len(others) == 0 || f.Value == "" {
				continue
			}
			mistake := others[int(draw(model, occasion, s.ImageID, f.Text, "which")*float64(len(others)))]
			f.Text, f.Value = replaceFold(f.Text, f.Value, mistake), mistake
		}
		seen = append(seen, f)
	}
	return seen
}

// replaceFold replaces the first occurrence of old in s, ignoring letter case.
func replaceFold(s, old, new string) string {
	// The last condition is needed because a text in lower case may have another length.
	if i := strings.Index(strings.ToLower(s), strings.ToLower(old)); i >= 0 && i+len(old) <= len(s) {
		return s[:i] + new + s[i+len(old):]
	}
	return s
}
