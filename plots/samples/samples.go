package samples

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
)

// Folder is the path from the folder of the page to the folder of the files.
const Folder = "data/samples/"

// PictureFolder is the path from the folder of the page to the folder of the pictures. Pictures
// keep the names that the lake gives them.
const PictureFolder = data.PicturesFolder + "/"

// A shard of texts has at least so many samples and images. The last shard may have fewer.
const (
	shardItems  = 150
	shardImages = 6
)

// A Set holds the samples of one kind.
type Set struct {
	index
	Items []Item

	source   Source
	outcomes [][]byte                // by condition, a digit for each sample: its outcome, or 0 without one
	frames   map[string][]data.Image // by image
}

// index holds the data that the page needs to filter samples.
type index struct {
	Kind       Kind        `json:"kind"`
	Conditions []Condition `json:"conditions"`
	IDs        []string    `json:"ids"` // each is / and the id without its image, or = and the whole id
	Images     []string    `json:"images"`
	Firsts     []int       `json:"firsts"` // of each image, its first sample
	Facets     []facet     `json:"facets"`
	Shards     []int       `json:"shards"` // of each shard, its first sample
	// the place of the sample about which the main conditions disagree most: as many of them had the
	// good outcome as another outcome, or nearly as many
	First int `json:"first"`
}

// facet is a column of few values.
type facet struct {
	Values []string `json:"values"`
	Codes  []int    `json:"codes"` // of each sample, the place of its value in Values
}

// Load reads the samples of a lake. Their texts stay in the source until a file is made. With
// noPictures, no picture is copied.
func Load(ctx context.Context, source Source, noPictures bool) ([]*Set, []report.File, error) {
	images, err := source.Images(ctx)
	if err != nil {
		return nil, nil, err
	}
	byImage, files := map[string][]data.Image{}, []report.File(nil)
	for _, f := range images {
		// A file is written under the name, so digest and format in it must have the usual form.
		if !noPictures && data.IsPicture(nameOf(f)) && data.PictureTypes[f.Format] != "" {
			byImage[f.ImageID] = append(byImage[f.ImageID], f)
		}
	}
	var sets []*Set
	used := map[string]bool{}
	for _, k := range Kinds() {
		s := &Set{index: index{Kind: k, Facets: make([]facet, len(k.Facets))}, source: source, frames: byImage}
		if err := s.load(ctx); err != nil {
			return nil, nil, fmt.Errorf("samples %s: %w", k.Name, err)
		}
		if len(s.Items) == 0 {
			continue
		}
		sets = append(sets, s)
		files = append(files, s.files(ctx)...)
		for _, image := range s.Images {
			for _, f := range byImage[image] {
				if name := nameOf(f); !used[name] {
					used[name] = true
					files = append(files, report.File{Name: name, Make: func(w io.Writer) error {
						r, err := source.Open(f.Path)
						if err != nil {
							return err
						}
						defer r.Close() // read only
						_, err = io.Copy(w, r)
						return err
					}})
				}
			}
		}
	}
	return sets, files, nil
}

// nameOf is the name of a picture in the folder of the page.
func nameOf(f data.Image) string { return PictureFolder + f.SHA256 + "." + f.Format }

// load reads the conditions and the samples of a set, and counts outcomes. It begins a new shard
// with an image if the last shard has enough images and samples.
func (s *Set) load(ctx context.Context) error {
	if err := each(ctx, s.source, s.Kind.Name, "conditions", 0, 0, func(c Condition) error {
		s.Conditions = append(s.Conditions, c)
		return nil
	}); err != nil {
		return err
	}
	s.outcomes = make([][]byte, len(s.Conditions))
	images, mostDissent := 0, 0 // images of the last shard; the greatest dissent about a sample so far
	return each(ctx, s.source, s.Kind.Name, "items", 0, 0, func(it Item) error {
		if len(it.Facets) != len(s.Kind.Facets) || len(it.Marks)%markWidth != 0 {
			return fmt.Errorf("%s has %d facets and %d characters of marks", it.ID, len(it.Facets), len(it.Marks))
		}
		n := len(s.Items)
		if n == 0 || s.Items[n-1].Image != it.Image {
			s.Images, s.Firsts = append(s.Images, it.Image), append(s.Firsts, n)
			isFull := images >= shardImages && n-s.Shards[len(s.Shards)-1] >= shardItems
			if n == 0 || isFull {
				s.Shards, images = append(s.Shards, n), 0
			}
			images++
		}
		// A slash says that the id begins with its image, which is then left out.
		id, inImage := strings.CutPrefix(it.ID, it.Image+"/")
		s.IDs = append(s.IDs, map[bool]string{true: "/", false: "="}[inImage]+id)
		for f, value := range it.Facets {
			facet := &s.Facets[f]
			code := slices.Index(facet.Values, value)
			if code < 0 {
				code, facet.Values = len(facet.Values), append(facet.Values, value)
			}
			facet.Codes = append(facet.Codes, code)
		}
		for c := range s.outcomes {
			s.outcomes[c] = append(s.outcomes[c], '0')
		}
		// A mark begins with its condition, so sorted marks are in the order of the conditions.
		marks := slices.SortedFunc(slices.Chunk([]byte(it.Marks), markWidth), bytes.Compare)
		it.Marks = string(bytes.Join(marks, nil))
		s.Items = append(s.Items, it)
		var tries [2]int // under main conditions: with the good outcome, and with other outcomes
		for _, mark := range marks {
			c, err := strconv.ParseUint(string(mark[:3]), 36, 32)
			outcome := int(mark[3]) - '0'
			if err != nil || int(c) >= len(s.Conditions) || outcome < 1 || outcome >= len(s.Kind.Outcomes) {
				return fmt.Errorf("%s has a mark %q: condition or outcome is not there", it.ID, mark)
			}
			s.outcomes[c][n] = mark[3]
			condition := &s.Conditions[c]
			condition.N++
			if outcome == 1 {
				condition.Good++
			}
			if condition.Main {
				tries[min(outcome, 2)-1]++
			}
		}
		// Dissent is the number of main conditions on the smaller side.
		if dissent := min(tries[0], tries[1]); dissent > mostDissent {
			mostDissent, s.First = dissent, n
		}
		return nil
	})
}

