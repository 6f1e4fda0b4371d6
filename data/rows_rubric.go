package data

// Annotation is one annotated visual element of CAPability or CV-CapBench.
type Annotation struct {
	Benchmark string `parquet:"benchmark,dict"` // capability or cv-capbench
	SampleID  string `parquet:"sample_id,dict"` // file_id of the benchmark
	// annotated part of the sample: an object's name; empty when the dimension annotates no object
	Element   string `parquet:"element,dict"`
	Dimension string `parquet:"dimension,dict"`  // one of the 13 dimensions, such as object_color
	View      string `parquet:"view,dict"`       // one of the six views: object, global, text, camera, temporal, knowledge
	Dynamic   bool   `parquet:"dynamic"`         // the dimension concerns video
	MediaType string `parquet:"media_type,dict"` // image or video
	Media     string `parquet:"media,dict"`      // path of the media file, as the benchmark names it
	Value     string `parquet:"value,dict"`      // annotated value: a colour, a number, a category, a sentence
	Line      int32  `parquet:"line"`            // line of the annotation file, from 1
	// position of the element in the sample's annotation, from 0; judges' lists follow it
	Ordinal int32 `parquet:"ordinal"`
}

// Judgment is one judge's verdict on whether one caption states one annotation, and correctly.
type Judgment struct {
	Benchmark string `parquet:"benchmark,dict"` // capability or cv-capbench
	Judge     string `parquet:"judge,dict"`     // model_id of the judge
	Captioner string `parquet:"captioner,dict"` // model_id whose caption was judged
	Repeat    int32  `parquet:"repeat"`         // number of the repetition, from 0
	SampleID  string `parquet:"sample_id,dict"` // sample judged
	Element   string `parquet:"element,dict"`   // element judged, as in annotations
	Dimension string `parquet:"dimension,dict"` // dimension of the annotation
	Verdict   string `parquet:"verdict,dict"`   // positive, negative, miss, unparsed or failed
	// categories that the judge found in the caption, for closed-set dimensions
	Predicted   []string `parquet:"predicted,list"`
	Reason      string   `parquet:"reason,plain"`       // the judge's reason
	RequestHash string   `parquet:"request_hash,plain"` // call that was parsed; empty for ingested judgments
	Provenance  string   `parquet:"provenance,dict"`    // published, measured or simulated
	// MD5 of the text of the caption that was judged, in lower-case hex; null in judgments that were
	// loaded from a file
	CaptionDigest *string `parquet:"caption_digest,optional,dict"`
	// MD5 of the annotated value that was judged against, in lower-case hex; null in judgments that
	// were loaded from a file
	ValueDigest *string `parquet:"value_digest,optional,dict"`
}

// ElementAnswer is a model's answer to the question form of an annotation, for know-but-cannot-tell
// (CAPability section 4).
type ElementAnswer struct {
	Benchmark string `parquet:"benchmark,dict"` // capability or cv-capbench
	Model     string `parquet:"model,dict"`     // model_id that looked at the media and answered
	// model_id of the judge of open answers; empty for multiple choice
	Judge       string `parquet:"judge,dict"`
	Repeat      int32  `parquet:"repeat"`             // number of the repetition, from 0
	SampleID    string `parquet:"sample_id,dict"`     // sample asked about
	Element     string `parquet:"element,dict"`       // element asked about, as in annotations
	Dimension   string `parquet:"dimension,dict"`     // dimension of the annotation
	Answer      string `parquet:"answer,plain"`       // parsed answer
	Outcome     string `parquet:"outcome,dict"`       // correct, incorrect, unparsed or failed
	RequestHash string `parquet:"request_hash,plain"` // call that was parsed
	Provenance  string `parquet:"provenance,dict"`    // measured or simulated
	// MD5 of the annotated value that was asked for, in lower-case hex; null when unknown
	ValueDigest *string `parquet:"value_digest,optional,dict"`
}
