// Package web is the frame of all pages on which people decide on items of the lake, in a browser
// on the same machine. It has a server that only that machine and only the holder of its token can
// use, the pictures of the lake, and claims, so that two people do not work on the same item. It
// also has decisions that are on disk before the page says so, undo, the pace of each person, and
// the style and scripts for keyboard, picture and time.
//
// The package must not know what people decide on: no battles, no questions, no table of decisions
// and no benchmark. Each page is a package below this one. It defines its items, shows them with
// its own templates and makes rows of the decisions.
package web
