// Package plots draws the rows of a SELECT as the clauses of its file say, in one house style over
// gonum/plot.
//
// [Draw] makes a figure of a file of sql/figures or of a user's own file. It reads the
// clauses (plots/ggsql) and makes marks of the rows (chart.go). It lays the marks out as rows of
// names, panels with two axes, a radar chart or cards (chart_layout.go, panel.go, radar.go,
// cards.go, direct.go), and draws them (marks.go). It refuses rows and clauses that cannot be
// drawn. It returns a [Drawing]. A Drawing renders to SVG, PDF and PNG, and its bytes depend on the
// rows alone.
//
// The package must not know where the rows come from: no SQL, no lake, and no files except the
// files that it is told to write. It computes no statistics beyond the needs of a drawing (a
// kernel density, quartiles of a box); means and intervals arrive as columns.
package plots
