package construct

import (
	"cmp"
	"slices"
	"time"
)

// Decisions of a reviewer, as tables have them.
const (
	DecisionKeep = "keep" // right as it is
	DecisionFix  = "fix"  // right after a change of its question, options or key
	DecisionDrop = "drop" // cannot be made right
)

// An Item is a question with its options and the position of its key among them, from 0.
type Item struct {
	Question string
	Options  []string
	Answer   int
}

// A Decision is one person's decision on one candidate (CaptionQA section 4.4).
type Decision struct {
	Reviewer string
	Decision string
	Question string    // question after a fix; empty if unchanged
	Options  []string  // options after a fix; empty if unchanged
	Answer   *int      // key after a fix, from 0; nil if unchanged
	At       time.Time // when it was made; zero if unknown, which counts as before all others
}

// Reasons why a candidate is not published, besides the reasons of Malformed, which apply to a
// fixed question.
const (
	NotRouted   = "not_routed"   // no validators have decided on it, and no person
	NotReviewed = "not_reviewed" // the validators sent it to people, and no person decided
	Dropped     = "dropped"      // a person dropped it
	Undecided   = "undecided"    // the latest decision of a person is not one of the Decision constants
)

// Latest is the decision that counts: the latest one, and among decisions at the same time the
// decision of the reviewer with the last name. It is false without decisions.
func Latest(decisions []Decision) (latest Decision, decided bool) {
	if len(decisions) == 0 {
		return Decision{}, false
	}
	return slices.MaxFunc(decisions,
		func(a, b Decision) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Reviewer, b.Reviewer)) }), true
}

// Final returns a candidate's question as it is published, or the reason why it is not. The Latest
// decision of a person outranks the route: keep and fix publish, drop does not. Without a decision,
// the question is published if all validators chose the key. A candidate that does not represent
// its group of duplicates has the empty route.
func Final(written Item, route string, decisions []Decision) (final Item, reason string) {
	latest, decided := Latest(decisions)
	switch {
	case !decided && route == RouteAccept:
		return written, ""
	case !decided && route == "":
		return written, NotRouted
	case !decided:
		return written, NotReviewed
	}
	switch latest.Decision {
	case DecisionKeep:
		return written, ""
	case DecisionDrop:
		return written, Dropped
	case DecisionFix:
		final = written
		if latest.Question != "" {
			final.Question = latest.Question
		}
		if len(latest.Options) > 0 {
			final.Options = latest.Options
		}
		if latest.Answer != nil {
			final.Answer = *latest.Answer
		}
		return final, Malformed(final.Question, final.Options, final.Answer)
	}
	return written, Undecided
}
