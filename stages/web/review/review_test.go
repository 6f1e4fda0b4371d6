package review

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// reviews are the reviews of one person by candidate.
func (s *sitting) reviews(person string) map[string]data.Review {
	s.T.Helper()
	of := map[string]data.Review{}
	for _, r := range laketest.All(s.T, s.Lake, data.Reviews) {
		if r.Reviewer == person {
			of[r.CandidateID] = r
		}
	}
	return of
}

// final is the end of a candidate by the rows of the lake.
func (s *sitting) final(c routed) (construct.Item, string) {
	s.T.Helper()
	var decisions []construct.Decision
	for _, r := range laketest.All(s.T, s.Lake, data.Reviews) {
		if r.CandidateID == c.CandidateID {
			decisions = append(decisions, forFinal(reviews.Decision(r)))
		}
	}
	return construct.Final(construct.Item{Question: c.Question, Options: c.Options, Answer: int(c.AnswerIndex)},
		construct.RouteReview, decisions)
}

// From the first look to the rows: each decision is a row, and what was generated is left as it
// was.
func TestDecisionsBecomeRows(t *testing.T) {
	t.Parallel()
	all := candidatesOf(10)
	s := sit(t, all...)
	s.open()
	ada := s.reviewer("Ada")
	if progress := s.Progress(); progress.Items != 9 { // One of ten is accepted by its validators.
		t.Errorf("progress %+v", progress)
	}
	kept, newKey, edited, dropped, skipped := all[1], all[2], all[4], all[5], all[6]

	ada.look("review", kept.CandidateID)
	ada.Wants("Its validators do not all choose the key", "<b>gpt-5</b> chose B, “Red”, not the key",
		"Natural › Spatial › Colour", `<b class="stamp was">key</b>`)
	s.Pass(11)
	ada.do("accept", "key", "0")
	ada.Wants("Stored: <b>accepted</b>, 11 s", "1 of 9 decided")

	ada.look("review", newKey.CandidateID)
	ada.Wants("All validators flagged it, so discarding it is suggested.", "the picture does not show what is asked")
	ada.do("accept", "key", "2")
	ada.Wants("Stored: <b>key changed from A to C</b>")

	ada.look("edit", edited.CandidateID)
	ada.do("store", append(written("Which colour has the \r\nkite?", "1", "Violet", "Blue"), "note", "reworded")...)
	ada.Wants("Stored: <b>edited: reworded</b>")
	ada.look("review", edited.CandidateID)
	ada.Wants("Which colour has the \nkite?", "As it was generated", html.EscapeString(edited.Question), "Yellow",
		"<b>Ada</b>: edited: reworded")

	ada.look("discard", dropped.CandidateID)
	ada.do("discard", "reason", "other")
	ada.Wants("Not stored: a reason is missing.")
	ada.do("discard", "reason", "ambiguous", "note", "two  kites")
	ada.Wants("Stored: <b>discarded: ambiguous: two kites</b>")

	ada.look("review", skipped.CandidateID)
	ada.do("skip")
	ada.Wants("Stored: <b>skipped</b>")
	ada.look("review", kept.CandidateID)
	ada.do("skip")
	ada.Wants("your decision stays", "4 of 9 decided") // The row is checked below.

	expect.Equal(t, s.End(), 4)
	rows := s.reviews("Ada")
	if len(rows) != 4 || rows[kept.CandidateID].Decision != "keep" || rows[kept.CandidateID].AnswerIndex != nil ||
		*rows[kept.CandidateID].Seconds != 11 || rows[kept.CandidateID].ReviewedAt == nil {
		t.Errorf("rows %+v", rows)
	}
	if r := rows[newKey.CandidateID]; r.Decision != "fix" || r.Question != newKey.Question ||
		!slices.Equal(r.Options, newKey.Options) || *r.AnswerIndex != 2 {
		t.Errorf("the new key: %+v", r)
	}
	if r := rows[dropped.CandidateID]; r.Decision != "drop" || r.Note != "ambiguous: two kites" || r.Question != "" {
		t.Errorf("the discarded: %+v", r)
	}
	if after, reason := s.final(edited); reason != "" || after.Question != "Which colour has the \nkite?" ||
		!slices.Equal(after.Options, []string{"Violet", "Blue"}) || after.Answer != 1 {
		t.Errorf("the edited: %+v, %s", after, reason)
	}
	for _, row := range laketest.All(t, s.Lake, data.Candidates) {
		if row.CandidateID == edited.CandidateID && row.Question != edited.Question {
			t.Errorf("the candidate was changed: %+v", row)
		}
	}

	// The next session goes on: what was skipped is back, undo reaches what was stored, and a
	// second reviewer can change a decision.
	s.open()
	// The case of a name does not matter.
	ada, bob := s.reviewer("ada"), s.reviewer("Bob")
	expect.Equal(t, s.Progress().Made, 4)
	s.Pass(60)
	bob.look("review", edited.CandidateID)
	bob.Wants("Violet", "Take it as generated")
	bob.do("accept", "key", bob.checked())
	bob.Wants("Stored: <b>edited</b>") // He accepts what stands, and not what was generated.
	bob.look("review", newKey.CandidateID)
	bob.do("original")
	bob.Wants("Stored: <b>accepted</b>")
	ada.Send("/undo", nil)
	ada.Wants("3 decisions of yours") // Her last was the one that she discarded.
	s.End()
	if rows := s.reviews("Ada"); len(rows) != 3 || rows[dropped.CandidateID].Decision != "" {
		t.Errorf("rows %+v", rows)
	}
	if after, reason := s.final(edited); reason != "" || after.Question != "Which colour has the \nkite?" {
		t.Errorf("the edited, seen twice: %+v, %s", after, reason)
	}
	if after, reason := s.final(newKey); reason != "" || after.Answer != 0 {
		t.Errorf("as generated again: %+v, %s", after, reason)
	}
}

