package data

import "time"

// Image is one picture of a benchmark. Embodied AI items have several frames under one image_id.
type Image struct {
	ImageID string `parquet:"image_id,dict"`        // name of the benchmark item, such as nat_001
	Frame   int32  `parquet:"frame"`                // position among the frames of the item, from 0
	Domain  string `parquet:"domain,dict"`          // Natural, Document, E-commerce, Embodied AI, or a new domain's own name
	Path    string `parquet:"path,plain"`           // file of the picture for models and pages, relative to the lake's folder; empty when the picture is missing
	SHA256  string `parquet:"sha256,plain"`         // digest of the file in lower-case hex; empty when the picture is missing
	Format  string `parquet:"format,dict"`          // png, jpeg or webp; empty when unknown
	Width   int32  `parquet:"width"`                // pixels; 0 when unknown
	Height  int32  `parquet:"height"`               // pixels; 0 when unknown
	Bytes   int64  `parquet:"bytes"`                // size of the file in bytes; 0 when unknown
	Source  string `parquet:"source,dict"`          // where the picture came from: a file name, or the sample set
	Facts   string `parquet:"facts,optional,plain"` // JSON list of true statements about the picture; only the sample set has it

	OriginalPath   string `parquet:"original_path,optional,plain"`   // file of the picture as it was loaded; null when path is that file, or when it is unknown
	OriginalSHA256 string `parquet:"original_sha256,optional,plain"` // digest of the picture as it was loaded, in lower-case hex; null when path is that file, or when it is unknown
	OriginalBytes  *int64 `parquet:"original_bytes,optional"`        // size of the picture as it was loaded, in bytes; null when path is that file, or when it is unknown
	OriginalFormat string `parquet:"original_format,optional,dict"`  // png, jpeg, webp, gif, bmp or tiff, as it was loaded; null when unknown
	PHash          string `parquet:"phash,optional,plain"`           // perceptual hash of 64 bits in 16 hexadecimal digits: pictures that look alike differ in few bits; null when unknown, and for a picture of one colour
}

// TaxonomyNode is one node of a domain's taxonomy, down to the aspect (CaptionQA section 4.1,
// Tables 5 to 8).
type TaxonomyNode struct {
	Domain      string   `parquet:"domain,dict"`      // domain that the taxonomy describes
	Category    string   `parquet:"category,dict"`    // first level
	Subcategory string   `parquet:"subcategory,dict"` // second level; empty on the row of a category
	Aspect      string   `parquet:"aspect,dict"`      // third level; empty on the rows above it
	Level       int32    `parquet:"level"`            // 1 category, 2 subcategory, 3 aspect
	Ordinal     int32    `parquet:"ordinal"`          // position in the taxonomy file, from 0
	Examples    []string `parquet:"examples,list"`    // examples that the taxonomy gives for the node
}

// Question is one multiple-choice question of a bank.
type Question struct {
	QuestionID  string   `parquet:"question_id,plain"`           // image_id, a slash and a digest of the question and its options
	ImageID     string   `parquet:"image_id,dict"`               // item the question is about
	Domain      string   `parquet:"domain,dict"`                 // domain of the item
	Category    string   `parquet:"category,dict"`               // first taxonomy level
	Subcategory string   `parquet:"subcategory,dict"`            // second taxonomy level; empty when the bank names only the first
	Aspect      string   `parquet:"aspect,dict"`                 // third taxonomy level; empty when the bank does not name it
	Ordinal     int32    `parquet:"ordinal"`                     // position in the bank, from 0; the published option order depends on it
	Question    string   `parquet:"question,plain"`              // text of the question
	Options     []string `parquet:"options,list"`                // options in bank order, without the cannot option
	AnswerIndex int32    `parquet:"answer_index"`                // position of the key in options, from 0
	YesNo       bool     `parquet:"yes_no"`                      // the published rule calls it a yes/no question, which gets no cannot option
	OptionOrder []int32  `parquet:"option_order,list"`           // presented order: positions in options; len(options) is the cannot option
	OrderRule   string   `parquet:"order_rule,dict"`             // rule behind option_order: upstream-full-bank, upstream-per-split or as-given
	Source      string   `parquet:"source,dict"`                 // bank that the question came from
	CandidateID *string  `parquet:"candidate_id,optional,plain"` // candidate that became the question; null for a bank that was not made in this lake
}

// Caption is one caption of one item by one captioner under one prompt.
type Caption struct {
	ImageID      string `parquet:"image_id,dict"`      // item that the caption describes
	Captioner    string `parquet:"captioner,dict"`     // model_id of the model that wrote it
	Prompt       string `parquet:"prompt,dict"`        // Long, Short, Simple, Taxonomy-Hinted, or a user's own prompt name
	Domain       string `parquet:"domain,dict"`        // domain of the item
	Caption      string `parquet:"caption,plain"`      // the text, as the model gave it
	Words        int32  `parquet:"words"`              // white-space separated words
	Tokens       *int32 `parquet:"tokens,optional"`    // completion tokens that the server counted; null when unknown
	FinishReason string `parquet:"finish_reason,dict"` // stop, length, …; empty when unknown
	RequestHash  string `parquet:"request_hash,plain"` // call that produced it; empty for captions that were ingested
	Provenance   string `parquet:"provenance,dict"`    // published, measured or simulated
}

