// Package analytics runs the SQL models over the lake and answers SQL questions about it: it reads the models' headers,
// orders them by their inputs, builds each as a mart with DuckDB, checks the result against its header and its audits,
// writes the DuckDB file with views and comments, and runs queries that reach the lake's files and nothing else.
//
// It must not know of foreign file formats, of language models or of drawings. It knows no particular model either:
// what a mart holds is said in package sql alone.
package build
