package stages

import (
	"fmt"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

// deduplicateStage finds the groups of near-duplicates among the questions of each image (CaptionQA
// section 4.3.3). It asks no model.
var deduplicateStage = ofConstruct(engine.Stage{
	Name: "deduplicate",
	Help: "group the candidates of each image that ask the same, by their vectors, and keep the most central one",
	Units: unitsOf(embedderOf, func(c config.Construct, d domain, embedder config.Model) engine.AnyUnit {
		rule := construct.Duplicates{Similarity: c.Similarity, Cohesion: c.Cohesion}
		return groupUnit{d.Name, embedder.ID, rule}.unit(d)
	}),
})

// A groupUnit is the groups of duplicates of one domain.
type groupUnit struct {
	Domain     string
	Embedder   string
	Duplicates construct.Duplicates
}

// An imageVectors is the candidates of one image with their vectors.
type imageVectors struct {
	image   string
	ids     []string
	vectors [][]float32
}

func (j groupUnit) unit(d domain) *engine.Unit[*imageVectors] {
	return &engine.Unit[*imageVectors]{
		Conditions: engine.Conditions{
			Name: j.Domain, Protocol: construct.ProtocolDuplicates, Source: "embeddings", Simulated: d.Simulated,
		},
		Inputs: engine.Inputs{Settings: j}, // Reads stays nil: see sightedCandidates.
		Items:  j.items,
		Rows:   engine.Into("question_groups", data.QuestionGroups, j.rows),
	}
}

// items gives the images with the vectors of their candidates. A candidate without a vector, as
// after a failed call, is left out and gets no group.
func (j groupUnit) items(s *engine.Scope, each engine.Each[*imageVectors]) error {
	var images []*imageVectors
	imageOf := map[string]*imageVectors{} // by candidate_id
	for c, err := range candidates(s, sightedCandidates, j.Domain) {
		if err != nil {
			return err
		}
		// The candidates come image by image.
		if n := len(images); n == 0 || images[n-1].image != c.ImageID {
			images = append(images, &imageVectors{image: c.ImageID})
		}
		imageOf[c.CandidateID] = images[len(images)-1]
	}
	for e, err := range data.Select(s.Lake, data.Embeddings, data.Where{"model": j.Embedder}) {
		if err != nil {
			return err
		}
		if i := imageOf[e.CandidateID]; i != nil {
			i.ids, i.vectors = append(i.ids, e.CandidateID), append(i.vectors, e.Vector)
		}
	}
	for _, i := range images {
		if len(i.ids) == 0 {
			continue
		}
		if err := each(i, engine.Keys{Subject: i.image}); err != nil {
			return err
		}
	}
	return nil
}

// rows gives each candidate of an image its group.
func (j groupUnit) rows(i *imageVectors, o engine.Outcome) ([]data.QuestionGroup, error) {
	groups, err := j.Duplicates.Groups(i.vectors)
	if err != nil {
		return nil, fmt.Errorf("vectors of %s by %s: %w", i.image, j.Embedder, err)
	}
	var rows []data.QuestionGroup
	for n, g := range groups {
		for _, member := range g.Members {
			rows = append(rows, data.QuestionGroup{
				ImageID: i.image, CandidateID: i.ids[member], GroupID: int32(n), Representative: member == g.Medoid,
				Similarity: construct.Cosine(i.vectors[member], i.vectors[g.Medoid]), Provenance: o.Provenance,
			})
		}
	}
	return rows, nil
}
