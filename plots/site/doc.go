// Package site makes the pages that people read results on: an overview, a page for each benchmark,
// captioner and mart, the figures, the audit of the numbers that papers print, and the origin of
// every number. The pages are files that open from a disk and fetch nothing from elsewhere. A
// server can also serve these files as they are.
//
// A page is a template over the tables, figures and rows of package report. These rows come from
// the files in sql/tables, sql/figures and sql/pages: nothing is computed here. The package must
// not know of SQL, of DuckDB or of the lake's files.
//
// Texts of the lake are not to be trusted. They are escaped by html/template or written as JSON.
// Scripts put texts on a page as text. The content security policy of every page keeps a browser
// from running a text as a script. Equal rows give equal bytes.
package site