// checked is the key that the page has marked.
func (r *reviewer) checked() string {
	found := regexp.MustCompile(`name="key" value="(\d+)" checked`).FindStringSubmatch(r.Page)
	if found == nil {
		r.T.Fatalf("no key is marked: %s", r.Page)
	}
	return found[1]
}

// A question that cannot be asked is not stored, and the form says what is wrong and where.
func TestFaultsAreLocated(t *testing.T) {
	t.Parallel()
	one := candidateOf(1)
	s := sit(t, one, candidateOf(2))
	s.open()
	ada := s.reviewer("Ada")
	many := make([]string, 27)
	for i := range many {
		many[i] = strings.Repeat("x", i+1)
	}
	good := []string{"Blue", "Red", "Green"}
	for _, x := range []struct {
		question  string
		options   []string
		key       int
		at, wants string
	}{
		{" ? ", good, 0, "question", "The question has no word."},
		{"What is it?", []string{"Red"}, 0, "option-1", "There are fewer than two options."},
		{"What is it?", many, 0, "option-26", "There are 27 options, and 26 letters."},
		{"What is it?", []string{"Red", "Blue", "red."}, 0, "option-2", "Options A and C say the same."},
		{"What is it?", []string{"Red", "All of the above", "Blue"}, 0, "option-1", "Option B is about other options"},
		{"How many?", []string{"1-3", "7", "3-5"}, 0, "option-2", "Options A and C can be right together."},
		{"What is it?", good, 9, "key-0", "No option is the key."},
		{"Is the red car parked?", good, 1, "question", "The question names the key, option B"},
		{"What does the caption say? The caption says one.", good, 0, "question",
			"The question speaks of the caption."},
		{"What is\u202e it?", good, 0, "question", "The question: character 8 cannot be shown"},
		{"What is it?", []string{"Red", "Bl\x00ue"}, 0, "option-1", "Option B: character 3 cannot be shown"},
	} {
		ada.look("edit", one.CandidateID)
		ada.do("store", written(x.question, strconv.Itoa(x.key), x.options...)...)
		ada.Wants("<b>Not stored.</b> "+x.wants, `href="#`+x.at+`"`, `id="`+x.at+`"`)
		for _, o := range x.options[1:] { // The written text is not lost.
			if o = strings.TrimSpace(o); o != "" && !strings.Contains(o, "\x00") &&
				!strings.Contains(ada.Page, ">"+o+"</textarea>") {
				t.Errorf("%s: the option %q is lost", x.wants, o)
			}
		}
	}
	// A new key can be at fault, too.
	ada.look("edit", one.CandidateID)
	ada.do("store", written("Is the red one parked?", "0", good...)...)
	ada.look("review", one.CandidateID)
	ada.do("accept", "key", "1")
	ada.Wants("<b>Not stored.</b> The question names the key, option B")
	s.End()
	if rows := s.reviews("Ada"); len(rows) != 1 || *rows[one.CandidateID].AnswerIndex != 0 {
		t.Errorf("rows %+v", rows)
	}
}

