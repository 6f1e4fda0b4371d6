// Package turns serves the pages on which people decide, such as stages/web/review, beside pages that only read. One process at a time writes
// to a lake, so a page that people decide on is open only from when somebody begins until somebody ends, or nobody has done anything for a
// while; then its decisions become rows, and others may write again.
//
// It must not know what is decided: the pages are given to it.
package turns
