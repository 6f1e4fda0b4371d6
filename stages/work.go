package stages

import (
	"context"
	"iter"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A Task is one request and the row that it is about.
type Task struct {
	Request llm.Request
	Subject string // key of that row: a question_id, an image_id, a sample_id
	Extra   bool   // only read, never asked, and only if the unit's own file has the reply

	hash string // of the request; the engine fills it in when it plans
}

// A Group is the tasks that share a long prefix, such as the questions of one caption. They go to one replica, one right
// after the other, so that all but the first find the prefix in its cache.
type Group struct {
	Affinity string // what to choose the replica by
	Tasks    []Task
}

// Work is the requests of one unit: what one model is asked under one set of conditions.
type Work struct {
	Stage      string // stage that plans the work
	Name       string // name of the unit within the stage
	Model      string // model_id of the model that is asked
	Protocol   string
	Source     string // what the requests are made from, for provenance
	Provenance string // data.ProvenanceMeasured, or data.ProvenanceSimulated for rehearsal models
	// Groups plans the requests. It may be called several times and gives the same each time.
	Groups func() iter.Seq2[Group, error]
}

// Unit is the unit of the lake that records the work's calls.
func (w Work) Unit() data.Unit {
	return data.Unit{Stage: w.Stage, Name: w.Name, Protocol: w.Protocol, Source: w.Source, Provenance: w.Provenance}
}

// A Caller asks a model. Its errors are those of package llm: a class that says whether the call failed for good, or
// was never answered and is to be asked again by the next run.
type Caller interface {
	Chat(ctx context.Context, r llm.Request, affinity llm.Affinity) (llm.Reply, error)
}
