// Package web has what every page needs on which people decide about items of the lake, in a browser on the same machine:
// a server that only that machine and only the holder of its token can use, the pictures of the lake, claims so that two
// people do not do the same item, decisions that are on disk before the page says so, undo, the pace of each person, and
// the style and scripts for keyboard, picture and time.
//
// It must not know what is decided: neither battles nor questions, no table of decisions, no benchmark. A page is a package
// below this one, which says what an item is, shows it with templates of its own and makes rows of the decisions.
package web