// An emptied option is removed, what is written into the empty lines is added, and the key follows
// its option.
func TestOptionsAreAddedAndRemoved(t *testing.T) {
	t.Parallel()
	one := candidateOf(1)
	s := sit(t, one)
	s.open()
	ada := s.reviewer("Ada")
	ada.look("edit", one.CandidateID)
	ada.do("store", written("Which?", "4", " ", "Red", "Green", "", "White")...)
	ada.Wants("Stored: <b>edited")
	s.End()
	if r := s.reviews("Ada")[one.CandidateID]; !slices.Equal(r.Options, []string{"Red", "Green", "White"}) ||
		*r.AnswerIndex != 2 {
		t.Errorf("%+v", r)
	}
}

// The list has the questions that are decided, the questions that are not, and the decisions of
// people.
func TestList(t *testing.T) {
	t.Parallel()
	all := candidatesOf(210)
	s := sit(t, all...)
	s.o.Routes = nil
	s.open()
	ada := s.reviewer("Ada")
	ada.look("review", all[5].CandidateID)
	ada.do("accept", "key", "0")
	for state, want := range map[string]int{"all": 210, "": 209, "reviewed": 1, "mine": 1, "none": 209} {
		ada.Get("/list?as=Ada&state=" + state)
		ada.Wants("<b>" + strconv.Itoa(want) + "</b> question")
		expect.Equal(t, strings.Contains(ada.Page, "Next ›"), (want > 200), state)
	}
	ada.Get("/list?as=Ada&state=reviewed")
	ada.Wants("accepted by Ada")
	s.End()
}

// Two people do not do the same; whoever asks for the question that another has before them is
// told, and a decision that is out of date is not stored.
func TestTwoReviewers(t *testing.T) {
	t.Parallel()
	all := candidatesOf(10)
	s := sit(t, all...)
	s.open()
	ada, bob := s.reviewer("Ada"), s.reviewer("Bob")
	mine := ada.Field("id")
	if bob.Field("id") == mine {
		t.Fatal("two people have the same question before them")
	}
	for _, page := range []string{"review", "edit", "discard"} {
		bob.look(page, mine)
		bob.Wants("Ada is deciding about this question")
		expect.Lacks(t, bob.Page, `value="accept"`)
	}
	bob.Get("/list?as=Bob")
	bob.Wants("with Ada now")
	s.Pass(31 * 60) // Ada has left it, and Bob takes it.
	bob.look("review", mine)
	bob.do("discard", "reason", "duplicate")
	bob.Wants("Stored: <b>discarded: duplicate</b>")
	ada.do("accept", "key", "1")
	ada.Wants("Somebody has decided about this question since you opened it", "<b>Bob</b>: discarded: duplicate")
	if c := s.Of("Ada"); c.Decided != 0 {
		t.Errorf("counts %+v", c)
	}
	// Text that was edited meanwhile is not lost.
	ada.look("edit", mine)
	bob.Get("/review?as=Bob") // He has another before him.
	old := ada.Field("version")
	bob.look("review", mine)
	s.Pass(31 * 60)
	bob.look("review", mine)
	bob.do("original")
	ada.do("store", append(written("Which colour?", "0", "Red", "Blue"), "version", old)...)
	ada.Wants("Your text is still here", "Which colour?")
	s.Pass(1)
	ada.do("store", written("Which colour?", "0", "Red", "Blue")...)
	ada.Wants("Stored: <b>edited</b>")
	s.End()
	for _, r := range all {
		if r.CandidateID == mine {
			if after, reason := s.final(r); reason != "" || after.Question != "Which colour?" {
				t.Errorf("%+v, %s", after, reason)
			}
		}
	}
}

