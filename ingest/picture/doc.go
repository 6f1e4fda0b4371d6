// Package picture prepares a foreign picture so that every model and page reads it alike:
// recognised by content, whole, upright, without metadata that could identify its owner, and with a
// hash that finds similar pictures.
//
// The package works on bytes. It knows nothing of files, folders, the lake or the use of pictures.
package picture
