// Package web is the frame of all pages on which people decide on items of the lake, in a browser
// on the same machine. Its server answers only on that machine, and only the holder of its token.
// The package shows the pictures of the lake, and reserves items, so that two people do not work on
// the same item. A decision is on disk before the page says so, and can be undone. The package also
// has the pace of each person, and the style and the script for keyboard, picture and time.
//
// The package must not know what people decide on: no battles, no questions, no table of decisions
// and no benchmark. Each page is a package below this one. It defines its items, shows them with
// its own templates and makes rows of the decisions.
package web
