package data

import "time"

// Image is one picture of a benchmark. Embodied AI items have several frames under one image_id.
type Image struct {
	ImageID string `parquet:"image_id,dict"` // name of the benchmark item, such as nat_001
	Frame   int32  `parquet:"frame"`         // position among the frames of the item, from 0
	// Natural, Document, E-commerce, Embodied AI, or a new domain's own name
	Domain string `parquet:"domain,dict"`
	// file of the picture for models and pages, relative to the lake's folder; empty when the picture
	// is missing
	Path string `parquet:"path,plain"`
	// digest of the file in lower-case hex; empty when the picture is missing
	SHA256 string `parquet:"sha256,plain"`
	Format string `parquet:"format,dict"` // png, jpeg or webp; empty when unknown
	Width  int32  `parquet:"width"`       // pixels; 0 when unknown
	Height int32  `parquet:"height"`      // pixels; 0 when unknown
	Bytes  int64  `parquet:"bytes"`       // size of the file in bytes; 0 when unknown
	Source string `parquet:"source,dict"` // where the picture came from: a file name, or the sample set
	// JSON list of true statements about the picture; only the sample set has it
	Facts string `parquet:"facts,optional,plain"`

	// file of the picture as it was loaded; null when path is that file, or when it is unknown
	OriginalPath string `parquet:"original_path,optional,plain"`
	// digest of the picture as it was loaded, in lower-case hex; null when path is that file, or when
	// it is unknown
	OriginalSHA256 string `parquet:"original_sha256,optional,plain"`
	// size of the picture as it was loaded, in bytes; null when path is that file, or when it is
	// unknown
	OriginalBytes *int64 `parquet:"original_bytes,optional"`
	// png, jpeg, webp, gif, bmp or tiff, as it was loaded; null when unknown
	OriginalFormat string `parquet:"original_format,optional,dict"`
	// perceptual hash of 64 bits in 16 hexadecimal digits: pictures that look alike differ in few
	// bits; null when unknown, and for a picture of one colour
	PHash string `parquet:"phash,optional,plain"`
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
	// image_id, a slash and a digest of the question and its options
	QuestionID string `parquet:"question_id,plain"`
	ImageID    string `parquet:"image_id,dict"` // item the question is about
	Domain     string `parquet:"domain,dict"`   // domain of the item
	Category   string `parquet:"category,dict"` // first taxonomy level
	// second taxonomy level; empty when the bank names only the first
	Subcategory string `parquet:"subcategory,dict"`
	// third taxonomy level; empty when the bank does not name it
	Aspect string `parquet:"aspect,dict"`
	// position in the bank, from 0; the published option order depends on it
	Ordinal     int32    `parquet:"ordinal"`
	Question    string   `parquet:"question,plain"` // text of the question
	Options     []string `parquet:"options,list"`   // options in bank order, without the cannot option
	AnswerIndex int32    `parquet:"answer_index"`   // position of the key in options, from 0
	// the published rule calls it a yes/no question, which gets no cannot option
	YesNo bool `parquet:"yes_no"`
	// presented order: positions in options; len(options) is the cannot option
	OptionOrder []int32 `parquet:"option_order,list"`
	// rule behind option_order: upstream-full-bank, upstream-per-split or as-given
	OrderRule string `parquet:"order_rule,dict"`
	Source    string `parquet:"source,dict"` // bank that the question came from
	// candidate that became the question; null for a bank that was not made in this lake
	CandidateID *string `parquet:"candidate_id,optional,plain"`
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
	// SHA-256 over model, messages, image digests, sampling and protocol, in lower-case hex
	RequestHash string `json:"request_hash" parquet:"request_hash,plain"`
	// number of the repetition, from 0
	Repeat int32 `json:"repeat" parquet:"repeat"`
	// stage that asked: caption, answer, judge, …; ingest for replies read from files
	Stage    string `json:"stage" parquet:"stage,dict"`
	Protocol string `json:"protocol" parquet:"protocol,dict"` // protocol of the request
	Model    string `json:"model" parquet:"model,dict"`       // model_id asked
	// key of the row that the call is about: a question_id, an image_id, a sample_id
	Subject string `json:"subject" parquet:"subject,plain"`
	State   string `json:"state" parquet:"state,dict"`  // ok, failed or truncated
	Text    string `json:"reply" parquet:"reply,plain"` // raw text of the reply
	// stop, length, …; empty when the server gave none
	FinishReason string `json:"finish_reason" parquet:"finish_reason,dict"`
	// last error of a failed call; never holds a key
	Error string `json:"error" parquet:"error,plain"`
	// tokens of the prompt; 0 when unknown
	PromptTokens int64 `json:"prompt_tokens" parquet:"prompt_tokens"`
	// prompt tokens that the server took from its prefix cache
	CachedTokens int64 `json:"cached_tokens" parquet:"cached_tokens"`
	// tokens of the reply; 0 when unknown
	CompletionTokens int64 `json:"completion_tokens" parquet:"completion_tokens"`
	// milliseconds from the last attempt's start to the whole reply; null for replies of offline
	// batches and of files
	LatencyMS *float64 `json:"latency_ms" parquet:"latency_ms,optional"`
	// attempts made, 1 when the first succeeded
	Attempts int32 `json:"attempts" parquet:"attempts"`
	// name of the endpoint in the configuration, or the ingested file's name
	Endpoint string `json:"endpoint" parquet:"endpoint,dict"`
	// JSON of the request without its messages: every sampling parameter (or sampling default if the
	// server chose them), the model's name on the servers, the choices and the template's flags if
	// there are any, and for captions the prompt's text
	Sampling string `json:"sampling" parquet:"sampling,dict"`
	// JSON of the log-probabilities that were asked for; null without them
	Logprobs string `json:"logprobs" parquet:"logprobs,optional,plain"`
	// when the reply was complete, or, for an offline batch, imported; UTC
	FinishedAt time.Time `json:"finished_at" parquet:"finished_at,timestamp(microsecond)"`
	// published, measured or simulated
	Provenance string `json:"provenance" parquet:"provenance,dict"`
	// thoughts that the server kept apart from the reply; null without them
	Reasoning string `json:"reasoning" parquet:"reasoning,optional,plain"`
}

