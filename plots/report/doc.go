// Package report makes the folder that a paper is written from: its tables as Markdown, LaTeX and
// CSV, its figures as SVG, PDF and PNG, and a list that says from which rows each table or figure
// came. Package site makes the pages around the tables and figures.
//
// Rows come from a [Source], which reads marts by name and runs the SELECTs of package sql; the
// package must not know of DuckDB or of the lake's files. Each kind of rows (published, measured,
// simulated) has tables and figures of its own, with the kind in the names of their files.
// Published and measured rows stand together if the author chooses both kinds, and on the boards of
// the site. Simulated rows always stand alone.
//
// Names of models, categories and questions are not to be trusted: every form escapes such names in
// its own way. Equal rows give equal bytes.
package report
