// Package samples makes the data of the sample viewer. The viewer is a page that filters every
// question, rubric element and battle of a lake by the result of each model, and shows one of them
// with its picture, its captions and every reply.
//
// The data are scripts that a page loads when it needs them,
// so that the page opens from a disk and fetches nothing: a small index, the outcomes of one
// condition at a time for filtering, and shards of a few pictures with all texts.
//
// The same files are written into a folder, or made when a server is asked for one of them. Rows
// come from a [Source]; the package must not know of SQL or of the lake's files. Texts are JSON in
// these scripts and nothing else: the page shows them as text.
package samples
