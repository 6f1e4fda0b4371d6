// Package turns serves the pages on which people decide, such as stages/web/review, beside pages that only read. One process at a time has
// the decisions of a page, so a page is open only from when somebody begins until somebody ends, or nobody has done anything for a while;
// then its decisions become rows, and another process may serve it.
//
// It must not know what is decided: the pages are given to it.
package turns
