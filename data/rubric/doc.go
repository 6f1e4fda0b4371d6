// Package rubric is the method that CAPability and CV-CapBench share: thirteen dimensions of a
// caption, and the rules that turn a judge's reply about one annotated visual element into a
// verdict. The SQL models compute figures from verdicts. The two papers describe two versions of
// the method; this package is one engine with two metric protocols.
//
// Everything in it is data or a pure function. It must not know of files, of tables, of language
// models or of the way in which a reply was obtained.
package rubric
