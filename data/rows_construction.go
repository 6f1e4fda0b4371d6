package data

import "time"

// Candidate is one generated question before any filter (CaptionQA section 4.3.1).
type Candidate struct {
	CandidateID string   `parquet:"candidate_id,plain"` // image_id, a slash and a digest of the question and its origin
	ImageID     string   `parquet:"image_id,dict"`      // item the question is about
	Domain      string   `parquet:"domain,dict"`        // domain of the item
	Category    string   `parquet:"category,dict"`      // taxonomy node that the generator was asked for, first level
	Subcategory string   `parquet:"subcategory,dict"`   // the node's second level
	Aspect      string   `parquet:"aspect,dict"`        // the node's third level
	Generator   string   `parquet:"generator,dict"`     // model_id that wrote it
	Question    string   `parquet:"question,plain"`     // text of the question
	Options     []string `parquet:"options,list"`       // options in the generator's order
	// position of the generator's key in options, from 0; -1 when it is not among them
	AnswerIndex int32  `parquet:"answer_index"`
	RequestHash string `parquet:"request_hash,plain"` // call that produced it
	Provenance  string `parquet:"provenance,dict"`    // measured or simulated
	Protocol    string `parquet:"protocol,dict"`      // prompt that the generator got, with its version
	Ordinal     int32  `parquet:"ordinal"`            // position in the generator's reply, from 0
	// why it cannot be asked, such as duplicate_option or, for a reply that cannot be read, unparsed;
	// empty when it can be asked
	Malformed string `parquet:"malformed,dict"`
}

// BlindTrial is one text-only attempt at a candidate with shuffled options (CaptionQA section
// 4.3.2).
type BlindTrial struct {
	CandidateID string  `parquet:"candidate_id,plain"` // candidate tried
	Reader      string  `parquet:"reader,dict"`        // model_id that guessed
	Trial       int32   `parquet:"trial"`              // number of the trial, from 0; ten are published
	OptionOrder []int32 `parquet:"option_order,list"`  // presented order, as positions in the candidate's options
	// position of the chosen option in the candidate's options; null when unparsed
	ChoiceIndex *int32 `parquet:"choice_index,optional"`
	Hit         bool   `parquet:"hit"`                // the key was chosen
	RequestHash string `parquet:"request_hash,plain"` // call that was parsed
	Provenance  string `parquet:"provenance,dict"`    // measured or simulated
}

// Embedding is the vector of one candidate (CaptionQA section 4.3.3).
type Embedding struct {
	CandidateID string    `parquet:"candidate_id,plain"` // candidate encoded: question and options
	Model       string    `parquet:"model,dict"`         // model_id of the embedding model
	Vector      []float32 `parquet:"vector,list"`        // L2-normalised coordinates
	RequestHash string    `parquet:"request_hash,plain"` // call that produced it
	Provenance  string    `parquet:"provenance,dict"`    // measured or simulated
}

// QuestionGroup says which group of near-duplicates a candidate belongs to (CaptionQA section
// 4.3.3).
type QuestionGroup struct {
	ImageID        string  `parquet:"image_id,dict"`      // item within which duplicates are sought
	CandidateID    string  `parquet:"candidate_id,plain"` // member of the group
	GroupID        int32   `parquet:"group_id"`           // number of the group within the item, from 0
	Representative bool    `parquet:"representative"`     // the member is the medoid that is kept
	Similarity     float64 `parquet:"similarity"`         // cosine of the member to the representative, -1 to 1
	Provenance     string  `parquet:"provenance,dict"`    // measured or simulated
}

// Validation is one vision-language model's choice for one candidate, meta-flags included
// (CaptionQA section 4.4).
type Validation struct {
	CandidateID string `parquet:"candidate_id,plain"` // candidate shown with its image
	Validator   string `parquet:"validator,dict"`     // model_id that validated
	// option, ambiguous, unanswerable, unsuitable, none, unparsed or failed
	Choice      string `parquet:"choice,dict"`
	ChoiceIndex *int32 `parquet:"choice_index,optional"` // position of the chosen option; null unless choice is option
	AgreesKey   bool   `parquet:"agrees_key"`            // the choice is the candidate's key
	RequestHash string `parquet:"request_hash,plain"`    // call that was parsed
	Provenance  string `parquet:"provenance,dict"`       // measured or simulated
}