// What cannot be shown is counted, and reviews from elsewhere count, under names that no reviewer
// may have.
func TestQuestionsThatAreNotShown(t *testing.T) {
	t.Parallel()
	all := candidatesOf(10)
	all[1].ImageID = "unknown"
	all[2].Provenance = data.ProvenanceSimulated
	s := sit(t, all...)
	laketest.Put(t, s.Lake, data.Routes, "more",
		data.Route{CandidateID: "gone", Route: "review", Provenance: data.ProvenanceMeasured})
	laketest.Put(t, s.Lake, data.Reviews, "loaded",
		data.Review{CandidateID: all[4].CandidateID, Reviewer: "Cy", Decision: "keep",
			Provenance: data.ProvenanceMeasured})
	s.o.Domains = []string{"NATURAL"}
	s.open()
	if len(s.NotShown()) != 2 || s.Progress().Items != 6 || s.Progress().Made != 1 ||
		s.Simulated() != 1 {
		t.Errorf("left %+v, progress %+v, %d simulated", s.Left, s.Progress(), s.Simulated())
	}
	ada := s.reviewer("Ada")
	for _, name := range []string{"cy", "", "<b>", "x\u202ey"} {
		if ada.Get("/review?as=" + url.QueryEscape(name)); ada.Status != http.StatusBadRequest {
			t.Errorf("the name %q: status %d", name, ada.Status)
		}
	}
	if ada.look("review", all[3].CandidateID); ada.Status != http.StatusNotFound { // of another domain
		t.Errorf("status %d", ada.Status)
	}
	ada.look("review", all[2].CandidateID)
	ada.Wants("This question is made up")
	ada.do("accept", "key", "0")
	ada.next()
	ada.do("accept", "key", "0")
	for _, what := range []string{"", "right", "drop table"} {
		if ada.do(what); ada.Status != http.StatusBadRequest {
			t.Errorf("do=%q: status %d", what, ada.Status)
		}
		ada.next()
	}
	ada.Get("/progress?as=Ada")
	ada.Wants("1 questions without a picture are not shown", "1 routes whose candidate is gone", "Natural")
	ada.Get("/help?as=Ada")
	ada.Wants("answerable from the picture alone")
	s.End()
	for _, r := range laketest.All(t, s.Lake, data.Reviews) {
		if want := r.CandidateID == all[2].CandidateID; (r.Provenance == data.ProvenanceSimulated) != want {
			t.Errorf("%s is %s", r.CandidateID, r.Provenance)
		}
	}
}

// A question is text, whatever it looks like.
func TestHostileQuestions(t *testing.T) {
	t.Parallel()
	r := candidateOf(1)
	r.Question, r.Options, r.CandidateID = hostile, []string{hostile, "\u202ex", "y"},
		`nat_s02/"><script>alert(5)</script>&id=x`
	r.Category, r.Generator, r.Domain = hostile, hostile, hostile
	s := sit(t, r)
	s.open()
	ada := s.reviewer(`Ada O'Neill`)
	for _, page := range []string{"review", "edit", "discard", "list", "progress", "help"} {
		ada.look(page, r.CandidateID)
		must.Equal(t, ada.Status, http.StatusOK, page)
		expect.Lacks(t, ada.Page, "<script>a", "<img src=x", "\x1b", "\x00", "\u202e")
	}
	// The texts are kept byte for byte when the form sends them as it showed them.
	ada.look("edit", r.CandidateID)
	ada.do("store", written(plainOf(hostile), "0", plainOf(hostile), plainOf("\u202ex"), "y")...)
	ada.Wants("Stored: <b>accepted</b>")
	s.End()
	if got := laketest.All(t, s.Lake, data.Reviews); len(got) != 1 || got[0].CandidateID != r.CandidateID ||
		got[0].Reviewer != "Ada O'Neill" || got[0].Decision != "keep" {
		t.Errorf("reviews %+v", got)
	}
}

