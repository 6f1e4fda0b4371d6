package data

import "time"

// Candidate is one generated question before any filter (CaptionQA section 4.3.1).
type Candidate struct {
	CandidateID string   `parquet:"candidate_id,plain,id(1)"`                     // image_id, a slash and a digest of where the question came from and what it is
	ImageID     string   `parquet:"image_id,dict,id(2)"`                          // item the question is about
	Domain      string   `parquet:"domain,dict,id(3)"`                            // domain of the item
	Category    string   `parquet:"category,dict,id(4)"`                          // taxonomy node that the generator was asked for, first level
	Subcategory string   `parquet:"subcategory,dict,id(5)"`                       // the node's second level
	Aspect      string   `parquet:"aspect,dict,id(6)"`                            // the node's third level
	Generator   string   `parquet:"generator,dict,id(7)"`                         // model_id that wrote it
	Question    string   `parquet:"question,plain,id(8)"`                         // text of the question
	Options     []string `parquet:"options,list,id(9)" parquet-element:",id(10)"` // options in the generator's order
	AnswerIndex int32    `parquet:"answer_index,id(11)"`                          // position of the generator's key in options, from 0; -1 when it is not among them
	RequestHash string   `parquet:"request_hash,plain,id(12)"`                    // call that produced it
	Provenance  string   `parquet:"provenance,dict,id(13)"`                       // measured or simulated
	Protocol    string   `parquet:"protocol,dict,id(14)"`                         // prompt that the generator got, with its version
	Ordinal     int32    `parquet:"ordinal,id(15)"`                               // position in the generator's reply, from 0
	Malformed   string   `parquet:"malformed,dict,id(16)"`                        // why it cannot be asked, such as duplicate_option or, for a reply that cannot be read, unparsed; empty when it can
}

// BlindTrial is one text-only attempt at a candidate with shuffled options (CaptionQA section 4.3.2).
type BlindTrial struct {
	CandidateID string  `parquet:"candidate_id,plain,id(1)"`                         // candidate tried
	Reader      string  `parquet:"reader,dict,id(2)"`                                // model_id that guessed
	Trial       int32   `parquet:"trial,id(3)"`                                      // number of the trial, from 0; ten are published
	OptionOrder []int32 `parquet:"option_order,list,id(4)" parquet-element:",id(5)"` // presented order, as positions in the candidate's options
	ChoiceIndex *int32  `parquet:"choice_index,optional,id(6)"`                      // position of the chosen option in the candidate's options; null when unparsed
	Hit         bool    `parquet:"hit,id(7)"`                                        // the key was chosen
	RequestHash string  `parquet:"request_hash,plain,id(8)"`                         // call that was parsed
	Provenance  string  `parquet:"provenance,dict,id(9)"`                            // measured or simulated
}

// Embedding is the vector of one candidate (CaptionQA section 4.3.3).
type Embedding struct {
	CandidateID string    `parquet:"candidate_id,plain,id(1)"`                   // candidate encoded: question and options
	Model       string    `parquet:"model,dict,id(2)"`                           // model_id of the embedding model
	Vector      []float32 `parquet:"vector,list,id(3)" parquet-element:",id(4)"` // L2-normalised coordinates
	RequestHash string    `parquet:"request_hash,plain,id(5)"`                   // call that produced it
	Provenance  string    `parquet:"provenance,dict,id(6)"`                      // measured or simulated
}

// QuestionGroup says which group of near-duplicates a candidate belongs to (CaptionQA section 4.3.3).
type QuestionGroup struct {
	ImageID        string  `parquet:"image_id,dict,id(1)"`      // item within which duplicates are sought
	CandidateID    string  `parquet:"candidate_id,plain,id(2)"` // member of the group
	GroupID        int32   `parquet:"group_id,id(3)"`           // number of the group within the item, from 0
	Representative bool    `parquet:"representative,id(4)"`     // the member is the medoid that is kept
	Similarity     float64 `parquet:"similarity,id(5)"`         // cosine of the member to the representative, -1 to 1
	Provenance     string  `parquet:"provenance,dict,id(6)"`    // measured or simulated
}

// Validation is one vision-language model's choice for one candidate, meta-flags included (CaptionQA section 4.4).
type Validation struct {
	CandidateID string `parquet:"candidate_id,plain,id(1)"`    // candidate shown with its image
	Validator   string `parquet:"validator,dict,id(2)"`        // model_id that validated
	Choice      string `parquet:"choice,dict,id(3)"`           // option, ambiguous, unanswerable, unsuitable, none, unparsed or failed
	ChoiceIndex *int32 `parquet:"choice_index,optional,id(4)"` // position of the chosen option; null unless choice is option
	AgreesKey   bool   `parquet:"agrees_key,id(5)"`            // the choice is the candidate's key
	RequestHash string `parquet:"request_hash,plain,id(6)"`    // call that was parsed
	Provenance  string `parquet:"provenance,dict,id(7)"`       // measured or simulated
}

