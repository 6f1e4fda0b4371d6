// Package bank makes a bank of questions of the candidates that the construction track left (CaptionQA section 4.4): it publishes them, draws
// samples of them for people to check, and writes them to files.
//
// What becomes of one candidate is construct.Final. The package asks no model and knows no page.
package bank
