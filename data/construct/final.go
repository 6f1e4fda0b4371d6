package construct

import (
	"cmp"
	"slices"
	"time"
)

// Decisions of a reviewer, as tables carry them.
const (
	DecisionKeep = "keep" // right as it is
	DecisionFix  = "fix"  // right after a change of its question, options or key
	DecisionDrop = "drop" // it cannot be made right
)

// An Item is a question with its options and the place of its key among them, from 0.
type Item struct {
	Question string
	Options  []string
	Answer   int
}

// A Decision is what one person made of one candidate (CaptionQA section 4.4).
type Decision struct {
	Reviewer string
	Decision string
	Question string    // of a fix; empty when unchanged
	Options  []string  // of a fix; empty when unchanged
	Answer   *int      // key of a fix, from 0; nil when unchanged
	At       time.Time // when it was made; zero when unknown, which is before all others
}

// Reasons why a candidate is not published, beside those of Malformed, which a fix may have brought.
const (
	NotRouted   = "not_routed"   // the validators have not looked at it, or it never came to them, and no person decided
	NotReviewed = "not_reviewed" // the validators sent it to people, and none decided
	Dropped     = "dropped"      // a person dropped it
	Undecided   = "undecided"    // the latest decision of a person is not one of Decisions
)

// Waits reports whether a candidate that is not published for that reason waits for validators or people.
func Waits(reason string) bool {
	return reason == NotRouted || reason == NotReviewed || reason == Undecided
}

// Latest is the decision that counts: the latest one, of decisions at the same time that of the reviewer whose name comes last. There is
// none without decisions.
func Latest(decisions []Decision) (latest Decision, decided bool) {
	if len(decisions) == 0 {
		return Decision{}, false
	}
	return slices.MaxFunc(decisions, func(a, b Decision) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Reviewer, b.Reviewer)) }), true
}

// Final is what becomes of a candidate: the question as it is published, or the reason why it is not. The Latest decision of a
// person outranks the route: keep and fix publish, drop does not. Without a decision, what all validators answered with the key
// is published. The route is empty when there is none; a candidate that does not stand for its group of duplicates has none.
func Final(written Item, route string, decisions []Decision) (final Item, reason string) {
	latest, decided := Latest(decisions)
	if !decided {
		switch route {
		case RouteAccept:
			return written, ""
		case "":
			return written, NotRouted
		}
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
