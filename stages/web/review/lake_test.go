package review

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

func init() { laketest.Reader = ask.Read }

const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script></div></form></textarea>"' onclick=alert(3) ` +
	"\x1b[31mred\x1b[0m \x1b]0;title\x07 \u202eesrever\u202c {{.Token}} &lt;b&gt; javascript:alert(4) \x00 end?"

// A routed is a candidate with the choices that made it come to people.
type routed struct {
	data.Candidate
	choices [2]string // of two validators: a letter, or a flag
}

// candidateOf is candidate number n. Of ten, validators chose the key of the first, another option
// of the second, flags for the third and fourth, and a flag and the key for the others.
func candidateOf(n int) routed {
	subjects := []string{"bench", "bicycle", "kite", "teapot", "lamp"}
	categories := []string{"Attribute", "Spatial", "Counting"}
	r := routed{Candidate: data.Candidate{
		CandidateID: fmt.Sprintf("nat_s%02d/%04d", n%6+1, n), ImageID: fmt.Sprintf("nat_s%02d", n%6+1),
		Domain: "Natural", Category: categories[n%3], Subcategory: "Colour",
		Generator: "gpt-5", Question: fmt.Sprintf("What colour is %s number %d beside the path?", subjects[n%5], n+1),
		Options:     []string{"Blue", "Red", "Green", "Yellow"},
		AnswerIndex: 0, Provenance: data.ProvenanceMeasured, Protocol: "construct/generate/1",
	}}
	if n%4 == 3 {
		r.Domain = "Streets"
	}
	r.choices = [][2]string{{"A", "A"}, {"B", "B"}, {construct.ChoiceUnanswerable, construct.ChoiceUnsuitable},
		{construct.ChoiceAmbiguous, construct.ChoiceAmbiguous}, {construct.ChoiceAmbiguous, "A"},
		{"A", "C"}, {construct.ChoiceUnparsed, "A"}, {"B", "C"}, {construct.ChoiceNone, "B"}, {"A",
			construct.ChoiceNone}}[n%10]
	return r
}

func candidatesOf(n int) (all []routed) {
	for i := range n {
		all = append(all, candidateOf(i))
	}
	return all
}

// newLake makes a lake with pictures and candidates of all routes.
func newLake(t testing.TB, all ...routed) *data.Lake {
	t.Helper()
	lake := webtest.NewLake(t)
	var candidates []data.Candidate
	var validations []data.Validation
	var routes []data.Route
	for _, r := range all {
		var verdicts []construct.Verdict
		for i, choice := range r.choices {
			v := data.Validation{CandidateID: r.CandidateID, Validator: []string{"gemini-2.5-pro", "gpt-5"}[i],
				Choice: choice, Provenance: r.Provenance}
			verdict := construct.Verdict{Choice: choice, Option: -1}
			if len(choice) == 1 {
				place := int32(choice[0] - 'A')
				v.Choice, v.ChoiceIndex, v.AgreesKey = construct.ChoiceOption, &place, place == r.AnswerIndex
				verdict = construct.Verdict{Choice: construct.ChoiceOption, Option: int(place)}
			}
			validations, verdicts = append(validations, v), append(verdicts, verdict)
		}
		candidates = append(candidates, r.Candidate)
		routes = append(routes,
			data.Route{CandidateID: r.CandidateID, Route: construct.RouteOf(verdicts, int(r.AnswerIndex)),
				Validators: 2, Provenance: r.Provenance})
	}
	laketest.Put(t, lake, data.Candidates, "candidates", candidates...)
	laketest.Put(t, lake, data.Validations, "validations", validations...)
	laketest.Put(t, lake, data.Routes, "routes", routes...)
	return lake
}

type sitting struct {
	*webtest.Sitting
	*Page
	o Options
}

func sit(t *testing.T, all ...routed) *sitting {
	t.Helper()
	s := webtest.NewSitting(t, newLake(t, all...))
	return &sitting{Sitting: s, o: Options{Routes: []string{construct.RouteReview, construct.RouteDiscard},
		Now: s.Now}}
}

func (s *sitting) open() {
	s.T.Helper()
	s.Page = must.Get(Open(s.Lake, s.o))(s.T)
	s.Serve(s.Page)
}

// A reviewer has a browser that runs no script.
type reviewer struct{ *webtest.Visitor }

func (s *sitting) reviewer(name string) *reviewer {
	s.T.Helper()
	r := &reviewer{s.Visitor(name)}
	r.next()
	return r
}

// next looks at the next question.
func (r *reviewer) next() {
	r.T.Helper()
	r.Get("/review?as=" + url.QueryEscape(r.Name))
}

// look asks for a question.
func (r *reviewer) look(page, id string) {
	r.T.Helper()
	r.Get("/" + page + "?" + url.Values{"as": {r.Name}, "id": {id}}.Encode())
}

// do sends the form of the page that was looked at last, and pairs of names and values.
func (r *reviewer) do(what string, more ...string) {
	r.T.Helper()
	r.Submit("/review", append(more, "do", what)...)
}

// written are the fields of an edited question.
func written(question, key string, options ...string) []string {
	fields := []string{"question", question, "key", key}
	for _, o := range options {
		fields = append(fields, "option", o)
	}
	return fields
}
