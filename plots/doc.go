// Package plots draws the rows of a SELECT as the clauses of its file say, in one house style over
// gonum/plot.
//
// [Draw] makes a figure of a file of sql/figures or of a user's own file. It reads the
// clauses (plots/ggsql) and makes marks of the rows (chart.go). Draw lays the marks out as a chart
// with named rows, as panels with two axes or as a radar chart (chart_layout.go, panel.go,
// radar.go, direct.go), and draws the marks (marks.go). Rows with pictures become cards (cards.go).
// Draw refuses rows and clauses that cannot be drawn. Draw returns a [Drawing], which renders to
// SVG, PDF and PNG. Equal rows, clauses and pages give equal bytes.
//
// The package must not know where the rows come from: no SQL, no lake, and no files except the
// files that it is told to write. It computes no statistics beyond the needs of a drawing (a
// kernel density, quartiles of a box); means and intervals arrive as columns.
package plots
