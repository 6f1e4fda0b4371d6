package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/data/strictyaml"
	"github.com/captionlake/captionlake/plots"
)

// A Selection says which rows tables and figures show, and on what page. A field that is empty or
// nil chooses nothing.
type Selection struct {
	Captioners []string `yaml:"captioners" json:"captioners,omitempty"` // model_ids, in the order of tables and figures
	Prompts    []string `yaml:"prompts" json:"prompts,omitempty"`
	Domains    []string `yaml:"domains" json:"domains,omitempty"`
	// items that figures of examples show; their marts hold the items to choose from
	Images []string `yaml:"images" json:"images,omitempty"`
	Width  string   `yaml:"width" json:"width,omitempty"`   // of figures: a page's name, or a length with a unit
	Source *bool    `yaml:"source" json:"source,omitempty"` // false leaves out where the rows of figures come from
	// Title is the author's own title, and Caption replaces the subtitle. A title of false leaves
	// titles, subtitles and sources of figures to the caption of a paper.
	Title   string `yaml:"title" json:"title,omitempty"`
	Caption string `yaml:"caption" json:"caption,omitempty"`
	// Highlight are captioners that figures accent. In tables the names of these captioners are bold.
	Highlight []string `yaml:"highlight" json:"highlight,omitempty"`
	Columns   []string `yaml:"columns" json:"columns,omitempty"` // of tables, by their heads or names, in this order
	// a column by which the rows of each section are sorted, its best first
	Order    string `yaml:"order" json:"order,omitempty"`
	Decimals *int   `yaml:"decimals" json:"decimals,omitempty"` // of numbers in tables, except counts
	Best     string `yaml:"best" json:"best,omitempty"`         // one of bests
	// a captioner; tables mark numbers that differ significantly from the captioner's numbers
	Against string `yaml:"against" json:"against,omitempty"`
	Siunitx bool   `yaml:"siunitx" json:"siunitx,omitempty"` // numbers of LaTeX tables are in columns S
	// before the names in LaTeX labels, in place of tab: and fig:
	Label  string   `yaml:"label" json:"label,omitempty"`
	Panels []string `yaml:"panels" json:"panels,omitempty"` // of figures, in this order
	Height string   `yaml:"height" json:"height,omitempty"` // of figures at most, a length with a unit
	Look   []string `yaml:"look" json:"look,omitempty"`     // of plots.Looks
}

// Choices say what a report holds and how it looks. The zero value is the whole report. The author
// of a paper keeps the choices for the paper in a file.
type Choices struct {
	// names that captionlake show lists, names of single tables and figures, and paths of the author's
	// own files; in a name, * stands for any letters
	Only       []string `yaml:"only" json:"only,omitempty"`
	Provenance []string `yaml:"provenance" json:"provenance,omitempty"`
	Formats    []string `yaml:"formats" json:"formats,omitempty"` // of Formats
	Selection  `yaml:",inline"`
	// the choices for single tables and figures, by name
	Each map[string]Selection `yaml:"each" json:"each,omitempty"`
	// to print, by model_id; of readers and judges, too
	Names plots.Names `yaml:"names" json:"names,omitempty"`
	Font  string      `yaml:"font" json:"font,omitempty"` // one of plots.Typefaces
	Out   string      `yaml:"out" json:"-"`               // folder to write the report into

	place func(at string) string // where a choice was made in the file; nil if flags made the choices
}

// Formats lists the forms of figures and of tables.
func Formats() []string { return append(slices.Clone(plots.Formats), "tex", "md", "csv") }

// maxChoices bounds a file of choices in bytes.
const maxChoices = 1 << 20

// ReadChoices reads a file of choices. Relative paths in the file, of the output folder and of the
// author's own files, begin at the folder of the file.
func ReadChoices(name string) (Choices, error) {
	var c Choices
	content, err := data.ReadInput(name, maxChoices)
	if err != nil {
		return c, err
	}
	document, err := strictyaml.Read(name, content, maxChoices, &c)
	if err != nil {
		return c, data.WithHint(err, "compare with the example in plots/README.md")
	}
	c.place = document.Place
	for _, path := range append(c.own(), &c.Out) {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(filepath.Dir(name), *path)
		}
	}
	return c, nil
}

// own returns the author's files among the chosen names, as pointers, so that ReadChoices can
// change the paths.
func (c Choices) own() (files []*string) {
	for i, name := range c.Only {
		if filepath.Ext(name) == ".sql" {
			files = append(files, &c.Only[i])
		}
	}
	return files
}

// For are the choices for one table or figure alone.
func (c Choices) For(name string) Choices {
	c.Selection, c.Each = c.of(name), nil
	return c
}

// With returns the selection with the choices of another selection. A choice of the other selection
// replaces the choice of this one.
func (s Selection) With(over Selection) Selection {
	from, to := reflect.ValueOf(over), reflect.ValueOf(&s).Elem()
	for i := range from.NumField() {
		if !from.Field(i).IsZero() {
			to.Field(i).Set(from.Field(i))
		}
	}
	return s
}

// bests are the ways to show the best values of a column: bold, beside an underlined second best,
// or not at all.
var bests = []string{"bold", "second", "none"}

// Whole reports whether nothing is chosen. The output folder is no choice of contents.
func (c Choices) Whole() bool {
	c.place, c.Out = nil, ""
	return reflect.ValueOf(c).IsZero()
}

