// Package arena is the protocol of CapArena ("Benchmarking and Analyzing Detailed Image Captioning
// in the LLM Era") as pure functions: the guidelines for people and judges, the reading of judges'
// replies, the order in which the two captions of a battle are shown, the choice of battles, and
// the ids of battles.
//
// It must not know of tables, files, servers or statistics. README.md says what the paper leaves
// open and what we do instead.
package arena

// Protocols of votes.
const (
	ProtocolVote            = "caparena/vote"             // by people, with Guidelines
	ProtocolMetric          = "caparena/metric"           // by comparing two scores
	ProtocolBattle          = "caparena/battle"           // by a model that sees the picture and the two captions
	ProtocolBattleReference = "caparena/battle-reference" // by a model that gets the human caption too
)

// Protocols lists the protocols; the protocol of people comes first.
func Protocols() []string {
	return []string{ProtocolVote, ProtocolMetric, ProtocolBattle, ProtocolBattleReference}
}

// Human is the captioner of the descriptions that people wrote (section 3.2), and the judge of
// released votes by people.
const Human = "human"

// People is the judge that combines all people in the marts. It is also the judge of published
// votes without named annotators.
const People = "people"

// Kinds of judges.
const (
	JudgeHuman  = "human"
	JudgeMetric = "metric"
	JudgeModel  = "model"
)

// Outcomes of a battle. a and b are the captions of the battle, whichever was shown first.
const (
	WinnerA        = "a"
	WinnerB        = "b"
	WinnerTie      = "tie"
	WinnerSkipped  = "skipped"  // an annotator skipped the battle
	WinnerUnparsed = "unparsed" // the judge's reply cannot be read
	WinnerFailed   = "failed"   // there is no reply
)
