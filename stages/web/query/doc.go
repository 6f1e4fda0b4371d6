// Package query is a page on which people ask a lake in SQL, in a browser on the same machine. A
// few queries run at a time. Each query ends when its time is up or when nobody waits for its rows.
//
// The package must not know SQL: the command that serves the page answers the queries. A link to a
// query shows the query, and only a form of the page itself runs one.
package query
