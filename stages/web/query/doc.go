// Package query is a page on which people ask a lake in SQL, in a browser on the same machine. A
// few queries run at a time. Each ends when its time is up or when nobody waits for it.
//
// It must not know SQL: the command that serves the page answers. Only a form of the page itself
// runs a query, never an address: a link shows its query and waits.
package query