// Call is one model's reply to one request: the record that cost money. Calls are only appended,
// never edited. A failed call of one unit stays beside another unit's reply to the same request.
type Call struct {
	RequestHash      string    `json:"request_hash" parquet:"request_hash,plain"`                // SHA-256 over model, messages, image digests, sampling and protocol, in lower-case hex
	Repeat           int32     `json:"repeat" parquet:"repeat"`                                  // number of the repetition, from 0
	Stage            string    `json:"stage" parquet:"stage,dict"`                               // stage that asked: caption, answer, judge, …; ingest for replies read from files
	Protocol         string    `json:"protocol" parquet:"protocol,dict"`                         // protocol of the request
	Model            string    `json:"model" parquet:"model,dict"`                               // model_id asked
	Subject          string    `json:"subject" parquet:"subject,plain"`                          // key of the row that the call is about: a question_id, an image_id, a sample_id
	State            string    `json:"state" parquet:"state,dict"`                               // ok, failed or truncated
	Text             string    `json:"reply" parquet:"reply,plain"`                              // raw text of the reply
	FinishReason     string    `json:"finish_reason" parquet:"finish_reason,dict"`               // stop, length, …; empty when the server gave none
	Error            string    `json:"error" parquet:"error,plain"`                              // last error of a failed call; never holds a key
	PromptTokens     int64     `json:"prompt_tokens" parquet:"prompt_tokens"`                    // tokens of the prompt; 0 when unknown
	CachedTokens     int64     `json:"cached_tokens" parquet:"cached_tokens"`                    // prompt tokens that the server took from its prefix cache
	CompletionTokens int64     `json:"completion_tokens" parquet:"completion_tokens"`            // tokens of the reply; 0 when unknown
	LatencyMS        *float64  `json:"latency_ms" parquet:"latency_ms,optional"`                 // milliseconds from the last attempt's start to the whole reply; null for replies of offline batches and of files
	Attempts         int32     `json:"attempts" parquet:"attempts"`                              // attempts made, 1 when the first succeeded
	Endpoint         string    `json:"endpoint" parquet:"endpoint,dict"`                         // name of the endpoint in the configuration, or the ingested file's name
	Sampling         string    `json:"sampling" parquet:"sampling,dict"`                         // JSON of the request without its messages: every sampling parameter (or sampling default if the server chose them), the model's name on the servers, the choices and the template's flags if there are any, and for captions the prompt's text
	Logprobs         string    `json:"logprobs" parquet:"logprobs,optional,plain"`               // JSON of the log-probabilities that were asked for; null without them
	FinishedAt       time.Time `json:"finished_at" parquet:"finished_at,timestamp(microsecond)"` // when the reply was complete, or, for an offline batch, imported; UTC
	Provenance       string    `json:"provenance" parquet:"provenance,dict"`                     // published, measured or simulated
	Reasoning        string    `json:"reasoning" parquet:"reasoning,optional,plain"`             // thoughts that the server kept apart from the reply; null without them
}

// Answer is one parsed and scored answer of one reader to one question (CaptionQA sections 3.1 and
// 3.4).
type Answer struct {
	Protocol      string    `parquet:"protocol,dict"`                // how the question was put, parsed and scored, such as captionqa/upstream
	Reader        string    `parquet:"reader,dict"`                  // model_id of the model that answered
	Evidence      string    `parquet:"evidence,dict"`                // caption, image or none
	Captioner     string    `parquet:"captioner,dict"`               // model_id of the captioner of the caption that was read; under evidence image the model that saw the picture; empty under evidence none
	Prompt        string    `parquet:"prompt,dict"`                  // caption prompt; empty unless evidence is caption
	QuestionID    string    `parquet:"question_id,plain"`            // question answered
	Repeat        int32     `parquet:"repeat"`                       // number of the repetition, from 0
	ImageID       string    `parquet:"image_id,dict"`                // item of the question: the cluster of every standard error
	Domain        string    `parquet:"domain,dict"`                  // domain of the item
	Category      string    `parquet:"category,dict"`                // first taxonomy level of the question
	Subcategory   string    `parquet:"subcategory,dict"`             // second taxonomy level; empty when the bank names only the first
	Options       int32     `parquet:"options"`                      // K, number of options without the cannot option
	OffersCannot  bool      `parquet:"offers_cannot"`                // the cannot option was offered
	ChoiceIndex   *int32    `parquet:"choice_index,optional"`        // position of the chosen option in the bank's options; null unless one of them was chosen
	Outcome       string    `parquet:"outcome,dict"`                 // correct, incorrect, cannot, unparsed or failed
	Score         float64   `parquet:"score"`                        // 1 correct, 0 incorrect or unparsed or failed, 1/K + 0.05 cannot
	RequestHash   string    `parquet:"request_hash,plain"`           // call that was parsed; empty when there was no call
	Probabilities []float64 `parquet:"probabilities,list"`           // probability of each presented option, under the protocol that stores them; otherwise empty
	Provenance    string    `parquet:"provenance,dict"`              // published, measured or simulated
	CaptionDigest *string   `parquet:"caption_digest,optional,dict"` // MD5 of the text of the caption that was read, in lower-case hex; null without a caption, and in answers that were loaded from a file
	// StrictOutcome and StrictChoiceIndex are a second reading of the same reply, by
	// captionqa.ParseStrict.
	StrictOutcome     *string `parquet:"strict_outcome,optional,dict"` // outcome by the strict parser; null under protocols other than captionqa/upstream, and in answers that were loaded from a file
	StrictChoiceIndex *int32  `parquet:"strict_choice_index,optional"` // position of the option that the strict parser finds; null unless it finds one of the bank's options
}