// of returns the selection for a table or figure.
func (c Choices) of(name string) Selection { return c.With(c.Each[name]) }

// shows reports whether a table or figure is chosen by one of its names.
func (c Choices) shows(names ...string) bool {
	return len(c.Only) == 0 || slices.ContainsFunc(c.Only, func(pattern string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			// The path of an own file can have characters that a pattern reads in another way, such as [.
			ok, err := path.Match(pattern, name)
			return ok && err == nil || pattern == name
		})
	})
}

// in reports whether a format, or one kind of rows, is chosen.
func in(chosen []string, one string) bool { return len(chosen) == 0 || slices.Contains(chosen, one) }

// mostListed is how many known names a message lists.
const mostListed = 12

// page returns the page that figures are drawn on.
func (s Selection) page() (plots.Page, error) {
	page, err := plots.PageOf(s.Width)
	if err == nil && s.Height != "" {
		if page.Height, err = vg.ParseLength(s.Height); err != nil || page.Height < vg.Inch {
			return page, fmt.Errorf("a height is a number with a unit, one inch or more, such as 2.5in or 60mm, not %q",
				s.Height)
		}
		page.Height /= vg.Length(cmp.Or(page.Scale, 1)) // Scale enlarges the whole page again; 0 is 1.
	}
	page.Bare, page.Highlight, page.Look, page.Panels = s.Title == "false", s.Highlight, s.Look, s.Panels
	return page, err
}

// held lists the names that a lake has. Choices may use only these names.
type held struct {
	items []string            // tables and figures
	of    map[string][]string // by column; the empty column has ids of models and all texts of figures
	// the lists are of one table or figure alone, but a file of choices may name captioners, prompts
	// and so on that only other tables show
	part bool
}

// check returns all faults of the choices, each with its place.
func (c Choices) check(lake held) error {
	var faults []error
	// fault adds a fault of the choice at a place of the file, such as each.scores.prompts, or of a
	// flag.
	fault := func(at, format string, args ...any) {
		// Without a file, the place is a flag: --captioner for captioners[1].
		place, _, _ := strings.Cut("--"+strings.Replace(at, "captioners", "captioner", 1), "[")
		if c.place != nil {
			place = c.place(at)
		}
		faults = append(faults, fmt.Errorf("%s: %s", place, fmt.Sprintf(format, args...)))
	}
	// known adds a fault for each value that is not known.
	known := func(at, what string, values, known []string) {
		for i, v := range values {
			place := at
			if len(values) > 1 {
				place = fmt.Sprintf("%s[%d]", at, i)
			}
			all := "known are: " + strings.Join(known, ", ")
			if len(known) > mostListed {
				all = fmt.Sprintf("the %d that are known begin with %s", len(known), strings.Join(known[:mostListed], ", "))
			}
			if v != "" && !slices.Contains(known, v) {
				fault(place, "there is no %s %q; %s", what, v, spelling.Meant(all, known, v))
			}
		}
	}
	for i, pattern := range c.Only {
		one := Choices{Only: []string{pattern}}
		if !slices.ContainsFunc(lake.items, func(name string) bool { return one.shows(name) }) {
			known(fmt.Sprintf("only[%d]", i), "table or figure", []string{pattern}, lake.items)
		}
	}
	known("provenance", "kind of rows", c.Provenance, data.Provenances())
	if len(c.Provenance) > 1 && slices.Contains(c.Provenance, data.ProvenanceSimulated) {
		fault("provenance", "simulated rows stand alone; choose simulated, or %s and %s", data.ProvenancePublished,
			data.ProvenanceMeasured)
	}
	known("formats", "format", c.Formats, Formats())
	known("font", "typeface", []string{c.Font}, plots.Typefaces)
	selection := func(at string, s Selection) {
		if !lake.part {
			known(at+"captioners", "captioner", s.Captioners, lake.of["captioner"])
			known(at+"prompts", "prompt", s.Prompts, lake.of["prompt"])
			known(at+"domains", "domain", s.Domains, lake.of["domain"])
			known(at+"images", "image among the examples", s.Images, lake.of["image_id"])
			known(at+"highlight", "captioner", s.Highlight, lake.of["captioner"])
		}
		known(at+"look", "look", s.Look, plots.Looks)
		if len(lake.of["captioner"]) > 0 { // A table without captioners has nothing to compare.
			known(at+"against", "captioner", []string{s.Against}, lake.of["captioner"])
		}
		known(at+"best", "way to show the best", []string{s.Best}, bests)
		if s.Decimals != nil && (*s.Decimals < 0 || *s.Decimals > 6) {
			fault(at+"decimals", "%d digits are out of range; choose 0 to 6", *s.Decimals)
		}
		if _, err := s.page(); err != nil {
			fault(at+"width", "%v", err)
		}
	}
	selection("", c.Selection)
	for _, name := range slices.Sorted(maps.Keys(c.Each)) {
		known("each."+name, "table or figure", []string{name}, lake.items)
		selection("each."+name+".", c.Each[name])
	}
	owner := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(c.Names)) {
		if lake.part { // Names may be of models that only other tables show.
			break
		}
		known("names", "model, and nothing else that figures show, called", []string{id}, lake.of[""])
		switch name := c.Names[id]; {
		case oneLine(name) == "":
			fault("names", "%s has an empty name", id)
		case owner[name] != "":
			fault("names", "%s and %s are both called %q", owner[name], id, name)
		default:
			owner[name] = id
		}
	}
	return errors.Join(faults...)
}
