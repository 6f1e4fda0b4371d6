// Package query is a page on which people ask a lake in SQL, in a browser on the same machine. Each query runs in a process of its own, which
// is ended when its time is up, when it takes too much memory or when nobody waits for it any more; queries that nothing was wrong with are
// answered one after another by the same process.
//
// It must not know what SQL is: the command that serves the page says how a process is started, and the process how a query is answered. A
// query is run only by a form of the page itself, never by an address: a link that leads here shows its query and waits.
package query
