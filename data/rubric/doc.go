// Package rubric is the method that CAPability and CV-CapBench share: thirteen dimensions of a caption, and the rules by
// which a judge's reply about one annotated visual element becomes a verdict; the SQL models make figures of verdicts. The
// two papers describe it in two versions; here it is one engine with two metric protocols.
//
// Everything in it is data or a pure function. It must not know of files, of tables, of language models or of how a
// reply was got.
package rubric
