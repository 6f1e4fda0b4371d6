package report

import (
	"maps"
	"slices"
	"strings"
)

// documentName is the LaTeX document that shows every table and figure of the report.
const documentName = "report.tex"

// document is a LaTeX document that shows every table and figure of the report on large pages. The
// first lines of the document also tell an author which packages a paper with such tables and
// figures needs.
//
// pdfLaTeX knows few scripts besides the Latin one. The template gets all other characters of the
// report as Foreign, and tells pdfLaTeX to set each unknown one as a question mark, as figures do.
// LuaLaTeX and XeLaTeX set such a character as it is.
func (r *Report) document() (string, error) {
	var names []string
	foreign := map[rune]bool{}
	for _, f := range r.Files {
		if !strings.HasSuffix(f.Name, ".tex") {
			continue
		}
		names = append(names, f.Name)
		for _, c := range string(f.Content) {
			if c > lastLatin {
				foreign[c] = true
			}
		}
	}
	return fill(documentName, map[string]any{"Names": names, "Foreign": slices.Sorted(maps.Keys(foreign))})
}

// lastLatin is the end of the Latin characters that T1 fonts have.
const lastLatin = 0x17f
