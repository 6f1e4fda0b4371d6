// Package picture makes a foreign picture one that every model and every page reads alike: told by content, whole, upright,
// without metadata that could give its owner away, and with a hash by which pictures that look alike are found.
//
// It works on bytes. It knows nothing of files, folders, the lake or what pictures are for.
package picture
