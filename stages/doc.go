// Package stages holds the steps that ask language models: one file for each stage. A stage reads tables and writes
// tables; it plans requests, and the engine of this package asks them, keeps every reply in the journal and records
// them as calls. Parsing and scoring are stages of their own, which ask nothing.
//
// It must not know of foreign file formats, SQL or drawings, and no stage calls another: the lake is what they share.
package stages
