// Package captionqa holds the CaptionQA question-answering protocol as pure functions: the order in
// which options are presented, the prompts, the reading of replies, and the scores.
//
// The protocol "captionqa/upstream" reproduces the authors' published evaluation code together with
// its quirks, so that published scores can be compared with new ones. ReadStrict reads the same
// replies with a parser of our own that accepts nothing doubtful, so that the mart parser_agreement
// can count the replies in which only the published parser finds a choice.
//
// The package must not know tables, files or model servers. It takes strings and numbers and
// returns strings and numbers. All text that the package reads is untrusted, and no text makes a
// function panic.
package captionqa

// Names of the protocols by which a question is asked, a reply read and an answer scored. Each row
// of the table answers has the name of one protocol.
const (
	// ProtocolUpstream is the protocol as published by the authors' evaluation code (CaptionQA
	// sections 3.4 and 3.5): free decoding of at most MaxTokens tokens and the reader
	// ParseUpstream.
	ProtocolUpstream = "captionqa/upstream"

	// ProtocolConstrained asks a server that restricts decoding to the letters of the presented
	// options. This protocol is ours.
	ProtocolConstrained = "captionqa/constrained"

	// ProtocolProbabilities reads the probability of each presented letter instead of one sampled
	// letter. This protocol is ours.
	ProtocolProbabilities = "captionqa/probabilities"

	// ProtocolWithoutCannot asks as ProtocolUpstream does, but without the cannot option: the
	// reader has to choose, as in other multiple-choice benchmarks. Replies are read with ParseStrict.
	// This protocol is ours.
	ProtocolWithoutCannot = "captionqa/without-cannot"
)
