// Command captionlake evaluates image captions over a lake of Parquet tables.
//
// This package turns flags into one call of a package below it and the result into text. It must
// hold no logic of its own: what a command does lives in ingest, stages, analytics and plots.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
