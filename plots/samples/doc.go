// Package samples makes the data of the sample viewer. The viewer is a page that filters every
// question, rubric element and battle of a lake by the result of each model, and shows one of them
// with its picture, its captions and every reply.
//
// The data are scripts that a page loads when the page needs them, so that the page opens from a
// disk and fetches nothing. The scripts are a small index, the titles, the outcomes of each
// condition for filtering, and shards: scripts with all texts of a few pictures.
//
// The same files are written into a folder, or made when a server is asked for one of them. Rows
// come from a [Source]; the package must not know of SQL or of the lake's files. Texts are JSON in
// these scripts and nothing else: the page shows them as text.
package samples
