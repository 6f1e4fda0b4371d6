// Package build runs the SQL models over the lake. It builds each as a mart when its inputs have
// changed, checks the result against its header and its audits, and writes the DuckDB file with
// views and comments. It also says which marts are behind their tables and which rows count in no
// result.
//
// It must not know of foreign file formats, of language models or of drawings. It knows no
// particular SQL model either: the content of a mart is described in package sql alone.
package build
