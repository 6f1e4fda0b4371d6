// Package query is a page on which people ask a lake in SQL, in a browser on the same machine. A few queries run at a time; each ends when its
// time is up or when nobody waits for it any more.
//
// It must not know what SQL is: the command that serves the page answers. A query is run only by a form of the page itself, never by an
// address: a link that leads here shows its query and waits.
package query