// Route is the fate of one candidate after validation (CaptionQA section 4.4).
type Route struct {
	CandidateID string `parquet:"candidate_id,plain"` // representative of its group of near-duplicates
	// accept: all validators chose the key; discard: all chose a flag; review: a person decides
	Route      string `parquet:"route,dict"`
	Validators int32  `parquet:"validators"`      // validators that were asked
	Provenance string `parquet:"provenance,dict"` // measured or simulated
}

// Review is one person's decision on one candidate (CaptionQA section 4.4).
type Review struct {
	CandidateID string `parquet:"candidate_id,plain"` // candidate reviewed
	Reviewer    string `parquet:"reviewer,dict"`      // who decided
	Decision    string `parquet:"decision,dict"`      // keep, fix or drop
	// text after a fix; empty when unchanged
	Question string `parquet:"question,plain"`
	// options after a fix; empty when unchanged
	Options     []string `parquet:"options,list"`
	AnswerIndex *int32   `parquet:"answer_index,optional"` // key after a fix; null when unchanged
	Note        string   `parquet:"note,plain"`            // the reviewer's reason
	Provenance  string   `parquet:"provenance,dict"`       // measured or simulated
	// seconds that the reviewer took; null when unknown
	Seconds *float64 `parquet:"seconds,optional"`
	// when the reviewer decided, UTC; null when unknown
	ReviewedAt *time.Time `parquet:"reviewed_at,optional,timestamp(microsecond)"`
}

// QualityRating says whether one person found a drawn question right (CaptionQA section 4.4 and
// Table 2). The person did not see the question's stage.
type QualityRating struct {
	// stage that the question was drawn at, as in quality_samples
	Stage       string `parquet:"stage,dict"`
	CandidateID string `parquet:"candidate_id,plain"` // candidate that the question comes from
	Reviewer    string `parquet:"reviewer,dict"`      // who rated
	// the question can be answered from the picture, and its key alone is right
	IsRight bool   `parquet:"is_right"`
	Note    string `parquet:"note,plain"` // what is wrong; may be empty
	// seconds that the reviewer took; null when unknown
	Seconds *float64 `parquet:"seconds,optional"`
	// when the reviewer decided, UTC; null when unknown
	RatedAt    *time.Time `parquet:"rated_at,optional,timestamp(microsecond)"`
	Provenance string     `parquet:"provenance,dict"` // measured or simulated
}

// QualitySample is one question drawn for people to check, as it was at that stage (CaptionQA
// section 4.4, Table 2).
type QualitySample struct {
	// pre_quality: drawn among the distinct candidates, before validation and review; post_quality:
	// among the questions of the bank
	Stage string `parquet:"stage,dict"`
	// candidate drawn; question_id of a question that was loaded with a bank and has no candidate
	CandidateID string   `parquet:"candidate_id,plain"`
	ImageID     string   `parquet:"image_id,dict"`   // item the question is about: the cluster of every standard error
	Domain      string   `parquet:"domain,dict"`     // domain of the item
	Category    string   `parquet:"category,dict"`   // first taxonomy level: the stratum of the drawing
	Position    int32    `parquet:"position"`        // place in the drawing, from 0
	Question    string   `parquet:"question,plain"`  // text of the question
	Options     []string `parquet:"options,list"`    // options of the question
	AnswerIndex int32    `parquet:"answer_index"`    // position of the key in options, from 0
	Seed        int64    `parquet:"seed"`            // seed of the drawing
	Population  int32    `parquet:"population"`      // questions of the domain and category that could be drawn
	Provenance  string   `parquet:"provenance,dict"` // measured or simulated
}
