package construct

import (
	"cmp"
	"slices"
	"time"
)

// Decisions of a reviewer, as tables have them.
const (
	DecisionKeep = "keep" // the candidate is right as it is
	DecisionFix  = "fix"  // the candidate is right after a change of its question, options or key
	DecisionDrop = "drop" // the candidate cannot be made right
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
	Answer   *int      // position of the key after a fix, from 0; nil if unchanged
	At       time.Time // when the person decided; zero if unknown, which counts as before all known times
}

// Reasons why a candidate is not published, besides the reasons of Malformed, which apply to a
// fixed question.
const (
	NotRouted   = "not_routed"   // neither validators nor a person have decided on the candidate
	NotReviewed = "not_reviewed" // the validators sent the candidate to people, and no person decided
	Dropped     = "dropped"      // a person dropped the candidate
	Undecided   = "undecided"    // the latest decision of a person is not one of the Decision constants
)

// Latest is the decision that counts: the latest one, and of several decisions at the same time the
// decision of the reviewer with the name that sorts last. decided is false without decisions.
func Latest(decisions []Decision) (latest Decision, decided bool) {
	if len(decisions) == 0 {
		return Decision{}, false
	}
	return slices.MaxFunc(decisions,
		func(a, b Decision) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Reviewer, b.Reviewer)) }), true
}

// Final returns a candidate's question as it is published, or the reason why it is not published.
// The Latest decision of a person outranks the route: with keep or fix the question is published,
// with drop it is not. Without a decision, the question is published if all validators chose the
// key. A candidate that does not represent its group of duplicates has the empty route.
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
