package stages

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

// factsLake is the sample set with a taxonomy of all that its pictures show.
func factsLake(t testing.TB) *data.Lake {
	t.Helper()
	l := sampleLake(t)
	items := must.Get(sampleImages())(t)
	var nodes []data.TaxonomyNode
	seen := map[string]bool{}
	for _, item := range items {
		for _, f := range item.Facts {
			key := item.Domain + "/" + f.Category + "/" + f.Subcategory
			if seen[key] || f.Category == "Object Attributes" && f.Subcategory == "Colour" {
				continue
			}
			seen[key] = true
			nodes = append(nodes,
				data.TaxonomyNode{Domain: item.Domain, Category: f.Category, Subcategory: f.Subcategory, Level: 2,
					Ordinal: int32(len(seen)), Examples: []string{"an example"}})
		}
	}
	laketest.Put(t, l, data.Taxonomy, "taxonomy", nodes...)
	return l
}

func constructing(address string) *config.Config {
	c := rehearsal(address)
	c.Endpoints[0].Models = append(slices.Clone(testModels), "rehearsal/writer-a", "rehearsal/writer-b",
		"rehearsal/writer-c", "rehearsal/validator-a", "rehearsal/validator-b", "rehearsal/embedder")
	c.Construct.Generators = []string{"rehearsal/writer-a", "rehearsal/writer-b", "rehearsal/writer-c"}
	c.Construct.Reader, c.Construct.Embedder = "rehearsal/reader-eager", "rehearsal/embedder"
	c.Construct.Validators = []string{"rehearsal/validator-a", "rehearsal/validator-b"}
	c.Construct.Similarity = 0.7
	return c
}

// The whole track on the sample set: every candidate can be followed from the reply that it came
// from to its route, and nothing is asked twice.
func TestConstructTrack(t *testing.T) {
	l := factsLake(t)
	var asked atomic.Int64
	c := constructing(serve(t, l, counting(&asked)))
	choice := config.Choice{Stage: constructTrack, Domains: []string{"natural"}}
	mustRun(t, l, c, choice)

	calls := map[string]data.Call{}
	for _, call := range laketest.All(t, l, data.Calls) {
		calls[call.RequestHash] = call
	}
	candidates, malformed, keyless := map[string]data.Candidate{}, 0, 0
	for _, row := range laketest.All(t, l, data.Candidates) {
		candidates[row.CandidateID] = row
		written, err := construct.ReadDrafts(calls[row.RequestHash].Text)
		if err != nil || written[row.Ordinal].Question != row.Question {
			t.Fatalf("%+v is not in its reply: %v", row, err)
		}
		if row.Malformed != "" {
			malformed++
		}
		if row.AnswerIndex < 0 {
			keyless++
		}
		must.Equal(t, row.Provenance, data.ProvenanceSimulated, row)
	}
	trials, hits := map[string]int{}, map[string]int{}
	for _, row := range laketest.All(t, l, data.BlindTrials) {
		c := candidates[row.CandidateID]
		if c.Malformed != "" || row.Hit != (row.ChoiceIndex != nil && *row.ChoiceIndex == c.AnswerIndex) ||
			len(row.OptionOrder) != len(c.Options) {
			t.Fatalf("%+v of %+v", row, c)
		}
		trials[row.CandidateID]++
		if row.Hit {
			hits[row.CandidateID]++
		}
	}
	sighted := map[string]bool{}
	for id, c := range candidates {
		if c.Malformed != "" {
			continue
		}
		must.Equal(t, trials[id], 10, id)
		if hits[id] < []int{10, 10, 10, 8, 7, 6}[min(len(c.Options), 5)] { // CaptionQA section 4.3.2
			sighted[id] = true
		}
	}
	grouped, kept, groups := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, row := range laketest.All(t, l, data.QuestionGroups) {
		if !sighted[row.CandidateID] || row.Similarity < 0.5 || row.Representative && row.Similarity < 0.999 {
			t.Fatalf("%+v", row)
		}
		grouped[row.CandidateID] = true
		if row.Representative {
			kept[row.CandidateID] = true
			groups[row.ImageID]++
		}
	}
	if len(grouped) != len(sighted) || len(laketest.All(t, l, data.Embeddings)) != len(sighted) {
		t.Errorf("%d of %d candidates that passed the blind test are grouped", len(grouped), len(sighted))
	}
	validations := map[string][]data.Validation{}
	for _, row := range laketest.All(t, l, data.Validations) {
		if !kept[row.CandidateID] {
			t.Fatalf("%+v is validated and does not stand for a group", row)
		}
		validations[row.CandidateID] = append(validations[row.CandidateID], row)
	}
	routes := map[string]int{}
	for _, row := range laketest.All(t, l, data.Routes) {
		routes[row.Route]++
		all := validations[row.CandidateID]
		if len(all) != 2 || (row.Route == construct.RouteAccept) != (all[0].AgreesKey && all[1].AgreesKey) {
			t.Fatalf("%+v: %+v", row, all)
		}
	}
	t.Logf("%d candidates, %d malformed, %d pass the blind test, %d stand for groups, routes %v", len(candidates),
		malformed, len(sighted), len(kept), routes)
	if len(candidates) < 100 || len(sighted) >= len(candidates)-malformed || len(kept) >= len(sighted) ||
		routes[construct.RouteAccept] < 30 || routes[construct.RouteReview] == 0 ||
		len(laketest.All(t, l, data.Routes)) != len(kept) {
		t.Errorf("the funnel: %d candidates, %d malformed, %d sighted, %d kept, routes %v", len(candidates), malformed,
			len(sighted), len(kept), routes)
	}

	before := asked.Load()
	mustRun(t, l, c, choice)
	expect.Equal(t, asked.Load()-before, 0, "the second run asks requests")
	noDoubleCalls(t, l)
}

