package stages

import (
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// embedStage asks for the vectors of candidates, which show duplicates (CaptionQA section 4.3.3).
var embedStage = ofConstruct(engine.Stage{
	Name: "embed",
	Help: "encode the candidates that passed the blind test, question and options together",
	Asks: func(c *config.Config) ([]string, int) { return []string{c.Construct.Embedder}, 0 },
	Units: unitsOf(embedderOf, func(_ config.Construct, d domain, embedder config.Model) engine.AnyUnit {
		return embedUnit{d.Name, embedder}.unit(d)
	}),
	Forecast: forecastOf(embedderOf, func(_ config.Construct, f funnel) (float64, []llm.Request, error) {
		batch := slices.Repeat([]data.Candidate{f.typical}, f.batch)
		return f.passing / float64(f.batch), []llm.Request{encodingRequest(batch)}, nil
	}),
})

// encodedTogether is the largest number of candidates in one request.
const encodedTogether = 64

// An embedUnit is the vectors of one domain's candidates.
type embedUnit struct {
	Domain   string
	Embedder config.Model
}

func (j embedUnit) unit(d domain) *engine.Unit[[]data.Candidate] {
	return &engine.Unit[[]data.Candidate]{
		Conditions: engine.Conditions{
			Name: conditions(j.Domain, j.Embedder.ID), Model: j.Embedder, Protocol: construct.ProtocolEmbed,
			Source: "candidates, blind_trials", Simulated: d.Simulated,
		},
		Inputs:  engine.Inputs{Settings: j}, // Reads stays nil: see sightedCandidates.
		Items:   j.items,
		Request: func(batch []data.Candidate) (llm.Request, error) { return encodingRequest(batch), nil },
		Rows:    engine.Into("embeddings", data.Embeddings, j.rows),
	}
}

// encodingRequest asks for a vector of each candidate: of its question and options together.
func encodingRequest(batch []data.Candidate) (r llm.Request) {
	for _, c := range batch {
		r.Inputs = append(r.Inputs, c.Question+"\n"+strings.Join(c.Options, "\n"))
	}
	return r
}

// items gives the candidates in batches, each of one image and one node. So a change to one image
// or node leaves all other batches unchanged, and a run does not ask about these batches again.
func (j embedUnit) items(s *engine.Scope, each engine.Each[[]data.Candidate]) error {
	var batch []data.Candidate
	flush := func() error { // hands the batch over, and begins the next batch
		if len(batch) == 0 {
			return nil
		}
		err := each(batch, engine.Keys{Subject: batch[0].CandidateID})
		batch = nil
		return err
	}
	node := func(c data.Candidate) [4]string { return [4]string{c.ImageID, c.Category, c.Subcategory, c.Aspect} }
	for c, err := range candidates(s, sightedCandidates, j.Domain) {
		isFull := len(batch) == encodedTogether
		if err == nil && len(batch) > 0 && (isFull || node(c) != node(batch[0])) {
			err = flush()
		}
		if err != nil {
			return err
		}
		batch = append(batch, c)
	}
	return flush()
}

// rows gives the vector of each candidate of a batch. A failed call gives no rows.
func (j embedUnit) rows(batch []data.Candidate, o engine.Outcome) ([]data.Embedding, error) {
	if o.Failed {
		return nil, nil
	}
	vectors, err := o.Vectors()
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(batch) {
		return nil, data.Errorf("ask another server, with --replace", "the reply about %s has %d vectors for %d texts",
			batch[0].CandidateID, len(vectors), len(batch))
	}
	rows := make([]data.Embedding, len(batch))
	for i, c := range batch {
		rows[i] = data.Embedding{CandidateID: c.CandidateID, Model: j.Embedder.ID, Vector: vectors[i],
			RequestHash: o.RequestHash, Provenance: o.Provenance}
	}
	return rows, nil
}
