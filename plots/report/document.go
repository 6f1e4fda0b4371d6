package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// documentName is the LaTeX document that shows every table and figure of the report.
const documentName = "report.tex"

// document is a LaTeX document with every table and figure of the report on large pages. It is for
// a look at them. It also lists everything that a paper needs to take some of them over. pdfLaTeX
// knows few scripts besides the Latin one. It sets an unknown character as a question mark, as
// figures do. LuaLaTeX and XeLaTeX set such a character as it is.
func (r *Report) document() []byte {
	var body strings.Builder
	foreign := map[rune]bool{}
	for _, f := range r.files {
		if !strings.HasSuffix(f.Name, ".tex") {
			continue
		}
		fmt.Fprintf(&body, "\\input{%s}\\clearpage\n", f.Name)
		for _, c := range string(f.Content) {
			if c > lastLatin && c != utf8.RuneError {
				foreign[c] = true
			}
		}
	}
	var b strings.Builder
	b.WriteString(`% Every table and figure of this report. Set it in the report's folder, twice: pdflatex report.tex
% Names in other scripts than Latin need lualatex or xelatex, and a font that has them.
\documentclass{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \newcommand\unlessknown[2]{\expandafter\ifx\csname u8:\detokenize{#2}\endcsname\relax\DeclareUnicodeCharacter{#1}{?}\fi}
`)
	for _, c := range slices.Sorted(maps.Keys(foreign)) {
		fmt.Fprintf(&b, "  \\unlessknown{%04X}{%c}\n", c, c)
	}
	b.WriteString(`\else
  \usepackage{fontspec}
\fi
\usepackage[a3paper,landscape,margin=2cm]{geometry}
\usepackage{array,booktabs,graphicx,longtable}
\IfFileExists{siunitx.sty}{\usepackage{siunitx}}{}
\begin{document}
`)
	b.WriteString(body.String())
	b.WriteString("\\end{document}\n")
	return []byte(b.String())
}

// lastLatin is the end of the Latin characters that T1 fonts have.
const lastLatin = 0x17f
