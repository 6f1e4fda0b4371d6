package stages

import (
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/llm"
)

// A captionSet is the captions of one captioner under one prompt.
type captionSet struct {
	Captioner string `parquet:"captioner"`
	Prompt    string `parquet:"prompt"`
}

// captionSets lists the sets of captions that the lake holds, and those of them that have simulated captions.
func captionSets(l *data.Lake) (sets []captionSet, simulated map[captionSet]bool, err error) {
	type row struct {
		captionSet
		Provenance string `parquet:"provenance"`
	}
	simulated = map[captionSet]bool{}
	for c, err := range data.Project[row](l, data.Captions, nil) {
		if err != nil {
			return nil, nil, err
		}
		if _, known := simulated[c.captionSet]; !known {
			sets = append(sets, c.captionSet)
		}
		simulated[c.captionSet] = simulated[c.captionSet] || c.Provenance == data.ProvenanceSimulated
	}
	slices.SortFunc(sets, func(a, b captionSet) int {
		return cmp.Or(strings.Compare(a.Captioner, b.Captioner), strings.Compare(a.Prompt, b.Prompt))
	})
	return sets, simulated, nil
}

// A depicted is one item of the benchmark with its frames in order.
type depicted struct {
	id       string
	domain   string
	pictures []llm.Part
}

// depictions streams the items of the lake that have a picture. Frames without one are left out.
func depictions(l *data.Lake) iter.Seq2[depicted, error] {
	return func(yield func(depicted, error) bool) {
		var current depicted
		for image, err := range data.Select(l, data.Images, nil) {
			if err != nil {
				yield(depicted{}, err)
				return
			}
			if image.ImageID != current.id {
				if len(current.pictures) > 0 && !yield(current, nil) {
					return
				}
				current = depicted{id: image.ImageID, domain: image.Domain}
			}
			if image.Path != "" {
				path, err := l.LocalPath(image.Path)
				if err != nil {
					yield(depicted{}, err)
					return
				}
				current.pictures = append(current.pictures, llm.Image(path, image.SHA256))
			}
		}
		if len(current.pictures) > 0 {
			yield(current, nil)
		}
	}
}

// bank streams the questions item by item, those of an item in bank order.
func bank(l *data.Lake) iter.Seq2[data.Question, error] {
	return func(yield func(data.Question, error) bool) {
		var group []data.Question
		flush := func() bool {
			slices.SortFunc(group, func(a, b data.Question) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
			for _, q := range group {
				if !yield(q, nil) {
					return false
				}
			}
			group = group[:0]
			return true
		}
		// A question_id begins with its image_id and a slash, so the questions of an item come together.
		for q, err := range data.Select(l, data.Questions, nil) {
			if err != nil {
				yield(data.Question{}, err)
				return
			}
			if len(group) > 0 && group[0].ImageID != q.ImageID && !flush() {
				return
			}
			group = append(group, q)
		}
		flush()
	}
}

// An annotated is one annotated element of a benchmark.
type annotated struct {
	dimension *rubric.Dimension
	row       data.Annotation
}

func (a annotated) element() rubric.Element {
	return rubric.Element{Name: a.row.Element, Value: a.row.Value}
}

// annotations reads the annotated elements of a benchmark, those of one sample together.
func annotations(l *data.Lake, benchmark string) ([]annotated, error) {
	known := map[string]*rubric.Dimension{}
	for _, d := range rubric.Dimensions() {
		known[d.ID] = &d
	}
	var all []annotated
	for row, err := range data.Select(l, data.Annotations, data.Where{"benchmark": benchmark}) {
		if err != nil {
			return nil, err
		}
		d, ok := known[row.Dimension]
		if !ok {
			return nil, data.WithHint(fmt.Errorf("annotation of %s: there is no dimension %q", row.SampleID, row.Dimension), "load the annotations of %s again", benchmark)
		}
		all = append(all, annotated{d, row})
	}
	if len(all) == 0 {
		return nil, data.WithHint(fmt.Errorf("the lake has no annotations of %s", benchmark), "load them with: captionlake ingest FOLDER")
	}
	return all, nil
}

// textDigest is the digest by which a row names the text that it came from; see the macro text_digest.
func textDigest(text string) *string {
	sum := md5.Sum([]byte(text))
	digest := hex.EncodeToString(sum[:])
	return &digest
}