// Stages of the track run alone and for one domain, too, and say what is missing.
func TestConstructStagesAlone(t *testing.T) {
	must.Slow(t)
	l := factsLake(t)
	c := constructing(serve(t, l))
	choose := func(stage string) config.Choice { return config.Choice{Stage: stage, Domains: []string{"Natural"}} }
	mustRun(t, l, c, choose("generate"))
	for _, row := range laketest.All(t, l, data.Candidates) {
		must.Equal(t, row.Domain, "Natural", row)
	}
	// Before the blind test, nothing has passed it.
	mustRun(t, l, c, choose("embed"))
	expect.Equal(t, len(laketest.All(t, l, data.Embeddings)), 0, "candidates are encoded before the blind test")
	for _, stage := range []string{"blind", "embed", "deduplicate", "validate", "route"} {
		mustRun(t, l, c, choose(stage))
	}
	if len(laketest.All(t, l, data.Routes)) == 0 {
		t.Error("no candidate has a route")
	}

	refused(t, l, c, config.Choice{Stage: "generate", Domains: []string{"kitchen"}},
		"captionlake ingest --as taxonomy", `the domain "kitchen" has no taxonomy`)
	bare := *c
	bare.Construct.Validators = bare.Construct.Validators[:1]
	refused(t, l, &bare, config.Choice{Stage: "validate"}, "construct.validators",
		"fewer than two validators are configured")
	bare.Construct.Reader = ""
	refused(t, l, &bare, config.Choice{Stage: "blind"}, "construct.reader", "no reader is configured")
}

