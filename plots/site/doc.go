// Package site makes the pages that people read results on: an overview, a page for each benchmark, model and mart, the figures, the audit
// of what papers print, and where every number comes from. They are files that open from a disk and fetch nothing from elsewhere, or are
// served as they are.
//
// Each kind of page is a [Page] value in a file of its own, with a template that only it uses; their one list is pages. Rows come from a
// [Source], tables and figures from package report; the package must not know of SQL, of DuckDB or of the lake's files. Nothing here
// compares names of benchmarks: what they have is said in package data.
//
// Texts of the lake are not to be trusted. They are escaped by html/template or written as JSON; scripts put them on a page as text, and
// the content security policy of every page keeps them from anything else. Equal rows give equal bytes.
package site
