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

// A shard of texts has at least so many samples and pictures, where there are so many.
const (
	shardItems  = 150
	shardImages = 6
)

// A Set holds the samples of one kind.
type Set struct {
	Kind       Kind
	Conditions []Condition
	Items      []Item

	source Source
	came   [][]byte // by condition, a digit for each sample
	starts []int    // of shards, by place of the first sample
	frames map[string][]data.Image
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
		// whose name is made of digest and format alone
		if !noPictures && data.IsPicture(nameOf(f)) && data.PictureTypes[f.Format] != "" {
			byImage[f.ImageID] = append(byImage[f.ImageID], f)
		}
	}
	var sets []*Set
	used := map[string]bool{}
	for _, k := range Kinds() {
		s := &Set{Kind: k, source: source, frames: byImage}
		if err := s.load(ctx); err != nil {
			return nil, nil, fmt.Errorf("samples %s: %w", k.Name, err)
		}
		if len(s.Items) == 0 {
			continue
		}
		sets = append(sets, s)
		files = append(files, s.files(ctx)...)
		for _, it := range s.Items {
			for _, f := range byImage[it.Image] {
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

func (s *Set) load(ctx context.Context) (err error) {
	if err := each(ctx, s.source, s.Kind.Name, "conditions", 0, 0, func(c Condition) error {
		s.Conditions = append(s.Conditions, c)
		return nil
	}); err != nil {
		return err
	}
	images := 0
	if err := each(ctx, s.source, s.Kind.Name, "items", 0, 0, func(it Item) error {
		if len(it.Facets) != len(s.Kind.Facets) || len(it.Marks)%markWidth != 0 {
			return fmt.Errorf("%s has %d facets and %d characters of marks", it.ID, len(it.Facets), len(it.Marks))
		}
		// A mark begins with its condition, so sorted marks are in the order of the conditions.
		marks := slices.SortedFunc(slices.Chunk([]byte(it.Marks), markWidth), bytes.Compare)
		it.Marks = string(bytes.Join(marks, nil))
		n := len(s.Items)
		switch {
		case n == 0:
			s.starts, images = []int{0}, 1
		case s.Items[n-1].Image != it.Image:
			if images >= shardImages && n-s.starts[len(s.starts)-1] >= shardItems {
				s.starts, images = append(s.starts, n), 0
			}
			images++
		}
		s.Items = append(s.Items, it)
		return nil
	}); err != nil {
		return err
	}
	s.came = make([][]byte, len(s.Conditions))
	for c := range s.came {
		s.came[c] = bytes.Repeat([]byte{'0'}, len(s.Items))
	}
	for i, it := range s.Items {
		for mark := range slices.Chunk([]byte(it.Marks), markWidth) {
			c, err := strconv.ParseUint(string(mark[:3]), 36, 32)
			outcome := int(mark[3]) - '0'
			if err != nil || int(c) >= len(s.Conditions) || outcome < 1 || outcome >= len(s.Kind.Outcomes) {
				return fmt.Errorf("%s has a mark %q: condition or outcome is not there", it.ID, mark)
			}
			s.came[c][i] = mark[3]
			s.Conditions[c].N++
			if outcome == 1 {
				s.Conditions[c].Good++
			}
		}
	}
	return nil
}

// disputed is the sample about which the main conditions disagree most: as many were good as not.
func (s *Set) disputed() (place int) {
	most := 0
	for i := range s.Items {
		good, bad := 0, 0
		for c, condition := range s.Conditions {
			switch {
			case !condition.Main || s.came[c][i] == '0':
			case s.came[c][i] == '1':
				good++
			default:
				bad++
			}
		}
		if least := min(good, bad); least > most {
			most, place = least, i
		}
	}
	return place
}

// markWidth is how many characters a mark has, as Item.Marks says.
const markWidth = 5

// index holds the data that the page needs to filter samples.
type index struct {
	Kind       Kind        `json:"kind"`
	Conditions []Condition `json:"conditions"`
	IDs        string      `json:"ids"` // one to a line, without the image that they begin with
	Images     []string    `json:"images"`
	Firsts     []int       `json:"firsts"` // of each image, its first sample
	Facets     []facet     `json:"facets"`
	Shards     []int       `json:"shards"` // of each shard, its first sample
	First      int         `json:"first"`  // the sample that the conditions shown first disagree about most
}

// facet is a column of few values.
type facet struct {
	Values []string `json:"values"`
	Codes  []int    `json:"codes"`
}

func (s *Set) index() index {
	x := index{Kind: s.Kind, Conditions: s.Conditions, Shards: s.starts, First: s.disputed()}
	var ids []string
	codes := make([]map[string]int, len(s.Kind.Facets))
	x.Facets = make([]facet, len(codes))
	for i, it := range s.Items {
		if i == 0 || s.Items[i-1].Image != it.Image {
			x.Images, x.Firsts = append(x.Images, it.Image), append(x.Firsts, i)
		}
		id := strings.ReplaceAll(it.ID, "\n", " ")
		if rest, ok := strings.CutPrefix(id, it.Image+"/"); ok {
			id = "/" + rest
		} else {
			id = "=" + id
		}
		ids = append(ids, id)
		for f, value := range it.Facets {
			if codes[f] == nil {
				codes[f] = map[string]int{}
			}
			code, known := codes[f][value]
			if !known {
				code = len(x.Facets[f].Values)
				codes[f][value], x.Facets[f].Values = code, append(x.Facets[f].Values, value)
			}
			x.Facets[f].Codes = append(x.Facets[f].Codes, code)
		}
	}
	x.IDs = strings.Join(ids, "\n")
	return x
}

// files lists the files of a set.
func (s *Set) files(ctx context.Context) []report.File {
	folder := Folder + s.Kind.Name + "/"
	out := []report.File{
		script(folder+"index.js", func() (any, error) { return s.index(), nil }),
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
			script(fmt.Sprintf("%soutcomes-%d.js", folder, c), func() (any, error) { return string(s.came[c]), nil }))
	}
	for i := range s.starts {
		out = append(out,
			script(fmt.Sprintf("%stexts-%d.js", folder, i), func() (any, error) { return s.shard(ctx, i) }))
	}
	return out
}

// turning is what turns the direction of writing. It is escaped for whoever opens a file in an editor.
var turning = regexp.MustCompile("[\u202a-\u202e\u2066-\u2069]")

// script returns a file that hands a value to the page. In the file, text is escaped if a browser
// would take it for markup or for the end of a line.
func script(name string, value func() (any, error)) report.File {
	return report.File{Name: name, Make: func(w io.Writer) error {
		v, err := value()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		content, err := json.Marshal(v) // which escapes <, >, & and the separators of lines
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

type frame struct {
	File   string `json:"file"`
	Width  int32  `json:"width,omitempty"`
	Height int32  `json:"height,omitempty"`
}

func (s *Set) shard(ctx context.Context, i int) (shard, error) {
	from, to := s.starts[i], len(s.Items)
	if i+1 < len(s.starts) {
		to = s.starts[i+1]
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