// A dry run says what the whole track will ask: first by assumptions, then by the shares in the
// lake; and nothing once all is done.
func TestForecast(t *testing.T) {
	must.Slow(t)
	l := factsLake(t)
	c := constructing(serve(t, l))
	c.Models = []config.ModelSettings{{Name: "rehearsal/reader-eager",
		Price: config.Price{Input: 1, Cached: 0.1, Output: 2}}}
	choice := config.Choice{Stage: constructTrack, Domains: []string{"Natural"}}
	forecast := func() map[string]engine.Estimate {
		t.Helper()
		estimates := must.Get(New(l, c, choice).Estimate())(t)
		sums := map[string]engine.Estimate{}
		for _, e := range estimates {
			sum := sums[e.Stage]
			sum.Pending += e.Pending
			sum.Prompt += e.Prompt
			sum.Output += e.Output
			sum.Cost += e.Cost
			sum.Note = max(sum.Note, e.Note)
			sums[e.Stage] = sum
		}
		return sums
	}
	first := forecast()
	asked := first["generate"].Pending
	// Three candidates of a request, ten trials each, the candidates of three generators about a
	// node in a request for vectors, and two validators for a third.
	if asked == 0 || first["blind"].Pending != asked*3*10 || first["embed"].Pending != asked/3 ||
		first["validate"].Pending != 2*asked {
		t.Errorf("%d requests to generators: %+v", asked, first)
	}
	// A trial has at most four tokens of reply, and a typical one some hundred tokens of prompt, at
	// a dollar for a million and a tenth of it from the cache.
	blind := first["blind"]
	if blind.Output != int64(4*blind.Pending) || blind.Prompt < int64(60*blind.Pending) ||
		blind.Prompt > int64(200*blind.Pending) || blind.Cost <= 0 ||
		blind.Cost > float64(blind.Prompt+2*blind.Output)/1e6 {
		t.Errorf("%+v", blind)
	}
	expect.Contains(t, blind.Note, "3 candidates of a request, as CaptionQA section 12",
		"17.7 million tokens and 40 to 60 USD", "For your 6 that is 0.71 million tokens, 1.60 to 2.40 USD")

	all := c.Construct.Generators
	c.Construct.Generators = all[:1]
	mustRun(t, l, c, choice)
	for stage, e := range forecast() {
		expect.Equal(t, e.Pending, 0, stage, e)
	}
	// The second generator is forecast by the first one's shares, and its run asks about as much as
	// was said.
	c.Construct.Generators = all[:2]
	second := forecast()
	if note := second["blind"].Note; !strings.Contains(note, "as in the lake") ||
		strings.Contains(note, "section 12 has them") {
		t.Errorf("the forecast of the second generator says %q", note)
	}
	actual := map[string]int{}
	for _, r := range mustRun(t, l, c, choice) {
		actual[r.Stage] += r.Answered
	}
	for _, stage := range []string{"generate", "blind", "embed", "validate"} {
		if want, got := second[stage].Pending, actual[stage]; got == 0 || want < got/2-8 || want > 2*got+8 {
			t.Errorf("%s: %d requests forecast, %d made", stage, want, got)
		}
	}
}

// A generator that does not write JSON is asked again; what can never be read is kept as it is,
// with its text.
func TestUnreadableCandidatesAreKept(t *testing.T) {
	l := factsLake(t)
	garbled := mumbling(func(temperature float64, body string) bool {
		return strings.Contains(body, construct.GenerateSystem[:40]) &&
			(temperature == 0 || strings.Contains(body, "Subcategory: Colour"))
	})
	c := constructing(serve(t, l, func(h http.Handler) http.Handler { return garbled(h) }))
	c.Construct.Generators = c.Construct.Generators[:1]
	mustRun(t, l, c, config.Choice{Stage: "generate", Domains: []string{"Natural"}})
	reasons := map[string]int{}
	for _, row := range laketest.All(t, l, data.Candidates) {
		reasons[row.Malformed]++
		if (row.Malformed == construct.Unparsed) != (row.Question == mumbled) {
			t.Fatalf("%+v", row)
		}
	}
	if reasons[construct.Unparsed] == 0 || reasons[""] == 0 {
		t.Errorf("reasons %v", reasons)
	}
}

