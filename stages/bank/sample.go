package bank

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
)

// SampleOptions say which sample is drawn.
type SampleOptions struct {
	Domain string `json:"domain"`
	N      int    `json:"n"` // questions at each stage; the paper has 50
	Seed   int64  `json:"seed"`
}

// A SampleReport describes the sample of one stage.
type SampleReport struct {
	Stage      string         `json:"stage"`
	Unit       string         `json:"unit"`
	Drawn      int            `json:"drawn"`
	Population int            `json:"population"` // questions that could be drawn
	Categories map[string]int `json:"categories"` // drawn questions by category
	Rated      int            `json:"rated"`      // drawn questions that somebody has rated already
	Lost       int            `json:"lost"`       // ratings; their questions are not drawn again or were reworded
	Changed    bool           `json:"changed"`    // this drawing changed the sample
}

// Sample draws questions of a domain for people to rate as right or wrong (CaptionQA section 4.4,
// Table 2). It draws among the distinct candidates, before validators and reviewers see them, and
// among the questions of the domain's bank, if there is one. The same seed draws the same
// questions. It is an error if a new drawing would lose ratings, because another seed or number
// draws other questions or because a rated question was reworded. Remove the earlier sample first.
func Sample(l *data.Lake, o SampleOptions) ([]SampleReport, error) {
	if o.N < 1 {
		return nil, data.Errorf("leave --n out for 50, as in the paper",
			"the number of questions to draw must be above 0")
	}
	// Candidates are drawn as their generators wrote them. If some questions of the domain have a
	// candidate, only these questions are drawn. If the bank was loaded, no question has a candidate;
	// then all are drawn, and their own ids stand for the candidate_ids.
	pre, err := data.QueryAll[data.QualitySample](l, `
		select candidate_id, image_id, domain, category, question, options, answer_index, provenance
		from candidates
		where lower(domain) = lower($1)
			and candidate_id in (select candidate_id from construct_states where state = 'distinct')`, o.Domain)
	if err != nil {
		return nil, err
	}
	post, err := data.QueryAll[data.QualitySample](l, `
		select coalesce(candidate_id, question_id) as candidate_id, image_id, domain, category, question, options,
			answer_index,
			case when starts_with(source, $2) then 'simulated' else 'measured' end as provenance
		from questions
		where lower(domain) = lower($1)
		qualify candidate_id is not null or count(candidate_id) over () = 0`, o.Domain, simulatedSource)
	if err != nil {
		return nil, err
	}
	if len(pre)+len(post) == 0 {
		return nil, data.WithHint(
			fmt.Errorf("the domain %q has no questions, and no candidates that passed the search for duplicates", o.Domain),
			"make some with: captionlake run construct --domain %q", o.Domain)
	}
	// Draw both samples before one is written, so that an error leaves the lake as it is.
	var drawings []drawing
	for _, s := range []struct {
		stage    string
		drawable []data.QualitySample
	}{{construct.StagePre, pre}, {construct.StagePost, post}} {
		if len(s.drawable) == 0 {
			continue
		}
		d, err := draw(l, o, s.stage, s.drawable)
		if err != nil {
			return nil, err
		}
		if d.Lost > 0 {
			return nil, data.WithHint(fmt.Errorf("drawing %s again would lose %d ratings, "+
				"of questions that are not drawn again or were reworded", d.Stage, d.Lost),
				"draw with the earlier seed and number, or remove the earlier drawing first: captionlake remove %s", d.Unit)
		}
		drawings = append(drawings, d)
	}
	var report []SampleReport
	for _, d := range drawings {
		if d.Changed, err = data.Put(l, d.unit, data.QualitySamples, d.rows...); err != nil {
			return nil, err
		}
		report = append(report, d.SampleReport)
	}
	return report, nil
}

// A drawing is the sample of one stage, before it is written.
type drawing struct {
	SampleReport
	unit data.Unit
	rows []data.QualitySample
}

// draw draws the sample of one stage among all its questions.
func draw(l *data.Lake, o SampleOptions, stage string, all []data.QualitySample) (drawing, error) {
	d := drawing{SampleReport: SampleReport{Stage: stage, Population: len(all), Categories: map[string]int{}}}
	d.unit = data.Unit{Stage: "bank/sample", Name: all[0].Domain + "/" + stage, Protocol: construct.ProtocolSample,
		Source: "candidates", Provenance: data.ProvenanceMeasured}
	if stage == construct.StagePost {
		d.unit.Source = "questions"
	}
	drawable := make([]construct.Drawable, len(all))
	sizes := map[string]int{}
	for i, row := range all {
		drawable[i] = construct.Drawable{ID: row.CandidateID, Category: row.Category}
		sizes[row.Category]++
	}
	for position, index := range construct.Draw(o.Seed, stage, o.N, drawable) {
		row := all[index]
		// In a row, Population counts the questions of the category; in the report, all of the stage.
		row.Stage, row.Position, row.Seed, row.Population = stage, int32(position), o.Seed, int32(sizes[row.Category])
		if row.Provenance == data.ProvenanceSimulated {
			d.unit.Provenance = data.ProvenanceSimulated
		}
		d.Categories[row.Category]++
		d.rows = append(d.rows, row)
	}
	content, _ := json.Marshal(d.rows) // Texts and numbers can always be marshalled.
	detail, _ := json.Marshal(o)
	d.unit.Fingerprint, d.unit.Detail = data.Fingerprint(construct.ProtocolSample, string(content)), string(detail)
	d.Unit, d.Drawn = d.unit.FileStem(), len(d.rows)
	return d, d.rated(l)
}

// rated counts the rated questions that the drawing keeps, and the ratings that it loses. A rating
// is lost if its question was reworded, because people rated the earlier text.
func (d *drawing) rated(l *data.Lake) error {
	drawn := map[string]data.QualitySample{}
	for _, row := range d.rows {
		drawn[row.CandidateID] = row
	}
	for before, err := range data.Query[struct {
		data.QualitySample
		Ratings int `parquet:"ratings"`
	}](l, `
		select s.* exclude (unit), count(*) as ratings
		from quality_samples as s
		inner join quality_ratings as r on r.candidate_id = s.candidate_id and r.stage = s.stage
		where s.unit = $1
		group by all`, d.Unit) {
		if err != nil {
			return err
		}
		row, isDrawn := drawn[before.CandidateID]
		unchanged := row.Question == before.Question && slices.Equal(row.Options, before.Options) &&
			row.AnswerIndex == before.AnswerIndex
		if isDrawn && unchanged {
			d.Rated++
		} else {
			d.Lost += before.Ratings
		}
	}
	return nil
}
