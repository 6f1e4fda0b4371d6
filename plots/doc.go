// Package plots draws the rows of a SELECT as the clauses of its file say, in one house style over gonum/plot.
//
// [FileFigure] makes a figure of a file of sql/figures or of a user's own: it reads the clauses (plots/ggsql), makes marks of the rows
// (chart.go), lays them out as rows of names, panels with two axes, a radar chart or cards (chart_layout.go, panel.go, radar.go, cards.go, direct.go)
// and draws them (marks.go). It refuses what cannot be drawn, and returns a [Drawing], which renders to SVG, PDF and PNG with bytes that
// depend on the rows alone.
//
// The package must not know where the rows come from: no SQL, no lake, no files but those it is told to write. It computes no
// statistics beyond what a drawing needs (a kernel density, quartiles of a box); means and intervals arrive as columns.
package plots
