package site

import (
	"cmp"
	"html/template"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot/vg"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/sql"
)

// kinds are the provenances in the order in which people look at them: their own results first.
var kinds = []string{data.Together, data.ProvenanceMeasured, data.ProvenanceSimulated, data.ProvenancePublished}

// functions returns the functions that templates can call. root leads from a page to the site's
// folder.
func (s *Site) functions(root string) template.FuncMap {
	return template.FuncMap{
		"to":         func(path string) string { return root + path },
		"plain":      data.Plain,
		"version":    func() string { return data.Version },
		"kinds":      func() []string { return kinds },
		"stamp":      func(kind string) string { return strings.ToLower(report.Stamp(kind)) },
		"count":      humanize.Comma,
		"form":       form,
		"screen":     screenName,
		"counted":    counted,
		"benchmarks": data.Benchmarks,
		"marts":      func() []sql.Mart { return s.marts },
		"mart": func(name string) string { // the page of a mart; empty if the site has no such page
			if _, ok := s.all[martPath(name)]; ok {
				return root + martPath(name)
			}
			return ""
		},
		"shows": func(mart string) []report.Item { // the tables and figures that read a mart
			return s.where(func(i report.Item) bool {
				return i.Skipped == "" && i.Form != "page" && slices.Contains(i.Marts, mart)
			})
		},
		"note":  s.note,
		"nav":   func() []Link { return s.nav },
		"named": s.named,
		"made": func(form, benchmark string) []report.Item {
			return s.where(func(i report.Item) bool {
				return i.Form == form && i.Benchmark == benchmark && i.Skipped == ""
			})
		},
		"skipped": func(benchmark string) []report.Item {
			return s.where(func(i report.Item) bool { return i.Benchmark == benchmark && i.Skipped != "" })
		},
		"table": func(i report.Item) string { return root + tablePath(i) },
		// A column of names of captioners has links to their pages.
		"captioner": func(column, name string) string {
			if p := s.captioners[strings.TrimSuffix(name, data.Dagger)]; p != "" && strings.HasSuffix(column, "_name") {
				return root + p
			}
			return ""
		},
	}
}

func tablePath(i report.Item) string { return "tables/" + i.Name + "_" + i.Provenance + ".html" }

func martPath(name string) string { return "marts/" + name + ".html" }

// counted is a number of things in words, such as 1 image or 12 images.
func counted(n int, one string) string {
	if n != 1 {
		one += "s"
	}
	return humanize.Comma(int64(n)) + " " + one
}

// screenName is the file of a figure for a page of the site. variant is empty, -phone, -dark or
// -phone-dark.
func screenName(i report.Item, variant string) string {
	return "figures/screen/" + i.Name + "_" + i.Provenance + variant + ".svg"
}

// screens are the figures as pages of the site show them: as wide as a card or a phone, in light
// and in dark. A figure is drawn when its file is asked for.
func screens(items []report.Item) (out []report.File) {
	for _, i := range items {
		if i.Draw == nil {
			continue
		}
		for screen, width := range map[string]vg.Length{"": 430, "-phone": 240} {
			for _, look := range []string{"", "-dark"} {
				out = append(out, report.File{Name: screenName(i, screen+look), Make: func(w io.Writer) error {
					d, err := i.Draw(width)
					if err != nil {
						return err
					}
					if look != "" {
						d.Page.Look = []string{"dark"}
					}
					content, err := d.Encode("svg")
					if err == nil {
						_, err = w.Write(content)
					}
					return err
				}})
			}
		}
	}
	slices.SortFunc(out, func(x, y report.File) int { return strings.Compare(x.Name, y.Name) })
	return out
}

// form is the format of a file in words, such as LaTeX for a name that ends with .tex.
func form(name string) string {
	ending := strings.TrimPrefix(path.Ext(name), ".")
	return cmp.Or(map[string]string{"tex": "LaTeX", "md": "Markdown"}[ending], strings.ToUpper(ending))
}

var unsafe = regexp.MustCompile(`[^a-z0-9_.-]`)

// slug makes a text fit for the name of a file. If the text had to be changed, a digest tells it
// apart from other texts.
func slug(text string) string {
	out := strings.Trim(unsafe.ReplaceAllString(strings.ToLower(text), "-"), "-.")
	out = out[:min(len(out), 60)]
	if out == text {
		return out
	}
	return strings.Trim(out+"-"+data.Fingerprint(text)[:6], "-.")
}
