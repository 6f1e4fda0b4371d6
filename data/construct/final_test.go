package construct

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFinal(t *testing.T) {
	t.Parallel()
	written := Item{"What is red?", []string{"cup", "pot"}, 0}
	key := func(i int) *int { return &i }
	at := func(minute int) time.Time { return time.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC) }
	fix := func(d Decision) Decision {
		d.Reviewer, d.Decision, d.At = "ann", DecisionFix, at(5)
		return d
	}
	for name, c := range map[string]struct {
		route     string
		decisions []Decision
		want      Item
		reason    string
	}{
		"accepted by validators":        {RouteAccept, nil, written, ""},
		"waits for people":              {RouteReview, nil, written, NotReviewed},
		"a suggestion to discard waits": {RouteDiscard, nil, written, NotReviewed},
		"waits for validators":          {"", nil, written, NotRouted},
		"a person outranks the discarding": {RouteDiscard, []Decision{{Reviewer: "ann", Decision: DecisionKeep}},
			written, ""},
		"a person outranks the acceptance": {RouteAccept, []Decision{{Reviewer: "ann", Decision: DecisionDrop}},
			written, Dropped},
		"a person alone": {"", []Decision{{Reviewer: "ann", Decision: DecisionKeep}}, written, ""},
		"the latest decides, whatever the order of rows": {RouteReview, []Decision{
			{Reviewer: "ann", Decision: DecisionKeep, At: at(9)}, {Reviewer: "bob", Decision: DecisionDrop, At: at(3)}},
			written, ""},
		"a known time is later than none": {RouteReview, []Decision{
			{Reviewer: "bob", Decision: DecisionKeep}, {Reviewer: "ann", Decision: DecisionDrop, At: at(1)}},
			written, Dropped},
		"at the same time the last name": {RouteReview, []Decision{
			{Reviewer: "bob", Decision: DecisionKeep}, {Reviewer: "ann", Decision: DecisionDrop}}, written, ""},
		"another key": {RouteReview, []Decision{fix(Decision{Answer: key(1)})},
			Item{"What is red?", []string{"cup", "pot"}, 1}, ""},
		"another question": {RouteReview, []Decision{fix(Decision{Question: "What is blue?"})},
			Item{"What is blue?", []string{"cup", "pot"}, 0}, ""},
		"all three": {RouteReview,
			[]Decision{fix(Decision{Question: "Why?", Options: []string{"x", "y", "z"}, Answer: key(2)})}, Item{"Why?",
				[]string{"x", "y", "z"}, 2}, ""},
		"a fix without its key": {RouteReview, []Decision{fix(Decision{Options: []string{"x", "y"}, Answer: key(2)})},
			Item{"What is red?", []string{"x", "y"}, 2}, NoKey},
		"a fix with duplicates": {RouteReview, []Decision{fix(Decision{Options: []string{"x", "X"}})},
			Item{"What is red?", []string{"x", "X"}, 0}, DuplicateOption},
		"an unknown decision": {RouteAccept, []Decision{{Reviewer: "ann", Decision: "later"}}, written, Undecided},
		"and the one before it": {RouteAccept,
			[]Decision{{Reviewer: "ann", Decision: "later"}, {Reviewer: "bob", Decision: DecisionKeep}}, written, ""},
	} {
		got, reason := Final(written, c.route, c.decisions)
		if diff := cmp.Diff(c.want, got); diff != "" || reason != c.reason {
			t.Errorf("%s: reason %q, want %q (-want +got):\n%s", name, reason, c.reason, diff)
		}
	}
}