// Route is what becomes of one candidate after validation (CaptionQA section 4.4).
type Route struct {
	CandidateID string `parquet:"candidate_id,plain,id(1)"` // representative of its group of near-duplicates
	Route       string `parquet:"route,dict,id(2)"`         // accept: all validators chose the key; discard: all chose a flag; review: a person decides
	Validators  int32  `parquet:"validators,id(3)"`         // validators that were asked
	Provenance  string `parquet:"provenance,dict,id(4)"`    // measured or simulated
}

// Review is one person's decision on one candidate (CaptionQA section 4.4).
type Review struct {
	CandidateID string     `parquet:"candidate_id,plain,id(1)"`                           // candidate reviewed
	Reviewer    string     `parquet:"reviewer,dict,id(2)"`                                // who decided
	Decision    string     `parquet:"decision,dict,id(3)"`                                // keep, fix or drop
	Question    string     `parquet:"question,plain,id(4)"`                               // text after a fix; empty when unchanged
	Options     []string   `parquet:"options,list,id(5)" parquet-element:",id(6)"`        // options after a fix; empty when unchanged
	AnswerIndex *int32     `parquet:"answer_index,optional,id(7)"`                        // key after a fix; null when unchanged
	Note        string     `parquet:"note,plain,id(8)"`                                   // the reviewer's reason
	Provenance  string     `parquet:"provenance,dict,id(9)"`                              // measured or simulated
	Seconds     *float64   `parquet:"seconds,optional,id(10)"`                            // seconds that the reviewer took; null when unknown
	ReviewedAt  *time.Time `parquet:"reviewed_at,optional,timestamp(microsecond),id(11)"` // when the reviewer decided, UTC; null when unknown
}

// QualityRating says whether one person found a drawn question right (CaptionQA section 4.4 and Table 2). The person did not see of which
// stage it is.
type QualityRating struct {
	Stage       string     `parquet:"stage,dict,id(1)"`                               // stage that the question was drawn at, as in quality_samples
	CandidateID string     `parquet:"candidate_id,plain,id(2)"`                       // candidate that the question comes from
	Reviewer    string     `parquet:"reviewer,dict,id(3)"`                            // who rated
	IsRight     bool       `parquet:"is_right,id(4)"`                                 // the question can be answered from the picture, and its key alone is right
	Note        string     `parquet:"note,plain,id(5)"`                               // what is wrong; may be empty
	Seconds     *float64   `parquet:"seconds,optional,id(6)"`                         // seconds that the reviewer took; null when unknown
	RatedAt     *time.Time `parquet:"rated_at,optional,timestamp(microsecond),id(7)"` // when the reviewer decided, UTC; null when unknown
	Provenance  string     `parquet:"provenance,dict,id(8)"`                          // measured or simulated
}

// QualitySample is one question that was drawn to be checked by people, as it was at that stage (CaptionQA section 4.4, Table 2).
type QualitySample struct {
	Stage       string   `parquet:"stage,dict,id(1)"`                            // pre_quality: drawn among the distinct candidates, before validation and review; post_quality: among the questions of the bank
	CandidateID string   `parquet:"candidate_id,plain,id(2)"`                    // candidate drawn; question_id of a question that was loaded with a bank and has no candidate
	ImageID     string   `parquet:"image_id,dict,id(3)"`                         // item the question is about: the cluster of every standard error
	Domain      string   `parquet:"domain,dict,id(4)"`                           // domain of the item
	Category    string   `parquet:"category,dict,id(5)"`                         // first taxonomy level: the stratum of the drawing
	Position    int32    `parquet:"position,id(6)"`                              // place in the drawing, from 0
	Question    string   `parquet:"question,plain,id(7)"`                        // text of the question
	Options     []string `parquet:"options,list,id(8)" parquet-element:",id(9)"` // options of the question
	AnswerIndex int32    `parquet:"answer_index,id(10)"`                         // position of the key in options, from 0
	Seed        int64    `parquet:"seed,id(11)"`                                 // seed of the drawing
	Population  int32    `parquet:"population,id(12)"`                           // questions of the domain and category that could be drawn
	Provenance  string   `parquet:"provenance,dict,id(13)"`                      // measured or simulated
}