// What asks nobody is computed again when what it is made from says something else, a setting or a
// table, and is left alone otherwise.
func TestGroupsAndRoutesFollowTheirInputs(t *testing.T) {
	must.Slow(t)
	l := factsLake(t)
	c := constructing(serve(t, l))
	c.Construct.Generators = c.Construct.Generators[:2]
	choice := config.Choice{Stage: constructTrack, Domains: []string{"Natural"}}
	mustRun(t, l, c, choice)
	groups := func() []data.QuestionGroup { return laketest.All(t, l, data.QuestionGroups) }
	state := func() string {
		return must.Get(l.State(data.QuestionGroups))(t)
	}
	before, unchanged := groups(), state()
	mustRun(t, l, c, choice)
	expect.Equal(t, state(), unchanged, "a second run writes the groups again")
	c.Construct.Similarity = 0.95
	mustRun(t, l, c, choice)
	if after := groups(); len(after) != len(before) || cmp.Equal(before, after) {
		t.Errorf("another similarity changes nothing about %d groups", len(after))
	}
	c.Construct.Similarity = 0.7
	mustRun(t, l, c, choice)
	expect.Equal(t, groups(), before, "groups under the first similarity")

	// Validators that choose otherwise about the same candidates.
	routes := func() map[string]string {
		all := map[string]string{}
		for _, row := range laketest.All(t, l, data.Routes) {
			all[row.CandidateID] = row.Route
		}
		return all
	}
	first := routes()
	c.Construct.Validators = []string{"rehearsal/validator-a", "rehearsal/reader-eager"}
	mustRun(t, l, c, choice)
	if second := routes(); len(second) != len(first) || cmp.Equal(first, second) {
		t.Errorf("other validators change nothing about %d routes", len(second))
	}

	// What a reader of another run answers without the picture is published no more, so validators
	// are asked nothing about it.
	known := slices.Sorted(maps.Keys(first))[0]
	laketest.Put(t, l, data.BlindTrials, "another reader",
		data.BlindTrial{CandidateID: known, Reader: "other", OptionOrder: []int32{}, Hit: true,
			Provenance: data.ProvenanceSimulated})
	mustRun(t, l, c, choice)
	if _, routed := routes()[known]; routed ||
		slices.ContainsFunc(groups(), func(g data.QuestionGroup) bool { return g.CandidateID == known }) {
		t.Errorf("%s is validated although another reader knows it", known)
	}
}

// Candidates of an image are grouped together, also where candidates of an image with a similar
// name are between them.
func TestImagesWithinNamesOfOthers(t *testing.T) {
	l := laketest.New(t)
	var images []data.Image
	var candidates []data.Candidate
	var trials []data.BlindTrial
	var vectors []data.Embedding
	for _, image := range []string{"a", "a/b", "a/b/c", "b"} {
		images = append(images, data.Image{ImageID: image, Domain: "kitchen", Path: "images/none.png"})
		for n, digest := range []string{"1", "f", "b2"} {
			id := image + "/" + digest
			candidates = append(candidates,
				data.Candidate{CandidateID: id, ImageID: image, Domain: "kitchen", Category: "Attribute",
					Subcategory: "Colour", Question: id, Options: []string{"x", "y"},
					Provenance: data.ProvenanceSimulated})
			trials = append(trials,
				data.BlindTrial{CandidateID: id, Reader: "rehearsal-reader-eager", OptionOrder: []int32{0, 1},
					Provenance: data.ProvenanceSimulated})
			vectors = append(vectors,
				data.Embedding{CandidateID: id, Model: "rehearsal-embedder", Vector: []float32{1, float32(2 * (n % 2))},
					Provenance: data.ProvenanceSimulated})
		}
	}
	laketest.Put(t, l, data.Taxonomy, "taxonomy",
		data.TaxonomyNode{Domain: "kitchen", Category: "Attribute", Subcategory: "Colour", Level: 2,
			Examples: []string{}})
	laketest.Put(t, l, data.Images, "images", images...)
	laketest.Put(t, l, data.Candidates, "candidates", candidates...)
	laketest.Put(t, l, data.BlindTrials, "trials", trials...)
	laketest.Put(t, l, data.Embeddings, "vectors", vectors...)
	c := constructing(closedAddress())
	c.Construct.Trials = 1
	mustRun(t, l, c, config.Choice{Stage: "deduplicate"})
	groups := map[string]int32{}
	for _, row := range laketest.All(t, l, data.QuestionGroups) {
		groups[row.CandidateID] = row.GroupID
	}
	want := map[string]int32{
		"a/1": 0, "a/b2": 0, "a/f": 1, "a/b/1": 0, "a/b/b2": 0, "a/b/f": 1, "a/b/c/1": 0, "a/b/c/b2": 0, "a/b/c/f": 1,
		"b/1": 0, "b/b2": 0, "b/f": 1,
	}
	expect.Equal(t, groups, want)
}

// opened gives what writes rows of a table; faults are told.
func opened[T any](tx *data.Tx, table data.Table[T], told func(error)) func(T) {
	w, err := data.NewRowWriter(tx, table)
	told(err)
	return func(row T) {
		if err := w.Write(row); err != nil {
			told(err)
		}
	}
}
