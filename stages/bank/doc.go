// Package bank makes a bank of questions from the candidates that the construction track kept
// (CaptionQA section 4.4). It publishes the questions, draws samples for people to check, and
// writes the bank to files.
//
// construct.Final decides about one candidate. The package asks no model and shows nothing to
// people.
package bank
