package stages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/engine"
)

// deduplicateStage finds the groups of near-duplicates among the questions of each image (CaptionQA
// section 4.3.3). It asks no model.
var deduplicateStage = ofConstruct(engine.Stage{
	Name: "deduplicate",
	Help: "group the candidates of each image that ask the same, by their vectors, and keep the most central one",
	Units: func(s *engine.Scope) ([]engine.AnyUnit, error) {
		c := s.Config.Construct
		embedder, err := constructModel(s, "embedder", c.Embedder)
		if err != nil {
			return nil, err
		}
		rule := construct.Duplicates{Similarity: c.Similarity, Cohesion: c.Cohesion}
		return unitsOfDomains(s, func(domain string, simulated bool, _ string) []engine.AnyUnit {
			return []engine.AnyUnit{groupUnit{domain, embedder.ID, rule}.unit(simulated)}
		})
	},
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

func (j groupUnit) unit(simulated bool) *engine.Unit[imageVectors] {
	return &engine.Unit[imageVectors]{
		Conditions: engine.Conditions{
			Name: j.Domain, Protocol: construct.ProtocolDuplicates, Source: "embeddings", Simulated: simulated,
		},
		Inputs: engine.Inputs{Settings: j},
		Items:  j.items,
		Rows:   engine.Into("question_groups", data.QuestionGroups, j.rows),
	}
}

// items gives the images with the vectors of their candidates. It holds few images at a time.
func (j groupUnit) items(s *engine.Scope, each engine.Each[imageVectors]) error {
	wanted := map[string]string{} // the image of each candidate
	for c, err := range candidates(s, sightedCandidates, j.Domain) {
		if err != nil {
			return err
		}
		wanted[c.CandidateID] = c.ImageID
	}
	// A candidate's id begins with its image_id and a slash, so the candidates of an image come
	// together. Images with a longer image_id that begins in the same way may come between them.
	var open []imageVectors
	flush := func(next string) error {
		for len(open) > 0 && !strings.HasPrefix(next, open[len(open)-1].image+"/") {
			last := open[len(open)-1]
			open = open[:len(open)-1]
			if err := each(last, engine.Keys{Subject: last.image}); err != nil {
				return err
			}
		}
		return nil
	}
	for e, err := range data.Select(s.Lake, data.Embeddings, data.Where{"model": j.Embedder}) {
		if err != nil {
			return err
		}
		image := wanted[e.CandidateID]
		if image == "" {
			continue
		}
		if err := flush(e.CandidateID); err != nil {
			return err
		}
		i := slices.IndexFunc(open, func(i imageVectors) bool { return i.image == image })
		if i < 0 {
			i, open = len(open), append(open, imageVectors{image: image})
		}
		open[i].ids, open[i].vectors = append(open[i].ids, e.CandidateID), append(open[i].vectors, e.Vector)
	}
	return flush("")
}

// rows gives each candidate of an image its group.
func (j groupUnit) rows(i imageVectors, o engine.Outcome) ([]data.QuestionGroup, error) {
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
