// Package plots draws the figures of the four benchmarks in one house style over gonum/plot.
//
// A figure is a function of tables: it reads columns of marts through [Tables], refuses what cannot be drawn (no rows, NULL or NaN where
// a number is needed), and returns a [Drawing], which renders to SVG, PDF and PNG with bytes that depend on the rows alone. Plotters that
// gonum/plot does not have as the papers draw them (radar, violin, grouped stacks, dot plots with intervals, lines with bands and direct labels,
// labelled scatter, heat maps) are in files of their own, plotter_*.go; figures are in figure_*.go and listed in [Figures].
//
// The package must not know where the rows come from: no SQL, no lake, no files but those it is told to write. It computes no
// statistics beyond what a drawing needs (a kernel density, quartiles of a box); means and intervals arrive as columns.
package plots
