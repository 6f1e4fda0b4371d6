// Package samples makes the data of the sample viewer: what a page needs to filter every question, rubric element and battle of a lake by how
// each model did, and to show one with its picture, its captions and every reply. They are scripts that a page loads as it needs them, so
// that it opens from a disk and fetches nothing: a small index and the outcomes of one condition at a time for filtering, and shards of
// a few pictures with all texts.
//
// The same files are written into a folder or made when a server is asked for one. Rows come from a [Source]; the package must not know of
// SQL or of the lake's files. Texts are JSON in these scripts and nothing else: the page shows them as text.
package samples
