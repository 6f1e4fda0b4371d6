// Package plots draws the rows of a SELECT as the clauses of its file say, in one house style over
// gonum/plot.
//
// [Draw] makes a figure of a file of sql/figures or of a user's own file. Draw reads the
// clauses (plots/ggsql) and makes marks of the rows (chart.go). Draw lays the marks out as a chart
// with named rows, as panels with two axes or as a radar chart (chart_layout.go, panel.go,
// radar.go, direct.go), and draws the marks (marks.go). Rows with pictures become cards (cards.go).
// Draw refuses rows and clauses that cannot be drawn. Draw returns a [Drawing], which renders to
// SVG, PDF and PNG. Equal rows, clauses and pages give equal bytes.
//
// The package must not know where the rows come from. The package runs no SQL, and opens no lake
// and no files. It computes only the statistics that a drawing needs (a kernel density, quartiles
// of a box, a line of least squares). Other means and intervals arrive as columns.
package plots