// markWidth is how many characters a mark has, as Item.Marks says.
const markWidth = 5

// files lists the files of a set.
func (s *Set) files(ctx context.Context) []report.File {
	folder := Folder + s.Kind.Name + "/"
	out := []report.File{
		script(folder+"index.js", func() (any, error) { return s.index, nil }),
		script(folder+"titles.js", func() (any, error) {
			titles := make([]string, len(s.Items))
			for i, it := range s.Items {
				titles[i] = it.Title
			}
			return titles, nil
		}),
	}
	for c := range s.Conditions {
		out = append(out,
			script(fmt.Sprintf("%soutcomes-%d.js", folder, c), func() (any, error) { return string(s.outcomes[c]), nil }))
	}
	for i := range s.Shards {
		out = append(out,
			script(fmt.Sprintf("%stexts-%d.js", folder, i), func() (any, error) { return s.shard(ctx, i) }))
	}
	return out
}

// turning matches the characters that turn the direction of writing. They are escaped, so that an
// editor shows a file in its true order.
var turning = regexp.MustCompile("[\u202a-\u202e\u2066-\u2069]")

// script returns a file that hands a value to the page. In the file, text is escaped if a browser
// would take it for markup or for the end of a line, or if it turns the direction of writing.
func script(name string, value func() (any, error)) report.File {
	return report.File{Name: name, Make: func(w io.Writer) error {
		v, err := value()
		var content []byte
		if err == nil {
			content, err = json.Marshal(v) // which escapes <, >, & and the separators of lines
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		text := turning.ReplaceAllStringFunc(string(content),
			func(sign string) string { return strings.Trim(strconv.QuoteToASCII(sign), `"`) })
		_, err = fmt.Fprintf(w, "captionlake.data(%q,%s);\n", name, text)
		return err
	}}
}

// shard holds the data that the page needs to show some samples.
type shard struct {
	First    int                  `json:"first"`
	Items    []Detail             `json:"items"`
	Captions map[string][]Caption `json:"captions"`
	Frames   map[string][]frame   `json:"frames"`
}

// A frame is the file of a picture of an item, and the size of the picture in pixels.
type frame struct {
	File   string `json:"file"`
	Width  int32  `json:"width,omitempty"`
	Height int32  `json:"height,omitempty"`
}

// shard reads the texts of shard i from the source, with the captions and frames of its pictures.
func (s *Set) shard(ctx context.Context, i int) (shard, error) {
	from, to := s.Shards[i], len(s.Items)
	if i+1 < len(s.Shards) {
		to = s.Shards[i+1]
	}
	out := shard{First: from, Captions: map[string][]Caption{}, Frames: map[string][]frame{}}
	if err := each(ctx, s.source, s.Kind.Name, "details", from, to, func(d Detail) error {
		out.Items = append(out.Items, d)
		return nil
	}); err != nil {
		return out, err
	}
	if len(out.Items) != to-from {
		return out, fmt.Errorf("there are %d texts of %d samples", len(out.Items), to-from)
	}
	for n, it := range s.Items[from:to] {
		out.Items[n].Marks = it.Marks
		if out.Frames[it.Image] == nil {
			for _, f := range s.frames[it.Image] {
				out.Frames[it.Image] = append(out.Frames[it.Image], frame{nameOf(f), f.Width, f.Height})
			}
		}
	}
	return out, each(ctx, s.source, s.Kind.Name, "captions", from, to, func(c Caption) error {
		out.Captions[c.Image] = append(out.Captions[c.Image], c)
		return nil
	})
}