// Answer is one parsed and scored answer of one reader to one question (CaptionQA sections 3.1 and
// 3.4).
type Answer struct {
	// how the question was put, parsed and scored, such as captionqa/upstream
	Protocol string `parquet:"protocol,dict"`
	Reader   string `parquet:"reader,dict"`   // model_id of the model that answered
	Evidence string `parquet:"evidence,dict"` // caption, image or none
	// model_id of the captioner of the caption that was read; under evidence image the model that saw
	// the picture; empty under evidence none
	Captioner  string `parquet:"captioner,dict"`
	Prompt     string `parquet:"prompt,dict"`       // caption prompt; empty unless evidence is caption
	QuestionID string `parquet:"question_id,plain"` // question answered
	Repeat     int32  `parquet:"repeat"`            // number of the repetition, from 0
	// item of the question: the cluster of every standard error
	ImageID  string `parquet:"image_id,dict"`
	Domain   string `parquet:"domain,dict"`   // domain of the item
	Category string `parquet:"category,dict"` // first taxonomy level of the question
	// second taxonomy level; empty when the bank names only the first
	Subcategory  string `parquet:"subcategory,dict"`
	Options      int32  `parquet:"options"`       // K, number of options without the cannot option
	OffersCannot bool   `parquet:"offers_cannot"` // the cannot option was offered
	// position of the chosen option in the bank's options; null unless one of them was chosen
	ChoiceIndex *int32 `parquet:"choice_index,optional"`
	Outcome     string `parquet:"outcome,dict"` // correct, incorrect, cannot, unparsed or failed
	// 1 correct, 0 incorrect or unparsed or failed, 1/K + 0.05 cannot
	Score       float64 `parquet:"score"`
	RequestHash string  `parquet:"request_hash,plain"` // call that was parsed; empty when there was no call
	// probability of each presented option, under the protocol that stores them; otherwise empty
	Probabilities []float64 `parquet:"probabilities,list"`
	Provenance    string    `parquet:"provenance,dict"` // published, measured or simulated
	// MD5 of the text of the caption that was read, in lower-case hex; null without a caption, and in
	// answers that were loaded from a file
	CaptionDigest *string `parquet:"caption_digest,optional,dict"`
	// outcome by the strict parser, captionqa.ParseStrict, of the same reply; null under protocols
	// other than captionqa/upstream, and in answers that were loaded from a file
	StrictOutcome *string `parquet:"strict_outcome,optional,dict"`
	// position of the option that the strict parser finds; null unless it finds one of the bank's
	// options
	StrictChoiceIndex *int32 `parquet:"strict_choice_index,optional"`
}