func plainOf(text string) string { return draftOf(construct.Item{Question: text}).Question }

// draw draws n questions at both stages; after the check they have another key.
func draw(t testing.TB, lake *data.Lake, n int) {
	t.Helper()
	var rows []data.QualitySample
	for i := range n {
		for key, stage := range []string{"pre_quality", "post_quality"} {
			c := candidateOf(i)
			rows = append(rows, data.QualitySample{
				Stage: stage, CandidateID: c.CandidateID, ImageID: c.ImageID, Domain: c.Domain, Category: c.Category,
				Position: int32(i), Question: c.Question, Options: c.Options,
				AnswerIndex: int32(key), Seed: 1, Population: int32(n), Provenance: c.Provenance,
			})
		}
	}
	slices.SortFunc(rows, func(a, b data.QualitySample) int { return data.QualitySamples.Compare(&a, &b) })
	laketest.Put(t, lake, data.QualitySamples, "samples", rows...)
}

// Drawn questions of both stages come mixed, and nothing on a page tells the stage of a question.
func TestRatings(t *testing.T) {
	t.Parallel()
	s := sit(t)
	draw(t, s.Lake, 20)
	s.o.Samples = true
	s.open()
	ada := s.reviewer("Ada")
	for _, gone := range []string{"/list?as=Ada", "/edit?as=Ada&id=x", "/discard?as=Ada&id=x"} {
		if ada.Get(gone); ada.Status != http.StatusNotFound {
			t.Errorf("%s: status %d", gone, ada.Status)
		}
	}
	var keys []string
	for i := range 40 {
		ada.next()
		expect.Lacks(t, strings.ToLower(ada.Page), "quality", "stage=", "validator", "nat_s0", "gpt-5")
		key := regexp.MustCompile(`([AB])</span> <span class="foreign" dir="auto">[A-Za-z]+</span> <b ` +
			`class="stamp">key`).FindStringSubmatch(ada.Page)[1]
		keys = append(keys, key)
		s.Pass(7)
		if key == "A" { // as it was drawn before the check
			ada.do("wrong", "note", "it is red")
		} else {
			ada.do("right")
		}
		if i == 0 {
			ada.Send("/undo", nil)
			ada.Wants("No decision of yours yet")
			ada.do("right")
			ada.do("right", "id", ada.Field("id"))
			ada.Send("/undo", nil)
			keys[0] = "undone"
		}
	}
	ada.Get("/progress?as=Ada")
	ada.Wants("right")
	switches := 0
	for i := range keys[1:] {
		if keys[i] != keys[i+1] {
			switches++
		}
	}
	// 20 of 39 are expected of a drawn order; 39 of one that takes turns, and 1 of one after the
	// other.
	expect.Between(t, switches, 10, 32, keys)
	if n := s.End(); n < 39 {
		t.Errorf("%d rows", n)
	}
	rows := laketest.All(t, s.Lake, data.QualityRatings)
	for _, r := range rows {
		if r.Reviewer != "Ada" || r.RatedAt == nil || r.Seconds == nil || r.Provenance != data.ProvenanceMeasured {
			t.Errorf("row %+v", r)
		}
		if want := r.Stage == "post_quality"; r.IsRight != want && r.Note != "" {
			t.Errorf("row %+v", r)
		}
	}
	// Stored ratings are not asked for again, and reviews are apart from them.
	s.open()
	if progress := s.Progress(); progress.Made != len(rows) || progress.Needed != 40 {
		t.Errorf("progress %+v after %d rows", progress, len(rows))
	}
	s.End()
	expect.Equal(t, len(laketest.All(t, s.Lake, data.Reviews)), 0)
}
